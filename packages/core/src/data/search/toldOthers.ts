import type { Event } from "../../foundation/event/Event.ts"
import { toIsoOrNull } from "../../foundation/time/Instant.ts"
import type { TimelineItem } from "../../auth/verification/timeline.ts"
import type { WebhookAttempt } from "../../account/webhook/WebhookAttempt.ts"

type Item = Omit<TimelineItem, "sinceStartMs">

export const eventItem = ({ createdAt, id, type }: Event): Item => ({
  at: createdAt,
  kind: "EVENT",
  reason: `${type} was recorded, for the list of events and for webhooks`,
  data: { eventId: id, type }
})

export const webhookItem = ({
  attempt,
  createdAt,
  durationMs,
  error,
  eventId,
  eventType,
  id,
  nextAttemptAt,
  responseStatus,
  status,
  webhookId
}: WebhookAttempt): Item => {
  const answered =
    responseStatus === null ? `no answer: ${error ?? "no reason is known"}` : `answered ${responseStatus}`
  const next = toIsoOrNull(nextAttemptAt)
  const then =
    status === "DELIVERED" ? "" : next === null ? "; not tried again" : `; tried again at ${next.slice(11, 19)}`
  return {
    at: createdAt,
    kind: "WEBHOOK_TRIED",
    reason: `${eventType}, try ${attempt}: ${answered} in ${durationMs} ms${then}`,
    data: { webhookId, deliveryId: id, eventId, attempt, status, responseStatus, durationMs, nextAttemptAt: next }
  }
}
