import { type AuditEntry, type AuditFilter, AuditStore } from "@countersign/core/storage"
import { Effect } from "effect"
import { PgDatabase, type Row } from "./PgDatabase.ts"
import { int, storable, text } from "./parameters.ts"

/** By the name of what a list may be asked for, its condition. */
const conditions = {
  environment: (parameter: string) => `(environment is null or environment = ${parameter})`,
  action: (parameter: string) => `action = ${parameter}`,
  actorId: (parameter: string) => `actor_id = ${parameter}`,
  targetId: (parameter: string) => `target_id = ${parameter}`
} as const

type Asked = keyof typeof conditions

const names = Object.keys(conditions) as ReadonlyArray<Asked>

/** One text for each shape of the question: only so is the plan the right one for every page. */
export const list = (asked: ReadonlyArray<Asked>, after: boolean): string => `
select id, environment, at, action, entry from audit
where merchant_id = $1${asked.map((name, i) => ` and ${conditions[name](`$${i + 3}`)}`).join("")}${
  after ? ` and id < $${asked.length + 3}` : ""
}
order by id desc limit $2`

/** What of an entry is no column. */
type Rest = Omit<AuditEntry, "id" | "merchantId" | "environment" | "at" | "action">

export const encodeEntry = ({ actor, address, from, target, to }: AuditEntry): string =>
  JSON.stringify({ actor, address, target, from, to } satisfies Rest)

const decode = (merchantId: string, [id, environment, at, action, entry]: Row): AuditEntry => ({
  id: id as string,
  merchantId,
  environment: environment as string | null,
  at: (at as Date).getTime(),
  action: action as string,
  ...(JSON.parse(entry as string) as Rest)
})

export const make = Effect.gen(function* () {
  const database = yield* PgDatabase

  return AuditStore.of({
    list: Effect.fnUntraced(
      function* (filter: AuditFilter, { after, limit }) {
        const asked = names.filter((name) => filter[name] !== undefined)
        const values = [filter.merchantId, ...asked.map((name) => filter[name]!), ...(after === null ? [] : [after])]
        if (!values.every(storable)) return []
        const [merchantId, ...others] = values
        const rows = yield* database.query(list(asked, after !== null), [
          text(merchantId!),
          int(limit),
          ...others.map(text)
        ])
        return rows.map((row) => decode(filter.merchantId, row))
      },
      Effect.mapError((failure) => failure.toStoreError("AuditStore.list"))
    )
  })
})
