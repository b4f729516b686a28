import type { EventType } from "../event/Event.ts"
import { hours, type Instant } from "../time/Instant.ts"

export type WebhookStatus = "ACTIVE" | "DISABLED"

/** Why an endpoint was switched off: it said so, nothing got through for days, or its merchant did it. */
export type DisabledReason = "GONE" | "FAILING" | "MERCHANT"

/** A secret that a rotation has replaced. It signs beside the new one for a day. */
export interface PreviousSecret {
  readonly sealed: string
  readonly until: Instant
}

/** A merchant's server that wants to hear of events. */
export interface Webhook {
  readonly id: string
  readonly environment: string
  /** The version this state was read at; 0 for one that nobody saved yet. */
  readonly version: number
  readonly url: string
  /** The types it wants; null for all there are and will be. */
  readonly events: ReadonlyArray<EventType> | null
  readonly description: string | null
  readonly status: WebhookStatus
  readonly disabledReason: DisabledReason | null
  /** The secret, encrypted: it must be used again, so it cannot be a hash. */
  readonly sealed: string
  readonly previous: PreviousSecret | null
  /** Since when nothing got through. */
  readonly failingSince: Instant | null
  readonly createdAt: Instant
}

/** How long the replaced secret still signs. */
export const rotationOverlap = hours(24)

/** Whether it is told of events of this type. A test is for the one endpoint that is tried. */
export const wants = ({ events, status }: Webhook, type: EventType): boolean =>
  status === "ACTIVE" && type !== "webhook.test" && (events === null || events.includes(type))

export const disabled = (webhook: Webhook, reason: DisabledReason): Webhook => ({
  ...webhook,
  status: "DISABLED",
  disabledReason: reason
})

/** Switched on, with a clean slate. */
export const enabled = (webhook: Webhook): Webhook => ({
  ...webhook,
  status: "ACTIVE",
  disabledReason: null,
  failingSince: null
})

/** The form a store keeps: JSON of everything but the key, the URL and the version. */
export const encode = ({ environment: _environment, id: _id, url: _url, version: _version, ...state }: Webhook) =>
  JSON.stringify(state)

/** Reads back what `encode` wrote. */
export const decode = (environment: string, id: string, url: string, version: number, text: string): Webhook => ({
  ...(JSON.parse(text) as Omit<Webhook, "environment" | "id" | "url" | "version">),
  environment,
  id,
  url,
  version
})
