import { Identifier } from "@countersign/core"
import { type AuditEntry, type AuditFilter, AuditStore } from "@countersign/core/storage"
import { Effect } from "effect"
import { PgDatabase, type Row } from "./PgDatabase.ts"
import { int, storable, text, texts } from "./parameters.ts"

interface Condition {
  readonly where: (parameter: string) => string
  readonly parameter: (filter: AuditFilter) => unknown
}

/** No environment has this id: it stands for none. */
const none = ""

/** By the name of what a list may be asked for, its condition. Times are in the ids. */
const conditions: { readonly [N in Asked]: Condition } = {
  environments: {
    where: ($) => `coalesce(environment, '${none}') = any(${$}::text[])`,
    parameter: ({ environments = [] }) => texts(environments.map((one) => one ?? none))
  },
  action: { where: ($) => `action = ${$}`, parameter: ({ action = "" }) => text(action) },
  actor: { where: ($) => `actor_id = ${$}`, parameter: ({ actor = "" }) => text(actor) },
  targetId: { where: ($) => `target_id = ${$}`, parameter: ({ targetId = "" }) => text(targetId) },
  from: { where: ($) => `id >= ${$}`, parameter: ({ from = 0 }) => text(Identifier.first("aud", from)) },
  to: { where: ($) => `id < ${$}`, parameter: ({ to = 0 }) => text(Identifier.first("aud", to)) }
}

type Asked = Exclude<keyof AuditFilter, "merchantId">

const names = Object.keys(conditions) as ReadonlyArray<Asked>

/** One text for each shape of the question: only so is the plan the right one for every page. */
export const list = (asked: ReadonlyArray<Asked>, after: boolean): string => `
select id, environment, at, action, entry from audit
where merchant_id = $1${asked.map((name, i) => ` and ${conditions[name].where(`$${i + 3}`)}`).join("")}${
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
        const { action = "", actor = "", merchantId, targetId = "" } = filter
        if (![merchantId, action, actor, targetId, after ?? ""].every(storable)) return []
        const rows = yield* database.query(list(asked, after !== null), [
          text(merchantId),
          int(limit),
          ...asked.map((name) => conditions[name].parameter(filter)),
          ...(after === null ? [] : [text(after)])
        ])
        return rows.map((row) => decode(filter.merchantId, row))
      },
      Effect.mapError((failure) => failure.toStoreError("AuditStore.list"))
    )
  })
})
