import * as Identifier from "../../foundation/identity/Identifier.ts"
import type { Keyring } from "../../foundation/secret/Keyring.ts"
import * as Proof from "../../foundation/secret/Proof.ts"
import { hours, type Instant, type Millis } from "../../foundation/time/Instant.ts"
import { challengeLife } from "./Passkey.ts"
import type { PasskeyJson } from "./PasskeyVerifier.ts"

/**
 * What an authenticator is asked to sign for: to sign in, or to make a passkey in one session. `Code`: what a browser keeps
 * that has asked for a code for an address.
 */
export type Occasion =
  | { readonly _tag: "SignIn" }
  | { readonly _tag: "Creation"; readonly sessionId: string }
  | { readonly _tag: "Code"; readonly canonical: string }

const lifeOf: { readonly [T in Occasion["_tag"]]: Millis } = {
  SignIn: challengeLife,
  Creation: challengeLife,
  // As long as what it asked for counts.
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

/** Empty for what is none, or is longer than anything that we ask for. */
const fromBase64Url = (text: string) =>
  /^[\w-]{1,4096}$/.test(text) && text.length % 4 !== 1 ? atob(text.replaceAll("-", "+").replaceAll("_", "/")) : ""

/**
 * A challenge that nobody has to remember: it says until when it is good, and that it is ours. So whoever asks to sign
 * in leaves nothing behind, however often. That it is answered once is seen to where it is answered.
 */
export const make = ({ current }: Keyring["Service"], occasion: Occasion, now: Instant): string => {
  const until = (now + lifeOf[occasion._tag]).toString(36).padStart(9, "0")
  const random = Identifier.randomText(randomLength)
  return toBase64Url(`${until}${random}${Proof.make(current, claimOf(occasion, until, random))}`)
}

/**
 * Whether we have made it for this occasion, and not too long ago. Only as we wrote it: base64 has bits to spare at its end,
 * and with other bits there the same challenge would be a further one to whoever counts what is done with each.
 */
export const isGood = (keyring: Keyring["Service"], occasion: Occasion, challenge: string, now: Instant): boolean => {
  const text = fromBase64Url(challenge)
  const [, until, random, proof] = toBase64Url(text) === challenge ? (pattern.exec(text) ?? []) : []
  if (until === undefined || random === undefined || proof === undefined) return false
  const claim = claimOf(occasion, until, random)
  return now < Number.parseInt(until, 36) && keyring.all.some((key) => Proof.matches(key, claim, proof))
}

/** The challenge that a browser says it has answered: the authenticator signs over it. Null in what is no answer. */
export const answered = (response: PasskeyJson): string | null => {
  const inner = response["response"]
  const data = typeof inner === "object" && inner !== null && "clientDataJSON" in inner ? inner.clientDataJSON : null
  if (typeof data !== "string") return null
  return /"challenge":"([\w-]{1,256})"/.exec(fromBase64Url(data))?.[1] ?? null
}
