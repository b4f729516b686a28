import { Effect } from "effect"
import type { Limits, Place } from "../../foundation/limit/Limits.ts"
import { placesOfAddress } from "../../foundation/limit/placesOfAddress.ts"
import * as SecretHash from "../../foundation/secret/SecretHash.ts"

/** What is limited: asking for a code, and trying to sign in with a code or a provider. */
export type Step = "ask" | "try"

/** How often an hour everybody behind one network does it. */
const ofNetwork = { ask: 60, try: 120 }
/** How often an hour it is done for one address, by all browsers together that have not asked for a code before. */
const ofAddress = { ask: 5, try: 30 }
/** How often an hour a browser does it that has asked within the hour, whatever others do for the same address. */
const ofBrowser = { ask: 3, try: 5 }

/** Who asks for a code, or tries one: the address, and the nonce of the browser that has asked for it before. */
export interface Asker {
  readonly canonical: string
  readonly nonce: string | null
}

/** The places of the network that an address belongs to. */
export const placesOfNetwork = (step: Step, address: string | null): ReadonlyArray<Place> =>
  placesOfAddress(address, { key: `sign-in.${step}`, most: ofNetwork[step], limit: "signIn" })

/** The place of the browser that has asked before, or else of all others that ask for the address. */
export const placeOfAsker = (step: Step, { canonical, nonce }: Asker): Place => ({
  key: nonce === null ? `sign-in.${step}:of:${canonical}` : `sign-in.${step}:by:${SecretHash.hash(nonce)}`,
  most: (nonce === null ? ofAddress : ofBrowser)[step],
  limit: step === "ask" ? "signInCodes" : "signIn",
  countedIn: "storage"
})

/** Gives back what the browser of a sign-in took when it asked for codes, and when it asked first. */
export const giveBackTo = (limits: Limits["Service"], environment: string, asker: Asker) =>
  Effect.forEach(
    [placeOfAsker("ask", asker), placeOfAsker("ask", { ...asker, nonce: null })],
    ({ key }) => limits.giveBack(environment, key),
    { discard: true }
  )
