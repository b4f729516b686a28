import { Effect, Schema } from "effect"
import { untilCommitted } from "../../foundation/storage/untilCommitted.ts"
import { DeploymentStore } from "./DeploymentStore.ts"

/** This process was configured with a different value from the value that storage records for the whole deployment. */
export class DeploymentDiffers extends Schema.TaggedError<DeploymentDiffers>()("DeploymentDiffers", {
  fact: Schema.Literals(["billedBy", "currency"]),
  configured: Schema.String,
  recorded: Schema.String
}) {
  override get message(): string {
    const { configured, fact, recorded } = this
    return `${fact} is ${configured} in this process, but ${recorded} in the database: omit it or use ${recorded}. To change it for all processes, run \`countersign billing\``
  }
}

type AgreedFact = Exclude<DeploymentStore.Fact, "firstMerchant">

/**
 * A value that every process must agree on. The first process with a configured value records it. A process without one
 * uses the recorded value, and a process with a different one fails.
 */
export const deploymentFact = Effect.fnUntraced(function* (fact: AgreedFact, configured: string | undefined) {
  const store = yield* DeploymentStore
  const before = yield* store.get(fact)
  if (configured === undefined) return before
  const recorded = before ?? (yield* store.claim(fact, configured))
  if (recorded !== configured) return yield* new DeploymentDiffers({ fact, configured, recorded })
  return recorded
})

/** Records another value, for all processes. */
export const agreeOn = Effect.fnUntraced(function* (fact: AgreedFact, value: string) {
  const store = yield* DeploymentStore
  const recorded = yield* store.claim(fact, value)
  if (recorded !== value) yield* store.replace(fact, recorded, value)
}, untilCommitted)
