import { Identifier } from "@countersign/core"
import { AuditStore } from "@countersign/core/storage"
import { Effect } from "effect"
import { auditEntry } from "./outboxTables.ts"
import { int, text, texts } from "./parameters.ts"
import { PgDatabase } from "./PgDatabase.ts"
import { queriesOf } from "./storeQueries.ts"

interface Condition {
  readonly where: (parameter: string) => string
  readonly parameter: (filter: AuditStore.Filter) => unknown
}

/** A placeholder for entries without an environment: no environment has this id. */
const none = ""

/** The condition of each filter. Ids contain the time, so `from` and `to` compare ids. */
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

type Asked = Exclude<keyof AuditStore.Filter, "merchantId">

const names = Object.keys(conditions) as ReadonlyArray<Asked>

/** A separate statement text for each combination of filters, so that the cached plan fits every page. */
export const list = (asked: ReadonlyArray<Asked>, after: boolean): string => `
select ${auditEntry.select("a")} from audit a
where merchant_id = $1${asked.map((name, i) => ` and ${conditions[name].where(`$${i + 3}`)}`).join("")}${
  after ? ` and id < $${asked.length + 3}` : ""
}
order by id desc limit $2`

export const make = Effect.map(PgDatabase, (database) => {
  const { rows } = queriesOf(database, "AuditStore")

  return AuditStore.of({
    list: (filter, { after, limit }) => {
      const asked = names.filter((name) => filter[name] !== undefined)
      return rows(
        "list",
        list(asked, after !== null),
        () => [
          text(filter.merchantId),
          int(limit),
          ...asked.map((name) => conditions[name].parameter(filter)),
          ...(after === null ? [] : [text(after)])
        ],
        auditEntry.decode
      )
    }
  })
})
