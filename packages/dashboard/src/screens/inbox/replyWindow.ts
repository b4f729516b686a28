const day = 24 * 3_600_000

/** The 24-hour reply window after a customer's latest message, in which free text is allowed. */
export type ReplyWindow =
  | { readonly state: "never" }
  | { readonly state: "over" }
  /** `share`: remaining part, 0 to 1. `soon`: less than two hours left. */
  | { readonly state: "open"; readonly left: number; readonly share: number; readonly soon: boolean }

export const replyWindow = (lastInboundAt: string | null, now: number): ReplyWindow => {
  if (lastInboundAt === null) return { state: "never" }
  const left = Date.parse(lastInboundAt) + day - now
  if (!(left > 0)) return { state: "over" }
  return { state: "open", left, share: Math.min(1, left / day), soon: left < 2 * 3_600_000 }
}

/** Remaining hours and minutes, rounded up, so that an open window never shows 0. */
export const hoursAndMinutes = (left: number): { readonly hours: number; readonly minutes: number } => {
  const minutes = Math.ceil(left / 60_000)
  return { hours: Math.floor(minutes / 60), minutes: minutes % 60 }
}
