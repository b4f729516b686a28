const day = 24 * 3_600_000

/** Whether plain words may be sent to a customer, and for how long: 24 hours after their own latest message. */
export type ReplyWindow =
  | { readonly state: "never" }
  | { readonly state: "over" }
  /** `share`: what is left of the whole, 0 to 1. `soon`: the last two hours. */
  | { readonly state: "open"; readonly left: number; readonly share: number; readonly soon: boolean }

export const replyWindow = (lastInboundAt: string | null, now: number): ReplyWindow => {
  if (lastInboundAt === null) return { state: "never" }
  const left = Date.parse(lastInboundAt) + day - now
  if (!(left > 0)) return { state: "over" }
  return { state: "open", left, share: Math.min(1, left / day), soon: left < 2 * 3_600_000 }
}

/** Hours and minutes of what is left: the minute that has begun counts, so that it never says 0 while it is open. */
export const hoursAndMinutes = (left: number): { readonly hours: number; readonly minutes: number } => {
  const minutes = Math.ceil(left / 60_000)
  return { hours: Math.floor(minutes / 60), minutes: minutes % 60 }
}
