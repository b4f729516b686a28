import type { Effect } from "effect"

/** A JSON object that browser and authenticator understand, and core only hands on. */
export type PasskeyJson = { readonly [name: string]: unknown }

/** For whom a passkey is good: the site that asks. */
export interface RelyingParty {
  /** The host that people see, without port: passkeys made for it are of no use anywhere else. */
  readonly id: string
  readonly name: string
  /** Where the page is that asks: scheme, host and port. */
  readonly origin: string
}

/** What is kept of a passkey. None of it is secret. */
export interface PasskeyKey {
  /** The authenticator's name of it, base64url. */
  readonly id: string
  /** COSE, base64url. */
  readonly publicKey: string
  /** How often it was used, as the authenticator counts; 0 for those that do not count. */
  readonly counter: number
  /** How it can be reached: `internal`, `hybrid`, `usb`. */
  readonly transports: ReadonlyArray<string>
}

/** Who a new passkey is for. */
export interface PasskeyOwner {
  /** Random bytes, base64url, that tell the site's people apart and say nothing of them. */
  readonly handle: string
  /** What their own device shows: their e-mail address. */
  readonly name: string
}

/**
 * Knows WebAuthn: writes what a browser is asked, and checks what it answers. It keeps nothing and decides nothing.
 * Whose key it is, and whether a challenge is ours and still good, is core's.
 */
export interface PasskeyVerifier {
  /** What a browser is given to make a passkey. It has to know its user by a finger, a face or a PIN. */
  readonly creation: (
    party: RelyingParty,
    asked: { readonly challenge: string; readonly owner: PasskeyOwner; readonly existing: ReadonlyArray<PasskeyKey> }
  ) => Effect.Effect<PasskeyJson>
  /** The passkey that a browser has made; null when the answer is not one for this site and challenge. */
  readonly created: (
    party: RelyingParty,
    answer: { readonly challenge: string; readonly response: PasskeyJson }
  ) => Effect.Effect<PasskeyKey | null>
  /** What a browser is given to prove that it has a passkey of this site, whichever it is. */
  readonly request: (party: RelyingParty, asked: { readonly challenge: string }) => Effect.Effect<PasskeyJson>
  /** The counter after this use; null when the answer does not prove that the passkey was used for this challenge. */
  readonly used: (
    party: RelyingParty,
    answer: { readonly challenge: string; readonly response: PasskeyJson; readonly key: PasskeyKey }
  ) => Effect.Effect<number | null>
}
