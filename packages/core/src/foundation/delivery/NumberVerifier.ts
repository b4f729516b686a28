import { Context, type Effect, Layer, type Schema } from "effect"
import type { ChannelError } from "./ChannelError.ts"
import type { ProviderCheck } from "./ProviderCheck.ts"

/** The person that the provider identified. Core decides whether it is the expected person. */
export interface Proof {
  /** E.164 digits without `+`; null when the provider names no number. */
  readonly phone: string | null
  /** Whether the provider itself has verified the number. */
  readonly isVerified: boolean
  /**
   * The hash of a proof that the provider itself would accept more than once, such as a signed token. Core accepts it
   * for one login only, in all processes and environments, and remembers it for 24 hours: the verifier must refuse
   * older proofs. Hash only bytes that a holder cannot change. Omit it when the provider accepts a proof once.
   */
  readonly once?: string
}

/** The login that a proof is for. */
export interface NumberLogin {
  /** The id of the verification. */
  readonly sessionId: string
  readonly merchantId: string
  /** The number that the merchant's backend wants verified, as E.164 digits without `+`. */
  readonly phone: string
  /** What `start` returned as `kept` for this login; null for a verifier without `start`, and in `start` itself. */
  readonly kept: string | null
}

/** The first step of a verifier whose proof comes over the phone's mobile data. */
export interface NumberStart {
  /** The address that the app opens over mobile data. */
  readonly url: string
  /**
   * What `verify` needs of this step, at most 1,000 characters. Core encrypts it for this login and hands it to the app,
   * which returns it with the proof.
   */
  readonly kept: string
}

/**
 * A provider that verifies the owner of a number without a message: the person consents in the provider's app, and the
 * merchant's app forwards the proof. The verifier asks the provider once and reports the result. Core decides whether
 * the result approves the verification.
 *
 * `Refused`: the provider rejects the proof; with `because: "account"` it rejects the operator's account, and with
 * `because: "channel"` it cannot verify over this network: the phone does not use mobile data, or its carrier does not
 * take part.
 *
 * `Unavailable`: the provider did not accept the request.
 *
 * `OutcomeUnknown`: the response is unreadable, and the proof may be used up.
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
   * The `channel` in a backend's request and the name in an app's path: 2 to 32 capital letters, digits and
   * underscores. Must differ from every channel's name and from `otherMethods`.
   */
  readonly name: string
  /** The display name. Defaults to the name in words. */
  readonly label?: string
  /** The provider: `truecaller`. */
  readonly provider: string
  /** The schema of `proof` in an app's request. A proof is valid once. Read secrets in it as `Redacted`. */
  readonly payload: Schema.Decoder<Payload>
  /** The message for an app whose proof the provider rejects, such as what to do next. */
  readonly refusal?: string
  /**
   * Begins a verification at a provider that needs to know the number first. What the app gets from the address must
   * contain a secret without which `verify` fails: whoever merely receives the address, or makes another phone open it,
   * must prove nothing.
   */
  start?(login: NumberLogin): Effect.Effect<NumberStart, ChannelError>
  /** Asks the provider once. It may take as long as the provider needs: core gives up after ten seconds. */
  verify(payload: Payload, login: NumberLogin): Effect.Effect<Proof, ChannelError>
  /** Checks the configuration with the provider, for `countersign check`. Verifies nobody. */
  readonly check?: ProviderCheck
}

/** All number verifiers that live environments can use. */
export class NumberVerifiers extends Context.Service<
  NumberVerifiers,
  {
    readonly all: ReadonlyArray<NumberVerifier>
    /** Their names, and the additional names in test environments. */
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
 * The other verification methods, by which rules tell verifications apart: a verification by `ONETAP` signs a person in
 * without a code. A number verifier's name is itself a method, so it must differ from these.
 */
export const otherMethods = ["OTP", "ONETAP", "LINK"] as const

/** The number verifiers with an adapter in Countersign. */
export const knownVerifiers: ReadonlyArray<string> = ["TRUECALLER", "FIREBASE", "TWILIO_SNA", "CAMARA"]
