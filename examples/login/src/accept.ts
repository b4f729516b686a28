import type { Verification } from "@countersign/sdk/server"

/** The fields that decide whether a verification may sign in. */
export type Status = Pick<Verification, "identityType" | "authStatus" | "verifiedAt" | "deliveries">

/** A verification can sign in only right after its code was entered. */
const freshFor = 2 * 60 * 1000
/** The clocks of two machines may differ by some seconds. */
const skew = 60 * 1000

const isFresh = (verifiedAt: string | null, now: number): boolean => {
  const age = verifiedAt === null ? Number.NaN : now - Date.parse(verifiedAt)
  return age <= freshFor && age >= -skew
}

/** A trusted device needs no code: its verification is verified from the start, and nothing was sent. */
export const isOneTap = ({ authStatus, deliveries }: Status): boolean =>
  authStatus === "VERIFIED" && deliveries.length === 0

/** Whether this verification may sign in now. */
export const maySignIn = (status: Status, now: number): boolean =>
  status.authStatus === "VERIFIED" && isFresh(status.verifiedAt, now)

/**
 * Whether a browser may claim that it just started this verification. A verification that is verified by a code is not
 * new, so the browser that sends it now did not request it. A FAILED one can never sign in, so its browser may own it and
 * learn that nothing could be delivered.
 */
export const isJustStarted = (status: Status, now: number): boolean =>
  status.identityType === "MOBILE" &&
  (status.authStatus === "PENDING" ||
    status.authStatus === "FAILED" ||
    (isOneTap(status) && isFresh(status.verifiedAt, now)))
