import { Audit, Instant } from "@countersign/core"
import { Effect } from "effect"
import type { Handlers } from "../Handlers.ts"
import { page } from "../page.ts"
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

/** Requests one entry more than the page size, to know whether there is another page. */
export const auditAsked = ({ cursor, limit = pageSize }: Paged) => ({ after: cursor ?? null, limit: limit + 1 })

interface AuditList {
  readonly items: ReadonlyArray<typeof AuditAnswer.Type>
  readonly nextCursor: string | null
}

/** A page of entries, in the form of the contract. */
export const auditPage = ({ limit = pageSize }: Paged, found: ReadonlyArray<Audit.View>): AuditList =>
  page(found, limit, shown)

/** Answers `/v1/dashboard/audit` and the history of settings. */
export const make = Effect.gen(function* () {
  const audit = yield* Audit
  const handlers: Handlers<typeof AuditApi> = {
    list: ({ caller, query }) =>
      Effect.map(audit.list(caller, query, auditAsked(query)), (found) => auditPage(query, found)),
    settings: ({ caller, query }) =>
      Effect.map(audit.settings(caller, auditAsked(query)), (found) =>
        page(found, query.limit ?? pageSize, shownChange)
      )
  }
  return handlers
})
