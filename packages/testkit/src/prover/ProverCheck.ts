import type { Prover } from "@countersign/core/channel"
import type { Effect, Scope } from "effect"
import type { ProverDouble } from "./ProverDouble.ts"

/** What a check works with: a way to start the provider, and a way to put the prover in front of it. */
export interface ProverBench {
  readonly provider: Effect.Effect<ProverDouble, unknown, Scope.Scope>
  readonly make: (url: string) => Effect.Effect<Prover, unknown, Scope.Scope>
  readonly secrets: ReadonlyArray<string>
}

export type ProverCheck = readonly [
  promise: string,
  check: (bench: ProverBench) => Effect.Effect<void, unknown, Scope.Scope>
]
