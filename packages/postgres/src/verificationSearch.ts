import { Verification } from "@countersign/core"
import { type Searched, type SearchPage, type StoreError, VerificationSearch } from "@countersign/core/storage"
import { Effect } from "effect"
import type { PgDatabase } from "./PgDatabase.ts"
import { instant, int, text, texts } from "./parameters.ts"
import { queriesOf } from "./storeQueries.ts"

/** The index to scan: that of the first requested filter here, or else that of the ids. */
const walks = { canonical: "canonical", orderId: "order_id", country: "country" } as const
/** The columns that the scan checks. */
const columns = { canonical: "canonical", orderId: "order_id", country: "country", channel: "channel" } as const

type AuthStatus = Verification.AuthStatus
type Asked = keyof typeof columns
const names = Object.keys(columns) as ReadonlyArray<Asked>

/** `$6` is now. A verification past its expiry reads EXPIRED, even if its row says PENDING. */
const statuses: { readonly [S in AuthStatus]: string } = {
  PENDING: "status = 'PENDING' and expires_at > $6",
  EXPIRED: "(status = 'EXPIRED' or status = 'PENDING' and expires_at <= $6)",
  VERIFIED: "status = 'VERIFIED'",
  FAILED: "status = 'FAILED'"
}

/** The filters that no column holds alone. */
interface Also {
  readonly tag?: boolean
  readonly guard?: boolean
  readonly outcome?: boolean
  readonly relayed?: boolean
}

/**
 * A separate statement text for each combination of filters. A scan compares and sorts by all columns of its index, so
 * that Postgres chooses that index on empty tables too. The scan reads few columns; only matches are read completely.
 */
export const statement = (
  asked: ReadonlyArray<Asked>,
  status: AuthStatus | null,
  { guard = false, outcome = false, relayed = false, tag = false }: Also = {}
): string => {
  const parameter = (name: Asked) => `$${7 + asked.indexOf(name)}`
  const walked = (["canonical", "orderId", "country"] as const).find((name) => asked.includes(name))
  const passing = [
    ...asked.filter((name) => name !== walked).map((name) => `${columns[name]} = ${parameter(name)}`),
    ...(status === null ? [] : [statuses[status]]),
    ...(outcome ? [`outcome = any($${7 + asked.length})`] : []),
    // Tags and the guard's reasons are in the state alone, because few verifications have any. The scan looks for their
    // text; `matches` then decides. Postgres cannot parse a state with an escaped U+0000.
    ...[tag, guard]
      .filter((isWanted) => isWanted)
      .map((_, n) => `strpos(state, $${7 + asked.length + (outcome ? 1 : 0) + n}) > 0`),
    // Few verifications are relayed. All others are left to `matches`, because a tag may contain the same text.
    ...(relayed ? [`strpos(state, '"kind":"Relayed"') > 0`] : [])
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
    select id, ${passing.length === 0 ? "true" : `(${passing.join(" and ")}) is true`} as passes,
      row_number() over (order by ${order})::int as n
    from verification where ${where} and id < $2 and id >= $3 and $6::timestamptz is not null
    order by ${order} limit $5
  ) walked
  where passes or n = $5 limit $4
) w
cross join lateral (select state from verification where environment = $1 and id = w.id offset 0) v`
}

/** A reason of the guard as it stands in a verification's state. */
const judgedAs = (reason: string): string => `"reason":${JSON.stringify(reason)}`

/** A tag as it stands in a verification's state. */
const writtenAs = ({ name, value }: VerificationSearch.Tag): string =>
  `${JSON.stringify(name)}:${JSON.stringify(value)}`

const statements = new Map<string, string>()
const textOf = (asked: ReadonlyArray<Asked>, status: AuthStatus | null, also: Required<Also>) => {
  const key = `${asked.join()} ${status} ${also.tag} ${also.guard} ${also.outcome} ${also.relayed}`
  const known = statements.get(key)
  if (known !== undefined) return known
  const made = statement(asked, status, also)
  statements.set(key, made)
  return made
}

export const search = (database: PgDatabase["Service"], page: SearchPage): Effect.Effect<Searched, StoreError> => {
  const { before, environment, filter, limit, most, now, since } = page
  const asked = names.filter((name) => filter[name] !== undefined)
  const seen = queriesOf(database, "VerificationStore").rows(
    "search",
    textOf(asked, filter.status ?? null, {
      tag: filter.tag !== undefined,
      guard: filter.guard !== undefined,
      outcome: filter.outcomes !== undefined,
      relayed: filter.relayed === true
    }),
    () => [
      text(environment),
      text(before),
      text(since),
      int(limit + 1),
      int(most),
      instant(now),
      ...asked.map((name) => text(filter[name]!)),
      ...(filter.outcomes === undefined ? [] : [texts(filter.outcomes)]),
      ...(filter.tag === undefined ? [] : [text(writtenAs(filter.tag))]),
      ...(filter.guard === undefined ? [] : [text(judgedAs(filter.guard))])
    ],
    ([id, , last, state]) => ({
      verification: Verification.decode(environment, id as string, state as string),
      last: last === true
    })
  )
  return Effect.map(seen, (rows) => {
    const sorted = rows.toSorted((a, b) => (a.verification.id < b.verification.id ? 1 : -1))
    const found = sorted.filter(({ verification }) => VerificationSearch.matches(filter, verification, now))
    const goesOn =
      found.length > limit ? found[limit - 1] : rows.length > limit ? sorted.at(-1) : sorted.find(({ last }) => last)
    return {
      found: found.slice(0, limit).map(({ verification }) => verification),
      after: goesOn?.verification.id ?? null
    }
  })
}
