import type { Answer } from "../api/Api.ts"

export type Channel = Answer<"GET /v1/dashboard/channels">["items"][number]
/** What its state is decided by. */
export type Seen = Pick<Channel, "breaker" | "enabled" | "oldestWaitingAt" | "waiting">

/** What a channel is doing, in one of five ways; the first that holds is the one to say. */
export type ChannelState =
  | { readonly kind: "off" }
  | { readonly kind: "resting"; readonly until: string | null }
  | { readonly kind: "trying" }
  | { readonly kind: "late"; readonly count: number; readonly since: string }
  | { readonly kind: "working" }

/** A message is as a rule sent within a second. What is due for longer waits for something. */
const patience = 30_000

export const channelStateOf = ({ breaker, enabled, oldestWaitingAt, waiting }: Seen, now: number): ChannelState => {
  if (!enabled) return { kind: "off" }
  if (breaker.state === "OPEN") return { kind: "resting", until: breaker.until }
  if (breaker.state === "HALF_OPEN") return { kind: "trying" }
  if (waiting > 0 && oldestWaitingAt !== null && now - Date.parse(oldestWaitingAt) > patience)
    return { kind: "late", count: waiting, since: oldestWaitingAt }
  return { kind: "working" }
}
