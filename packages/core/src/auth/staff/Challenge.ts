import * as Identifier from "../../foundation/identity/Identifier.ts"
import type { Keyring } from "../../foundation/secret/Keyring.ts"
import * as Proof from "../../foundation/secret/Proof.ts"
import { hours, type Instant, type Millis } from "../../foundation/time/Instant.ts"
import { challengeLife } from "./Passkey.ts"
import type { PasskeyJson } from "./PasskeyVerifier.ts"

/**
 * The purpose of a challenge: to sign in, or to make a passkey in a session. `Code` is the nonce that a browser keeps
 * after requesting a code for an address.
 */
export type Occasion =
  | { readonly _tag: "SignIn" }
  | { readonly _tag: "Creation"; readonly sessionId: string }
  | { readonly _tag: "Code"; readonly canonical: string }

const lifeOf: { readonly [T in Occasion["_tag"]]: Millis } = {
  SignIn: challengeLife,
  Creation: challengeLife,
  // The nonce is valid for as long as its code request counts.
  Code: hours(1)
}

const aboutOf = (occasion: Occasion): string =>
  occasion._tag === "Creation" ? occasion.sessionId : occasion._tag === "Code" ? occasion.canonical : ""

const randomLength = 26
const pattern = new RegExp(`^([0-9a-z]{9})([0-9a-hjkmnp-tv-z]{${randomLength}})(${Proof.shape})$`)

const claimOf = (occasion: Occasion, until: string, random: string): Proof.Claim => ({
  purpose: "challenge",
  text: [occasion._tag, aboutOf(occasion), until, random].join("\n")
})

const toBase64Url = (text: string) => btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")

/** Empty for text that is not a challenge or is too long. */
const fromBase64Url = (text: string) =>
  /^[\w-]{1,4096}$/.test(text) && text.length % 4 !== 1 ? atob(text.replaceAll("-", "+").replaceAll("_", "/")) : ""

/**
 * A challenge without stored state: it carries its expiry and the service's signature. So sign-in requests leave
 * nothing in storage. The code that accepts an answer ensures that a challenge is answered only once.
 */
export const make = ({ current }: Keyring["Service"], occasion: Occasion, now: Instant): string => {
  const until = (now + lifeOf[occasion._tag]).toString(36).padStart(9, "0")
  const random = Identifier.randomText(randomLength)
  return toBase64Url(`${until}${random}${Proof.make(current, claimOf(occasion, until, random))}`)
}

/**
 * Whether this service created the challenge for this purpose and it has not expired. Only the service's exact encoding
 * is valid. Base64 has spare bits at its end, so another encoding would count as a second challenge.
 */
export const isGood = (keyring: Keyring["Service"], occasion: Occasion, challenge: string, now: Instant): boolean => {
  const text = fromBase64Url(challenge)
  const [, until, random, proof] = toBase64Url(text) === challenge ? (pattern.exec(text) ?? []) : []
  if (until === undefined || random === undefined || proof === undefined) return false
  const claim = claimOf(occasion, until, random)
  return now < Number.parseInt(until, 36) && keyring.all.some((key) => Proof.matches(key, claim, proof))
}

/**
 * The challenge that the browser's response claims to answer; the authenticator signs it. Null when the response cannot
 * be read.
 */
export const answered = (response: PasskeyJson): string | null => {
  const inner = response["response"]
  const data = typeof inner === "object" && inner !== null && "clientDataJSON" in inner ? inner.clientDataJSON : null
  if (typeof data !== "string") return null
  return /"challenge":"([\w-]{1,256})"/.exec(fromBase64Url(data))?.[1] ?? null
}
