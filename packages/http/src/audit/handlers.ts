import { Audit, type Caller, Instant } from "@countersign/core"
import { Effect } from "effect"
import type { Handlers } from "../Handlers.ts"
import { page } from "../page.ts"
import { prefersCsv } from "../csv/csv.ts"
import { type Columns, csvFile, pagesOf } from "../csv/csvFile.ts"
import { makeExports } from "../csv/makeExports.ts"
import type { AuditAnswer, AuditApi } from "./contract.ts"

const pageSize = 50

const shownChange = ({ actor, address, at, from, id, to }: Audit.View) => ({
  id,
  at: Instant.toIso(at),
  actor,
  address,
  from,
  to
})

const shown = (entry: Audit.View) => ({
  ...shownChange(entry),
  environment: entry.environment,
  action: entry.action,
  target: entry.target
})

interface Paged {
  readonly cursor?: string
  readonly limit?: number
}

export const auditAsked = ({ cursor, limit = pageSize }: Paged) => ({ after: cursor ?? null, limit })

interface AuditList {
  readonly items: ReadonlyArray<typeof AuditAnswer.Type>
  readonly nextCursor: string | null
}

/** A page of entries, in the form of the contract. */
export const auditPage = ({ items, nextCursor }: Audit.Page): AuditList => ({ items: items.map(shown), nextCursor })

type Query = Parameters<Audit["Service"]["list"]>[1] & Paged

const rowsAtOnce = 1_000

const json = (fields: object | null) => (fields === null ? null : JSON.stringify(fields))

const columns: Columns<typeof AuditAnswer.Type> = {
  id: ({ id }) => id,
  at: ({ at }) => at,
  actorKind: ({ actor }) => actor.kind,
  actorId: ({ actor }) => actor.id,
  actor: ({ actor }) => actor.label,
  address: ({ address }) => address,
  environment: ({ environment }) => environment,
  action: ({ action }) => action,
  targetKind: ({ target }) => target.kind,
  targetId: ({ target }) => target.id,
  from: ({ from }) => json(from),
  to: ({ to }) => json(to)
}

/** Answers `/v1/dashboard/audit` and the history of settings. */
export const make = Effect.gen(function* () {
  const audit = yield* Audit
  const exports = yield* makeExports

  const file = Effect.fnUntraced(function* (caller: Caller, { cursor: _, limit: __, ...query }: Query) {
    const load = (cursor: string | undefined) => {
      const paged = { limit: rowsAtOnce, ...(cursor === undefined ? {} : { cursor }) }
      return Effect.map(audit.page(caller, query, auditAsked(paged)), auditPage)
    }
    // A wrong filter is refused before the export is recorded.
    yield* audit.list(caller, query, { after: null, limit: 1 })
    yield* exports.recorded(caller, "audit", query)
    return csvFile("audit-log", columns, pagesOf(load))
  })

  const handlers: Handlers<typeof AuditApi> = {
    list: ({ accept = null, caller, query }) =>
      prefersCsv(accept) ? file(caller, query) : Effect.map(audit.page(caller, query, auditAsked(query)), auditPage),
    settings: ({ caller, query }) =>
      Effect.map(
        // One entry more than the page, to know whether there is another page.
        audit.settings(caller, { after: query.cursor ?? null, limit: (query.limit ?? pageSize) + 1 }),
        (found) => page(found, query.limit ?? pageSize, shownChange)
      )
  }
  return handlers
})
