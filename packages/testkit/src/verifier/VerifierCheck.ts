import type { NumberVerifier } from "@countersign/core/channel"
import type { Effect, Scope } from "effect"
import type { VerifierDouble } from "./VerifierDouble.ts"

/** The tools of a check: it starts the provider, and connects the verifier to it. */
export interface VerifierBench {
  readonly provider: Effect.Effect<VerifierDouble, unknown, Scope.Scope>
  readonly make: (url: string) => Effect.Effect<NumberVerifier, unknown, Scope.Scope>
  readonly secrets: ReadonlyArray<string>
}

export type VerifierCheck = readonly [
  promise: string,
  check: (bench: VerifierBench) => Effect.Effect<void, unknown, Scope.Scope>
]
