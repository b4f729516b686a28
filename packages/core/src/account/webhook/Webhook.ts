import type { EventType } from "../../foundation/event/Event.ts"
import type { Secrets } from "../../foundation/secret/rotation.ts"
import type { Instant } from "../../foundation/time/Instant.ts"

export { retiringAt } from "../../foundation/secret/rotation.ts"

export type WebhookStatus = "ACTIVE" | "DISABLED"

/** Why an endpoint was disabled: it returned 410, no delivery got through for days, or its merchant disabled it. */
export type DisabledReason = "GONE" | "FAILING" | "MERCHANT"

/** A merchant's server that receives events. */
export interface Webhook extends Secrets {
  readonly id: string
  readonly environment: string
  /** The version this state was read at; 0 before the first save. */
  readonly version: number
  readonly url: string
  /** The event types it receives; null for all present and future types. */
  readonly events: ReadonlyArray<EventType> | null
  readonly description: string | null
  readonly status: WebhookStatus
  readonly disabledReason: DisabledReason | null
  /** When the current run of failures began; null when the last try got through. */
  readonly failingSince: Instant | null
  /** The length of the current run of failures. Counting stops where the endpoint may be disabled. */
  readonly failures: number
  readonly createdAt: Instant
  /** The job key of the latest replay, which may be over; absent when there was no replay. */
  readonly replay?: string
}

/** An endpoint before its first save. */
export const newWebhook = (
  own: Pick<Webhook, "id" | "environment" | "url" | "events" | "description" | "sealed" | "createdAt">
): Webhook => ({
  ...own,
  version: 0,
  status: "ACTIVE",
  disabledReason: null,
  previous: [],
  failingSince: null,
  failures: 0
})

/** Whether it receives events of this type. A test event goes only to the endpoint under test. */
export const wants = ({ events, status }: Webhook, type: EventType): boolean =>
  status === "ACTIVE" && type !== "webhook.test" && (events === null || events.includes(type))

export const disabled = (webhook: Webhook, reason: DisabledReason): Webhook => ({
  ...webhook,
  status: "DISABLED",
  disabledReason: reason
})

/** Enables the endpoint and clears its failures. */
export const enabled = (webhook: Webhook): Webhook => ({
  ...webhook,
  status: "ACTIVE",
  disabledReason: null,
  failingSince: null,
  failures: 0
})

/** The form that a store keeps: JSON of everything except the key, the URL and the version. */
export const encode = ({
  environment: _environment,
  id: _id,
  url: _url,
  version: _version,
  ...state
}: Webhook): string => JSON.stringify(state)

/** Reads back what `encode` wrote. */
export const decode = (environment: string, id: string, url: string, version: number, text: string): Webhook => ({
  ...(JSON.parse(text) as Omit<Webhook, "environment" | "id" | "url" | "version">),
  environment,
  id,
  url,
  version
})
