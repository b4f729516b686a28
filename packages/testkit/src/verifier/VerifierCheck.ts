import type { NumberVerifier } from "@countersign/core/channel"
import type { Effect, Scope } from "effect"
import type { VerifierDouble } from "./VerifierDouble.ts"

/** What a check works with: a way to start the provider, and a way to put the verifier in front of it. */
export interface VerifierBench {
  readonly provider: Effect.Effect<VerifierDouble, unknown, Scope.Scope>
  readonly make: (url: string) => Effect.Effect<NumberVerifier, unknown, Scope.Scope>
  readonly secrets: ReadonlyArray<string>
}

export type VerifierCheck = readonly [
  promise: string,
  check: (bench: VerifierBench) => Effect.Effect<void, unknown, Scope.Scope>
]
