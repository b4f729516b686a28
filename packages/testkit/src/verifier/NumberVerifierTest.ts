import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { VerifierBench } from "./VerifierCheck.ts"
import { proofChecks } from "./proofChecks.ts"
import { proofLeakChecks } from "./proofLeakChecks.ts"

export interface Options extends Omit<VerifierBench, "secrets"> {
  /** The verifier's secrets, such as a client secret. */
  readonly secrets?: ReadonlyArray<string>
}

const groups = { proofs: proofChecks, secrecy: proofLeakChecks }

/** The promises of every verifier, for this verifier. A check needs only a `TestClock`. */
export const checks = ({ secrets = [], ...options }: Options) =>
  Object.entries(groups).flatMap(([group, list]) =>
    list.map(([promise, check]) => ({
      promise: `${group}: ${promise}`,
      check: Effect.scoped(check({ ...options, secrets }))
    }))
  )

/**
 * Tests that a verifier sends one request and reports the true result. The provider knows a person, refuses, fails
 * before and after it used up a code, returns unreadable answers, redirects or does not answer. Supply a double that
 * speaks the provider's real protocol, such as `TruecallerSimulator`.
 *
 * @example
 * ```ts
 * import type { NumberVerifier } from "@countersign/core/channel"
 * import { NumberVerifierTest } from "@countersign/testkit"
 * import { TruecallerSimulator } from "@countersign/testkit/simulators"
 * import type { Effect } from "effect"
 *
 * declare const mine: (url: string) => Effect.Effect<NumberVerifier>
 *
 * NumberVerifierTest.suite("mine", { make: mine, provider: TruecallerSimulator.make() })
 * ```
 */
export const suite = (name: string, options: Options): void => {
  describe(`verifier ${name}`, () => {
    for (const { check, promise } of checks(options)) it.effect(promise, () => check, 180_000)
  })
}
