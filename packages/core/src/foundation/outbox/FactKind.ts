import { Result, Schema } from "effect"
import type { Fact, FactValue } from "./Fact.ts"

/** A kind of fact, declared next to the sum that is built from it. */
export interface FactKind<A> {
  /** The name in storage. A released name keeps its meaning, and its values keep their format. */
  readonly name: string
  /** Creates a fact of this kind. */
  readonly fact: (fact: Omit<Fact, "kind" | "value"> & { readonly value: A }) => Fact
  /**
   * Parses a value that another process wrote, possibly in another version. Fails with a description of the problem.
   */
  readonly read: (fact: Pick<Fact, "value">) => Result.Result<A, string>
}

/**
 * Declares a kind of fact by its name and value schema.
 *
 * @example
 * ```ts
 * import { FactKind, FactStore, noRecords } from "@countersign/core/storage"
 * import { Effect, Result, Schema } from "effect"
 *
 * const poked = FactKind.make("poked", Schema.Struct({ times: Schema.Number }))
 *
 * // Where a change is decided, in what it leaves:
 * const fact = poked.fact({ environment: "env_1", at: 0, key: "poke_1", value: { times: 2 } })
 * const outgoing = { ...noRecords, facts: [fact] }
 *
 * // Where they are folded: the sum is an aggregate, and commits at its version with `folded: facts`.
 * const program = Effect.gen(function* () {
 *   const store = yield* FactStore
 *   const facts = yield* store.list({ kind: poked.name, environment: "env_1", after: null, limit: 100 })
 *   return facts.reduce((sum, fact) => sum + Result.getOrThrow(poked.read(fact)).times, 0)
 * })
 * ```
 */
export const make = <A extends FactValue>(name: string, value: Schema.Codec<A, FactValue>): FactKind<A> => {
  const decode = Schema.decodeUnknownResult(value)
  return {
    name,
    fact: (fact) => ({ ...fact, kind: name }),
    read: (fact) => Result.mapError(decode(fact.value), String)
  }
}
