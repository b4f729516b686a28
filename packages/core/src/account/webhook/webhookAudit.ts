import type { AuditFields, Deed } from "../../foundation/outbox/AuditEntry.ts"
import type { Webhook } from "./Webhook.ts"

/** The part of an endpoint that history entries may show: everything except its secret. */
export const auditFieldsOf = ({ description, events, status, url }: Webhook): AuditFields => ({
  url,
  events,
  description,
  status
})

export const auditActionOf = (action: string, { id }: Webhook): Deed => ({ action, target: { kind: "webhook", id } })
