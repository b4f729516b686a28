import type { Answer, Item } from "../../api/Api.ts"
import type { Tone } from "../../parts/Pill.tsx"

export type Endpoint = Item<"GET /v1/dashboard/webhooks">
export type Backlog = Answer<"GET /v1/dashboard/webhooks/:id/backlog">
export type Attempt = Item<"GET /v1/dashboard/webhooks/:id/deliveries">
export type SentEvent = Item<"GET /v1/dashboard/webhooks/:id/events">
export type EventName = NonNullable<Endpoint["events"]>[number]

/** All event types that an endpoint can subscribe to, by group. */
export const eventGroups = {
  login: ["otp.initiated", "otp.verified", "otp.expired", "delivery.failed", "delivery.updated", "session.created"],
  talk: ["message.received", "campaign.delivered"],
  service: ["balance.low", "guard.tripped", "guard.blocked", "webhook.disabled"]
} as const satisfies { readonly [group: string]: ReadonlyArray<EventName> }

export type Asked = (typeof eventGroups)[keyof typeof eventGroups][number]
export const eventNames: ReadonlyArray<Asked> = Object.values(eventGroups).flat()

const reasons = { GONE: "GONE", FAILING: "GIVEN_UP", MERCHANT: "SWITCHED_OFF" } as const

/** The key of a status text. The service decides the health; a disabled endpoint also has a reason. */
export type Health = Exclude<Backlog["health"], "DISABLED"> | (typeof reasons)[keyof typeof reasons]

/** Status of an endpoint. Null while it is loading: a disabled endpoint is known at once. */
export const healthOf = (
  { disabledReason, status }: Pick<Endpoint, "disabledReason" | "status">,
  backlog: Pick<Backlog, "health"> | null
): Health | null => {
  if (status === "DISABLED") return reasons[disabledReason ?? "MERCHANT"]
  return backlog === null || backlog.health === "DISABLED" ? null : backlog.health
}

export const toneOf: { readonly [H in Health]: Tone } = {
  NO_EVENT_YET: "plain",
  WORKS: "good",
  WAITING: "warn",
  NOT_DELIVERED: "warn",
  FAILING: "bad",
  GONE: "bad",
  GIVEN_UP: "bad",
  SWITCHED_OFF: "plain"
}

export const stateTones: { readonly [S in SentEvent["state"]]: Tone } = {
  DELIVERED: "good",
  WAITING: "warn",
  FAILED: "bad"
}

/** Outcome of a delivery: `again` will be retried, `failed` was manual and will not. */
export type Outcome = { readonly kind: "delivered" | "again" | "failed" | "dead"; readonly tone: Tone }

export const outcomeOf = ({ nextAttemptAt, status }: Pick<Attempt, "nextAttemptAt" | "status">): Outcome => {
  if (status === "DELIVERED") return { kind: "delivered", tone: "good" }
  if (status === "DEAD") return { kind: "dead", tone: "bad" }
  return nextAttemptAt === null ? { kind: "failed", tone: "bad" } : { kind: "again", tone: "warn" }
}

/** A body formatted for reading: indented JSON, or the text as it is. */
export const pretty = (body: string): string => {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

/** A moment for a datetime-local field, to the minute. */
export const localTime = (at: Date): string =>
  new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)

export type Range =
  | { readonly ok: true; readonly since: string; readonly until: string | null }
  | { readonly ok: false; readonly why: "since" | "order" }

/** The request of a replay. An empty `until` means now. */
export const rangeOf = (since: string, until: string): Range => {
  const [from, to] = [Date.parse(since), until === "" ? null : Date.parse(until)]
  if (Number.isNaN(from)) return { ok: false, why: "since" }
  if (to !== null && (Number.isNaN(to) || to < from)) return { ok: false, why: "order" }
  return { ok: true, since: new Date(from).toISOString(), until: to === null ? null : new Date(to).toISOString() }
}

/** Default start of a replay: when the endpoint began to fail, or one day ago. */
export const replayFrom = (endpoint: Pick<Endpoint, "failingSince">, now: number): string =>
  localTime(new Date(endpoint.failingSince === null ? now - 86_400_000 : Date.parse(endpoint.failingSince) - 60_000))
