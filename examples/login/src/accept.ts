import type { Verification } from "@countersign/sdk/server"

/** What decides whether somebody may be signed in with a verification. */
export type Status = Pick<Verification, "identityType" | "authStatus" | "verifiedAt" | "deliveries">

/** A verification signs in right after its code was entered, or not at all. */
const freshFor = 2 * 60 * 1000
/** Two machines' clocks rarely agree to the second. */
const skew = 60 * 1000

const isFresh = (verifiedAt: string | null, now: number): boolean => {
  const age = verifiedAt === null ? Number.NaN : now - Date.parse(verifiedAt)
  return age <= freshFor && age >= -skew
}

/** A trusted device needs no code: it is verified from the start, and nothing was sent. */
export const isOneTap = ({ authStatus, deliveries }: Status): boolean =>
  authStatus === "VERIFIED" && deliveries.length === 0

/** Whether this verification signs somebody in at this moment. */
export const maySignIn = (status: Status, now: number): boolean =>
  status.authStatus === "VERIFIED" && isFresh(status.verifiedAt, now)

/**
 * Whether a browser may say that it has just started this verification. One that somebody has verified with a code is
 * not new: whoever brings it now is not the one who asked for it. One that has FAILED signs nobody in: its browser may own
 * it, and is told that nothing could be delivered.
 */
export const isJustStarted = (status: Status, now: number): boolean =>
  status.identityType === "MOBILE" &&
  (status.authStatus === "PENDING" ||
    status.authStatus === "FAILED" ||
    (isOneTap(status) && isFresh(status.verifiedAt, now)))
