import { Verification } from "@countersign/core"
import { type Searched, type SearchPage, VerificationSearch } from "@countersign/core/storage"
import { Effect } from "effect"
import type { PgDatabase } from "./PgDatabase.ts"
import { instant, int, storable, text } from "./parameters.ts"

/** Whose index is walked: the first of these that is asked for, else the order of identifiers. */
const walks = { canonical: "canonical", orderId: "order_id", country: "country" } as const
/** What is looked at in each row that is walked past. */
const columns = { canonical: "canonical", orderId: "order_id", country: "country", channel: "channel" } as const

type AuthStatus = Verification.AuthStatus
type Asked = keyof typeof columns
const names = Object.keys(columns) as ReadonlyArray<Asked>

/** `$6` is this moment. A verification whose time is over reads EXPIRED though its row says PENDING. */
const statuses: { readonly [S in AuthStatus]: string } = {
  PENDING: "status = 'PENDING' and expires_at > $6",
  EXPIRED: "(status = 'EXPIRED' or status = 'PENDING' and expires_at <= $6)",
  VERIFIED: "status = 'VERIFIED'",
  FAILED: "status = 'FAILED'"
}

/**
 * One text for each shape of the question. A walk compares whole rows and is ordered by all of them, so that on empty
 * tables, too, no other index will do. What is walked past is narrow; only what is found is read whole. Rows without
 * these columns are of a time before them, and are read whole to be looked at.
 */
export const statement = (asked: ReadonlyArray<Asked>, status: AuthStatus | null): string => {
  const parameter = (name: Asked) => `$${7 + asked.indexOf(name)}`
  const walked = (["canonical", "orderId", "country"] as const).find((name) => asked.includes(name))
  const passing = [
    ...asked.filter((name) => name !== walked).map((name) => `${columns[name]} = ${parameter(name)}`),
    ...(status === null ? [] : [statuses[status]])
  ]
  const order = walked === undefined ? "id desc" : `${walks[walked]} desc, environment desc, id desc`
  const where =
    walked === undefined
      ? "environment = $1"
      : `(${walks[walked]}, environment, id) < (${parameter(walked)}, $1, $2)
        and (${walks[walked]}, environment, id) >= (${parameter(walked)}, $1, $3)${
          walked === "canonical" ? "" : ` and ${walks[walked]} is not null`
        }`
  return `
select w.id, w.passes, w.last, v.state from (
  select id, passes, n = $5 as last from (
    select id, ${passing.length === 0 ? "true" : `(status is null or ${passing.join(" and ")}) is true`} as passes,
      row_number() over (order by ${order})::int as n
    from verification where ${where} and id < $2 and id >= $3 and $6::timestamptz is not null
    order by ${order} limit $5
  ) walked
  where passes or n = $5 limit $4
) w
cross join lateral (select state from verification where environment = $1 and id = w.id offset 0) v`
}

const texts = new Map<string, string>()
const textOf = (asked: ReadonlyArray<Asked>, status: AuthStatus | null) => {
  const key = `${asked.join()} ${status}`
  const known = texts.get(key)
  if (known !== undefined) return known
  const made = statement(asked, status)
  texts.set(key, made)
  return made
}

export const search = Effect.fnUntraced(
  function* (database: PgDatabase["Service"], page: SearchPage) {
    const { before, environment, filter, limit, most, now, since } = page
    const asked = names.filter((name) => filter[name] !== undefined)
    const values = asked.map((name) => filter[name]!)
    if (![environment, before, since, ...values].every(storable)) return nothing
    const rows = yield* database.query(textOf(asked, filter.status ?? null), [
      text(environment),
      text(before),
      text(since),
      int(limit + 1),
      int(most),
      instant(now),
      ...values.map(text)
    ])
    const seen = rows
      .map(([id, , last, state]) => ({
        verification: Verification.decode(environment, id as string, state as string),
        last: last === true
      }))
      .sort((a, b) => (a.verification.id < b.verification.id ? 1 : -1))
    const found = seen.filter(({ verification }) => VerificationSearch.matches(filter, verification, now))
    const goesOn =
      found.length > limit ? found[limit - 1] : rows.length > limit ? seen.at(-1) : seen.find(({ last }) => last)
    return {
      found: found.slice(0, limit).map(({ verification }) => verification),
      after: goesOn?.verification.id ?? null
    } satisfies Searched
  },
  Effect.mapError((failure) => failure.toStoreError("VerificationStore.search"))
)

const nothing: Searched = { found: [], after: null }
