import { Effect } from "effect"
import type { Limits, Place } from "../../foundation/limit/Limits.ts"
import { placesOfAddress } from "../../foundation/limit/placesOfAddress.ts"
import * as SecretHash from "../../foundation/secret/SecretHash.ts"

/** The limited actions: requesting a code, and trying to sign in with a code or a provider. */
export type Step = "ask" | "try"

/** The hourly limit of a network. */
const ofNetwork = { ask: 60, try: 120 }
/** The hourly limit of an address, for all browsers together that have not requested a code before. */
const ofAddress = { ask: 5, try: 30 }
/** The hourly limit of a browser that requested a code within the hour, independent of others for the same address. */
const ofBrowser = { ask: 3, try: 5 }

/** The requester: the address, and the nonce of a browser that requested a code before. */
export interface Asker {
  readonly canonical: string
  readonly nonce: string | null
}

/** The rate-limit places of an address's network. */
export const placesOfNetwork = (step: Step, address: string | null): ReadonlyArray<Place> =>
  placesOfAddress(address, { key: `sign-in.${step}`, most: ofNetwork[step], limit: "signIn" })

/** The rate-limit place of a returning browser, or the shared place of all others for the address. */
export const placeOfAsker = (step: Step, { canonical, nonce }: Asker): Place => ({
  key: nonce === null ? `sign-in.${step}:of:${canonical}` : `sign-in.${step}:by:${SecretHash.hash(nonce)}`,
  most: (nonce === null ? ofAddress : ofBrowser)[step],
  limit: step === "ask" ? "signInCodes" : "signIn",
  countedIn: "storage"
})

/** Refunds the limits that a signed-in browser used for its code requests, including the first. */
export const giveBackTo = (limits: Limits["Service"], environment: string, asker: Asker) =>
  Effect.forEach(
    [placeOfAsker("ask", asker), placeOfAsker("ask", { ...asker, nonce: null })],
    ({ key }) => limits.giveBack(environment, key),
    { discard: true }
  )
