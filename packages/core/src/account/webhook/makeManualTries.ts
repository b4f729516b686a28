import { Clock, Effect } from "effect"
import type { Event, EventOf } from "../../foundation/event/Event.ts"
import type { EventStore } from "../../foundation/event/EventStore.ts"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import { auditEntry } from "../../foundation/outbox/AuditEntry.ts"
import type { Outbox } from "../../foundation/outbox/Outbox.ts"
import * as RequestKey from "../../foundation/outbox/RequestKey.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { AuditStore } from "../audit/AuditStore.ts"
import { doneBefore } from "../audit/doneBefore.ts"
import type { Caller } from "../merchant/Caller.ts"
import { seenEvent } from "../merchant/seesIdentities.ts"
import type { Webhook } from "./Webhook.ts"
import { auditActionOf } from "./webhookAudit.ts"
import type { WebhookAttempt } from "./WebhookAttempt.ts"
import { bodyOf, type WebhookDeliveries } from "./WebhookDeliveries.ts"
import { UnknownWebhookDelivery } from "./WebhookError.ts"
import type { WebhookStore } from "./WebhookStore.ts"

/** A try, with the body that was sent; null once its event is too old. */
export interface AttemptWithBody {
  readonly attempt: WebhookAttempt
  readonly body: string | null
}

/** Sends single events immediately, and returns the result. */
export const makeManualTries = ({
  audit,
  deliveries,
  events,
  outbox,
  store
}: {
  readonly audit: AuditStore["Service"]
  readonly deliveries: WebhookDeliveries["Service"]
  readonly events: EventStore["Service"]
  readonly outbox: Outbox["Service"]
  readonly store: WebhookStore["Service"]
}) => {
  const eventOf = (caller: Caller, { eventId }: WebhookAttempt) => events.get(caller.environment, eventId)

  const attemptOf = Effect.fnUntraced(function* (caller: Caller, webhook: Webhook, deliveryId: string) {
    const attempt = Identifier.is("dlv", deliveryId) ? yield* store.attempt(caller.environment, deliveryId) : null
    return attempt === null || attempt.webhookId !== webhook.id ? yield* new UnknownWebhookDelivery() : attempt
  })

  /** The body that was sent, as the caller may see it. */
  const seenBody = (caller: Caller, event: Event) => bodyOf({ event: seenEvent(caller, event), kind: caller.kind })

  /** Sends now. A repeated request returns the logged try. A try that died before it was logged is made again. */
  const sendNow = Effect.fnUntraced(function* (caller: Caller, webhook: Webhook, event: Event, number: number) {
    const id = yield* RequestKey.idFor("dlv", yield* Clock.currentTimeMillis)
    const attempt = yield* RequestKey.once(
      store.attempt(caller.environment, id),
      deliveries.send({ webhook, event, kind: caller.kind }, number, id)
    )
    return { attempt, body: seenBody(caller, event) }
  })

  const test = Effect.fnUntraced(function* (caller: Caller, webhook: Webhook) {
    const now = yield* Clock.currentTimeMillis
    const newEvent: EventOf<"webhook.test"> = {
      id: yield* RequestKey.idFor("evt", now),
      environment: caller.environment,
      type: "webhook.test",
      createdAt: now,
      data: { webhookId: webhook.id, message: "This is a test" }
    }
    const recorded = events.get(caller.environment, newEvent.id)
    const event = yield* RequestKey.once<Event, StoreError, never, StoreError, never>(
      recorded,
      Effect.as(outbox.append({ events: [newEvent] }), newEvent)
    )
    return yield* sendNow(caller, webhook, event, 1)
  })

  const delivery = Effect.fnUntraced(function* (caller: Caller, webhook: Webhook, deliveryId: string) {
    const attempt = yield* attemptOf(caller, webhook, deliveryId)
    const event = yield* eventOf(caller, attempt)
    return { attempt, body: event === null ? null : seenBody(caller, event) }
  })

  const redeliver = Effect.fnUntraced(function* (caller: Caller, webhook: Webhook, deliveryId: string) {
    const attempt = yield* attemptOf(caller, webhook, deliveryId)
    const event = yield* eventOf(caller, attempt)
    if (event === null) return yield* new UnknownWebhookDelivery()
    const auditAction = {
      ...auditActionOf("webhook.redelivered", webhook),
      to: { deliveryId, eventId: event.id }
    }
    const entry = auditEntry(caller, auditAction, yield* Clock.currentTimeMillis)
    if ((yield* doneBefore(audit, caller.merchantId)) === null) {
      yield* outbox.append({ audited: yield* RequestKey.marked([entry]) })
    }
    return yield* sendNow(caller, webhook, event, attempt.attempt + 1)
  })

  return { delivery, redeliver, test }
}
