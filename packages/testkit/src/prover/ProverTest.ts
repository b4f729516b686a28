import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { ProverBench } from "./ProverCheck.ts"
import { proofChecks } from "./proofChecks.ts"
import { proofLeakChecks } from "./proofLeakChecks.ts"

export interface Options extends Omit<ProverBench, "secrets"> {
  /** What the prover knows and nobody else may see, such as a client secret. */
  readonly secrets?: ReadonlyArray<string>
}

const groups = { proofs: proofChecks, secrecy: proofLeakChecks }

/** What every prover promises, for this one. A check wants a `TestClock` and nothing else. */
export const checks = ({ secrets = [], ...options }: Options) =>
  Object.entries(groups).flatMap(([group, list]) =>
    list.map(([promise, check]) => ({
      promise: `${group}: ${promise}`,
      check: Effect.scoped(check({ ...options, secrets }))
    }))
  )

/**
 * Tests that a prover asks once and tells the truth, in front of a provider that knows somebody, refuses, breaks before
 * and after it used a code up, stammers, points elsewhere or says nothing. The provider is a double of yours that
 * speaks its real protocol, such as `TruecallerSimulator`.
 *
 * @example
 * ```ts
 * import type { Prover } from "@countersign/core/channel"
 * import { ProverTest } from "@countersign/testkit"
 * import { TruecallerSimulator } from "@countersign/testkit/simulators"
 * import type { Effect } from "effect"
 *
 * declare const mine: (url: string) => Effect.Effect<Prover>
 *
 * ProverTest.suite("mine", { make: mine, provider: TruecallerSimulator.make() })
 * ```
 */
export const suite = (name: string, options: Options): void => {
  describe(`prover ${name}`, () => {
    for (const { check, promise } of checks(options)) it.effect(promise, () => check, 180_000)
  })
}
