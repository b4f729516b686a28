import { sayOf, word } from "./deviceWords.ts"
import { labelOf } from "./deviceLabel.ts"
import { mask } from "../../foundation/identity/Identity.ts"
import type { Settings } from "../../account/merchant/Settings.ts"
import type { MasterKey } from "../../foundation/secret/Keyring.ts"
import * as MatchNumber from "../../foundation/secret/MatchNumber.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { LinkVerification } from "./Verification.ts"

/** What a link's page says about the login that it would approve. */
export interface LinkView {
  readonly brand: string
  /** The language that the merchant writes in. */
  readonly locale: string
  /** Whose login it is, as far as whoever holds the link may read it: `+91******3210`. */
  readonly identity: string
  /** "Pixel 8, Android 15", as far as the app or page said so. */
  readonly device: string | null
  /** "Pune, India", as far as the app or page said so. */
  readonly place: string | null
  /** How long ago somebody wanted to sign in. */
  readonly secondsAgo: number
  /** The five numbers to choose from; null where none are asked for. */
  readonly numbers: ReadonlyArray<string> | null
  /** Whether an approval leaves for the merchant's own page. */
  readonly isReturning: boolean
}

/** Where a login was asked for, in the words of whoever asked: "Pune, Maharashtra, India". Null when they said nothing. */
const placeOf = (deviceInfo: string | null): string | null => {
  if (deviceInfo === null) return null
  const { city, country, place, region } = JSON.parse(deviceInfo) as { readonly [name: string]: unknown }
  const named = word(place)
  return sayOf(named.length > 0 ? named : [...word(city), ...word(region), ...word(country)])
}

export const viewOf = (
  { createdAt, deviceInfo, handover, id, identity, matchesNumbers }: LinkVerification,
  key: MasterKey,
  { brand, locale }: Settings,
  now: Instant
): LinkView => ({
  brand,
  locale,
  identity: mask(identity.type, identity.canonical),
  device: labelOf(deviceInfo),
  place: placeOf(deviceInfo),
  secondsAgo: Math.max(0, Math.floor((now - createdAt) / 1000)),
  numbers: matchesNumbers === true ? MatchNumber.choices(key, id).offered : null,
  isReturning: handover.redirectUri !== null
})
