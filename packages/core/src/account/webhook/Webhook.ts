import type { EventType } from "../../foundation/event/Event.ts"
import { hours, type Instant } from "../../foundation/time/Instant.ts"

export type WebhookStatus = "ACTIVE" | "DISABLED"

/** Why an endpoint was switched off: it said so, nothing got through for days, or its merchant did it. */
export type DisabledReason = "GONE" | "FAILING" | "MERCHANT"

/** A secret that a rotation has replaced. It signs beside newer ones for a day, however many rotations follow. */
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
  /** Replaced secrets, the latest first. Those whose time is over sign no more. */
  readonly previous: ReadonlyArray<PreviousSecret>
  /** When the first of the tries failed that have failed in a row; null when the last one got through. */
  readonly failingSince: Instant | null
  /** How many they are, as far as it matters: counting stops where an endpoint may be switched off. */
  readonly failures: number
  readonly createdAt: Instant
  /** The key of the job of its latest replay, which may be over; left out where there was none. */
  readonly replay?: string
}

/** An endpoint that was never saved. */
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

/** How many secrets of an endpoint sign at one time, the newest included. */
export const mostSecrets = 4

/** The replaced secrets that still sign. */
export const signing = ({ previous }: Webhook, now: Instant): ReadonlyArray<PreviousSecret> =>
  previous.filter(({ until }) => now < until)

/** When the last of the replaced secrets stops signing; null where the newest signs alone. */
export const retiringAt = (webhook: Webhook, now: Instant): Instant | null => signing(webhook, now)[0]?.until ?? null

/**
 * A new secret in the place of the current one. None that signs is ended before its day is over, or a receiver that has
 * it would refuse what is genuine: so a rotation waits when there are `mostSecrets`, until the instant it answers.
 * `endOthers` is for a secret that leaked: every older one stops signing at once.
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
  failingSince: null,
  failures: 0
})

/** The form a store keeps: JSON of everything but the key, the URL and the version. */
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
