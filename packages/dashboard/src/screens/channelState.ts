import type { Answer } from "../api/Api.ts"

export type Channel = Answer<"GET /v1/dashboard/channels">["items"][number]
/** The inputs of a channel's state. */
export type Seen = Pick<Channel, "breaker" | "enabled" | "oldestWaitingAt" | "waiting">

/** A channel's state. The first of five that applies. */
export type ChannelState =
  | { readonly kind: "off" }
  | { readonly kind: "resting"; readonly until: string | null }
  | { readonly kind: "trying" }
  | { readonly kind: "late"; readonly count: number; readonly since: string }
  | { readonly kind: "working" }

/** Messages are usually sent within a second. Anything due longer is delayed. */
const patience = 30_000

export const channelStateOf = ({ breaker, enabled, oldestWaitingAt, waiting }: Seen, now: number): ChannelState => {
  if (!enabled) return { kind: "off" }
  if (breaker.state === "OPEN") return { kind: "resting", until: breaker.until }
  if (breaker.state === "HALF_OPEN") return { kind: "trying" }
  if (waiting > 0 && oldestWaitingAt !== null && now - Date.parse(oldestWaitingAt) > patience)
    return { kind: "late", count: waiting, since: oldestWaitingAt }
  return { kind: "working" }
}
