import type { EventType } from "../../foundation/event/Event.ts"
import { hours, type Instant } from "../../foundation/time/Instant.ts"

export type WebhookStatus = "ACTIVE" | "DISABLED"

/** Why an endpoint was disabled: it returned 410, no delivery got through for days, or its merchant disabled it. */
export type DisabledReason = "GONE" | "FAILING" | "MERCHANT"

/** A secret that a rotation replaced. It signs beside newer ones for a day, however many rotations follow. */
export interface PreviousSecret {
  readonly sealed: string
  readonly until: Instant
}

/** A merchant's server that receives events. */
export interface Webhook {
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
  /** The secret, encrypted. A hash does not suffice, because signing needs the secret itself. */
  readonly sealed: string
  /** Replaced secrets, the latest first. Expired ones no longer sign. */
  readonly previous: ReadonlyArray<PreviousSecret>
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

/** How long the replaced secret still signs. */
export const rotationOverlap = hours(24)

/** How many secrets of an endpoint sign at the same time, including the newest. */
export const mostSecrets = 4

/** The replaced secrets that still sign. */
export const signing = ({ previous }: Webhook, now: Instant): ReadonlyArray<PreviousSecret> =>
  previous.filter(({ until }) => now < until)

/** When the last of the replaced secrets stops signing; null when only the newest signs. */
export const retiringAt = (webhook: Webhook, now: Instant): Instant | null => signing(webhook, now)[0]?.until ?? null

/**
 * Replaces the current secret with a new one. A signing secret never ends before its day is over, because a receiver
 * that still uses it would reject genuine events. So when there are already `mostSecrets`, a rotation has to wait, and
 * the result is the instant to wait for.
 *
 * `endOthers` is for a leaked secret: every older secret stops signing immediately.
 */
export const rotated = (
  webhook: Webhook,
  sealed: string,
  now: Instant,
  endOthers: boolean
): { readonly _tag: "Rotated"; readonly webhook: Webhook } | { readonly _tag: "Full"; readonly until: Instant } => {
  if (endOthers) return { _tag: "Rotated", webhook: { ...webhook, sealed, previous: [] } }
  const live = signing(webhook, now)
  const oldest = live.at(-1)
  if (oldest !== undefined && live.length + 2 > mostSecrets) return { _tag: "Full", until: oldest.until }
  const previous = [{ sealed: webhook.sealed, until: now + rotationOverlap }, ...live]
  return { _tag: "Rotated", webhook: { ...webhook, sealed, previous } }
}

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
