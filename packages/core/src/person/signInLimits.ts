import type { Place } from "../limit/Limits.ts"
import { placesOfAddress } from "../limit/placesOfAddress.ts"

/** What is limited: asking for a code, and trying to sign in with a code or a provider. */
export type Step = "ask" | "try"

/** How often an hour everybody behind one network does it. */
const ofNetwork = { ask: 60, try: 120 }

/** The places of the network that an address belongs to. */
export const placesOfNetwork = (step: Step, address: string | null): ReadonlyArray<Place> =>
  placesOfAddress(address, { key: `sign-in.${step}`, most: ofNetwork[step], limit: "signIn" })
