import { sayOf, word } from "./deviceWords.ts"
import { labelOf } from "./deviceLabel.ts"
import { mask } from "../../foundation/identity/Identity.ts"
import type { Settings } from "../../account/merchant/Settings.ts"
import type { MasterKey } from "../../foundation/secret/Keyring.ts"
import * as MatchNumber from "../../foundation/secret/MatchNumber.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { LinkVerification } from "./Verification.ts"

/** What a link's page shows about the login that it approves. */
export interface LinkView {
  readonly brand: string
  readonly brandColor: string | null
  /** The merchant's logo as a `data:` URL. */
  readonly brandLogo: string | null
  /** The merchant's language. */
  readonly locale: string
  /** The masked identity that signs in, such as `+91******3210`. The holder of the link may not be that person. */
  readonly identity: string
  /** "Pixel 8, Android 15", if the app or page sent it. */
  readonly device: string | null
  /** "Pune, India", if the app or page sent it. */
  readonly place: string | null
  /** How many seconds ago the login was requested. */
  readonly secondsAgo: number
  /** The five numbers to choose from; null without number matching. */
  readonly numbers: ReadonlyArray<string> | null
  /** Whether an approval redirects to the merchant's own page. */
  readonly isReturning: boolean
}

/**
 * Where the login was requested, as the app or page described it: "Pune, Maharashtra, India". Null when it sent no
 * place.
 */
const placeOf = (deviceInfo: string | null): string | null => {
  if (deviceInfo === null) return null
  const { city, country, place, region } = JSON.parse(deviceInfo) as { readonly [name: string]: unknown }
  const named = word(place)
  return sayOf(named.length > 0 ? named : [...word(city), ...word(region), ...word(country)])
}

export const viewOf = (
  { createdAt, deviceInfo, handover, id, identity, matchesNumbers }: LinkVerification,
  key: MasterKey,
  { brand, brandColor, brandLogo, locale }: Settings,
  now: Instant
): LinkView => ({
  brand,
  brandColor,
  brandLogo,
  locale,
  identity: mask(identity.type, identity.canonical),
  device: labelOf(deviceInfo),
  place: placeOf(deviceInfo),
  secondsAgo: Math.max(0, Math.floor((now - createdAt) / 1000)),
  numbers: matchesNumbers === true ? MatchNumber.choices(key, id).offered : null,
  isReturning: handover.redirectUri !== null
})
