import type { Effect } from "effect"

/** A JSON object that browser and authenticator understand. Core only passes it on. */
export type PasskeyJson = { readonly [name: string]: unknown }

/** The site that a passkey is valid for. */
export interface RelyingParty {
  /** The public host, without port. Passkeys made for it work nowhere else. */
  readonly id: string
  readonly name: string
  /** The origin of the page: scheme, host and port. */
  readonly origin: string
}

/** The stored data of a passkey. Nothing in it is secret. */
export interface PasskeyKey {
  /** The authenticator's id of the credential, base64url. */
  readonly id: string
  /** COSE, base64url. */
  readonly publicKey: string
  /** The authenticator's use counter; 0 for authenticators that do not count. */
  readonly counter: number
  /** Its transports: `internal`, `hybrid`, `usb`. */
  readonly transports: ReadonlyArray<string>
}

/** Who a new passkey is for. */
export interface PasskeyOwner {
  /** Random bytes, base64url, that identify a person to the site and reveal nothing about them. */
  readonly handle: string
  /** The name that their own device shows: their e-mail address. */
  readonly name: string
}

/**
 * Implements WebAuthn: builds the browser's options and verifies its responses. It stores nothing and decides nothing.
 * Core decides who owns the key and whether a challenge is valid.
 */
export interface PasskeyVerifier {
  /** The browser's options to make a passkey. The authenticator must verify its user by finger, face or PIN. */
  readonly creation: (
    party: RelyingParty,
    asked: { readonly challenge: string; readonly owner: PasskeyOwner; readonly existing: ReadonlyArray<PasskeyKey> }
  ) => Effect.Effect<PasskeyJson>
  /** The passkey that a browser made; null when the response does not match this site and challenge. */
  readonly created: (
    party: RelyingParty,
    answer: { readonly challenge: string; readonly response: PasskeyJson }
  ) => Effect.Effect<PasskeyKey | null>
  /** The browser's options to prove possession of any passkey of this site. */
  readonly request: (party: RelyingParty, asked: { readonly challenge: string }) => Effect.Effect<PasskeyJson>
  /** The counter after this use; null when the response does not prove that the passkey answered this challenge. */
  readonly used: (
    party: RelyingParty,
    answer: { readonly challenge: string; readonly response: PasskeyJson; readonly key: PasskeyKey }
  ) => Effect.Effect<number | null>
}
