import { Effect } from "effect"
import type { DeploymentStore } from "../account/merchant/DeploymentStore.ts"
import { Conflict } from "../foundation/storage/Conflict.ts"

/** The facts of one memory storage. */
export const makeDeploymentStore = (): DeploymentStore["Service"] => {
  const facts = new Map<DeploymentStore.Fact, string>()
  return {
    get: (fact) => Effect.sync(() => facts.get(fact) ?? null),
    claim: (fact, value) =>
      Effect.sync(() => {
        const recorded = facts.get(fact)
        if (recorded !== undefined) return recorded
        facts.set(fact, value)
        return value
      }),
    replace: (fact, from, to) =>
      Effect.suspend(() => {
        if (facts.get(fact) !== from) return Effect.fail(new Conflict({ key: fact }))
        facts.set(fact, to)
        return Effect.void
      })
  }
}
