import type { Result } from "effect"
import type { InvalidField } from "../../foundation/identity/InvalidField.ts"
import type { Problem } from "../../foundation/identity/Problem.ts"
import type { Instant, Millis } from "../../foundation/time/Instant.ts"
import { minutes } from "../../foundation/time/Instant.ts"

/** A request of a sign-in system, as it arrived. Signatures cover the exact bytes of the body. */
export interface HookRequest {
  /** By lower-case name. */
  readonly header: (name: string) => string | undefined
  readonly body: Uint8Array
}

/** One message that a sign-in system asks for: its own code, for one person. */
export interface HookMessage {
  /** An address, or a number in E.164 with its `+`. */
  readonly identity: string
  readonly code: string
  readonly channel: string | null
  readonly locale: string | null
  /** The address of the person, as the sign-in system saw it. */
  readonly clientIp: string | null
  /** What the code is for, in the words of the sign-in system. */
  readonly purpose: string | null
  readonly expiresInSeconds: number | null
  /**
   * The texts that are equal in every repeat of this message, and different in every other message of the hook. They may
   * contain the code, so they are only ever stored under a key.
   */
  readonly repeats: ReadonlyArray<string>
}

/** Why a request is not signed by one of the hook's secrets. The caller learns none of it. */
export type SignatureFault = "MISSING" | "OLD" | "WRONG"

/** What a secret signs a request with: `head` is what the scheme signs before the body. */
export type Signer = (head: string, body: Uint8Array) => string

/** How the requests of a kind prove where they come from. */
export interface SignatureScheme {
  /** Prepares a secret once for many requests. Null if it is not a secret of this scheme. */
  readonly signerOf: (secret: string) => Signer | null
  /** Null when one of the signers signed the request. Compares with every one, in constant time. */
  readonly faultOf: (request: HookRequest, signers: ReadonlyArray<Signer>, now: Instant) => SignatureFault | null
  /** A new secret in the form that the sign-in system expects, made of 32 random bytes. */
  readonly makeSecret: (bytes: Uint8Array) => string
  /** A secret that the sign-in system made, in the form to keep. */
  readonly checkSecret: (text: string) => Result.Result<string, Problem>
}

/** Reads a signed body. A refusal names the field of the body, and what is wrong with it. */
export type ReadBody = (body: unknown, request: HookRequest) => Result.Result<ReadonlyArray<HookMessage>, InvalidField>

/** The clocks of both servers may differ by this much. An older signature is refused. */
export const signatureTolerance: Millis = minutes(5)
