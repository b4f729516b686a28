import { Context, type Effect, Layer, type Schema } from "effect"
import type { ChannelError } from "./ChannelError.ts"

/** Whom the provider knows. Whether that is the person who was meant is decided in core. */
export interface Proof {
  /** E.164 digits without `+`; null when the provider names no number. */
  readonly phone: string | null
  /** Whether the provider itself has verified the number. */
  readonly isVerified: boolean
}

/**
 * A provider that verifies whose number it is without a message: the person consents in its app, and the app brings what
 * proves it. It asks once and tells the truth; whether the answer approves anything is decided in core.
 *
 * `Refused` is a proof that the provider does not take, and `because: "account"` says that it is our own account that it
 * does not know. `Unavailable` is a provider that did not take the question. `OutcomeUnknown` is one whose answer cannot
 * be read: the proof may be used up.
 *
 * @example
 * ```ts
 * import type { NumberVerifier } from "@countersign/core/channel"
 * import { Effect, Redacted, Schema } from "effect"
 *
 * const payload = Schema.Struct({ token: Schema.RedactedFromValue(Schema.String) })
 *
 * const silent: NumberVerifier<typeof payload.Type> = {
 *   name: "SILENT_AUTH",
 *   provider: "acme",
 *   payload,
 *   verify: ({ token }) => Effect.succeed({ phone: Redacted.value(token), isVerified: true })
 * }
 * ```
 */
export interface NumberVerifier<Payload = unknown> {
  /**
   * What a backend asks for as `channel` and an app names in the path: 2 to 32 capital letters, digits and underscores.
   * No channel has the same name, and none of `otherMethods` has.
   */
  readonly name: string
  /** What people call it; its name in words without one. */
  readonly label?: string
  /** Who verifies: `truecaller`. */
  readonly provider: string
  /** What an app brings, good once: the `proof` of its request. A secret in it is best read as `Redacted`. */
  readonly payload: Schema.Decoder<Payload>
  /** What an app is told whose proof the provider does not take, such as what to do about it. */
  readonly refusal?: string
  /** Asks once. It may take as long as the provider needs: core gives up on it after ten seconds. */
  verify(payload: Payload): Effect.Effect<Proof, ChannelError>
}

/** Every number verifier that live environments can use. */
export class NumberVerifiers extends Context.Service<
  NumberVerifiers,
  {
    readonly all: ReadonlyArray<NumberVerifier>
    /** Their names, and those that test environments have beside them. */
    readonly namesFor: (kind: "live" | "test") => ReadonlyArray<string>
  }
>()("@countersign/core/delivery/NumberVerifiers") {
  static readonly layer = (verifiers: ReadonlyArray<NumberVerifier>): Layer.Layer<NumberVerifiers> => {
    const live = verifiers.map(({ name }) => name)
    const test = [...new Set([...knownVerifiers, ...live])]
    return Layer.succeed(
      NumberVerifiers,
      NumberVerifiers.of({ all: verifiers, namesFor: (kind) => (kind === "test" ? test : live) })
    )
  }
}

/**
 * The other ways to verify a person, which rules go by: a verification by `ONETAP` signs its person in without a code. A
 * number verifier's name says how its people were verified, so it is none of these.
 */
export const otherMethods = ["OTP", "ONETAP", "LINK"] as const

/** Those that Countersign has an adapter for. */
export const knownVerifiers: ReadonlyArray<string> = ["TRUECALLER"]
