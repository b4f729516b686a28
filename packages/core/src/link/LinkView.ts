import { labelOf } from "../device/deviceLabel.ts"
import { mask } from "../identity/Identity.ts"
import type { Settings } from "../merchant/Settings.ts"
import type { MasterKey } from "../secret/Keyring.ts"
import * as MatchNumber from "../secret/MatchNumber.ts"
import type { Instant } from "../time/Instant.ts"
import type { Verification } from "../verification/Verification.ts"
import { placeOf } from "./placeOf.ts"

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
  /** The three numbers to choose from; null where none are asked for. */
  readonly numbers: ReadonlyArray<string> | null
  /** The origin or scheme that an approval returns to, for the page's policy; null when it returns nowhere. */
  readonly returnsTo: string | null
}

/**
 * The part of a redirect URI that a page's policy can name. It has no words for the host of every URL: IPv6 addresses are
 * none, and a semicolon would end what it says. Of those it names the scheme.
 */
const sourceOf = (redirectUri: string): string => {
  const { host, protocol } = new URL(redirectUri)
  const isNameable = (protocol === "https:" || protocol === "http:") && /^[a-z0-9.-]+(:\d+)?$/.test(host)
  return isNameable ? `${protocol}//${host}` : protocol
}

export const viewOf = (
  { createdAt, deviceInfo, handover, id, identity, matchesNumbers }: Verification,
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
  returnsTo: handover?.redirectUri == null ? null : sourceOf(handover.redirectUri)
})
