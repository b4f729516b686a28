import { Context, type Effect, Layer, type Redacted } from "effect"
import type { ChannelError } from "./ChannelError.ts"

/** What an app brings from the provider: proof that somebody consented there, good once. */
export interface ProofRequest {
  readonly code: Redacted.Redacted
  /** The PKCE verifier that belongs to the code. */
  readonly codeVerifier: Redacted.Redacted
}

/** Whom the provider knows. Whether that is the person who was meant is decided in core. */
export interface Proof {
  /** E.164 digits without `+`; null when the provider names no number. */
  readonly phone: string | null
  /** Whether the provider itself has verified the number. */
  readonly isVerified: boolean
}

/**
 * A provider that proves whose number it is without a message: the person consents in its app. It asks once and tells
 * the truth; whether the answer approves anything is decided in core.
 *
 * `Refused` is a code that the provider does not take, and `because: "account"` says that it is our own account that it
 * does not know. `Unavailable` is a provider that did not take the question. `OutcomeUnknown` is one whose answer cannot
 * be read: the code may be used up.
 *
 * @example
 * ```ts
 * import type { Prover } from "@countersign/core/channel"
 * import { Effect } from "effect"
 *
 * const always: Prover = {
 *   name: "TRUECALLER",
 *   provider: "always",
 *   prove: () => Effect.succeed({ phone: "919876543210", isVerified: true })
 * }
 * ```
 */
export interface Prover {
  readonly name: "TRUECALLER"
  /** Who proves: `truecaller`. */
  readonly provider: string
  /** Asks once. It may take as long as the provider needs: core gives up on it after ten seconds. */
  readonly prove: (request: ProofRequest) => Effect.Effect<Proof, ChannelError>
}

/** Every prover that live environments can use. */
export class Provers extends Context.Service<
  Provers,
  { readonly find: (name: Prover["name"]) => Prover | undefined }
>()("@countersign/core/delivery/Provers") {
  static readonly layer = (provers: ReadonlyArray<Prover>): Layer.Layer<Provers> =>
    Layer.succeed(Provers, Provers.of({ find: (name) => provers.find((prover) => prover.name === name) }))
}
