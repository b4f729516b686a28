import { Clock, Effect, Result } from "effect"
import { Outbox } from "../../foundation/outbox/Outbox.ts"
import type { Contended } from "../../foundation/storage/Contended.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { Turns } from "../../foundation/storage/Turns.ts"
import { untilCommitted } from "../../foundation/storage/untilCommitted.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import { Guard } from "./Guard.ts"
import type { Decision } from "./Decision.ts"
import { ifCheckable, type Verification } from "./Verification.ts"
import { VerificationStore } from "./VerificationStore.ts"

/** The outcome of a command, and the verification that it was decided on. */
interface Done<Outcome> {
  readonly before: Verification
  readonly outcome: Outcome
}

/** Runs a command on one verification. Null when no verification has this id, and for a relayed code. */
export type DecideAndCommit = <Outcome, Refused = never>(
  environment: string,
  id: string,
  decide: (loaded: VerificationStore.Loaded, now: Instant) => Result.Result<Decision<Outcome>, Refused>
) => Effect.Effect<Done<Outcome> | null, Refused | Contended | StoreError>

/**
 * Loads a verification, decides and commits, and decides again after a conflicting commit. Within this process,
 * commands on one verification run one after another.
 */
export const make = (turns: Turns): Effect.Effect<DecideAndCommit, never, Guard | Outbox | VerificationStore> =>
  Effect.gen(function* () {
    const store = yield* VerificationStore
    const clock = yield* Clock.Clock
    const guard = yield* Guard
    const commit = yield* Outbox.committer(VerificationStore)
    const once = Effect.fnUntraced(function* <Outcome, Refused>(
      environment: string,
      id: string,
      decide: (loaded: VerificationStore.Loaded, now: Instant) => Result.Result<Decision<Outcome>, Refused>
    ) {
      const loaded = yield* store.load(environment, id)
      if (loaded === null || ifCheckable(loaded.verification) === null) return null
      const decided = decide(loaded, clock.currentTimeMillisUnsafe())
      if (Result.isFailure(decided)) return yield* Effect.fail(decided.failure)
      const { change, outcome } = decided.success
      if (change !== null) {
        yield* commit(change)
        if (change.verification !== null) guard.note(change.verification, clock.currentTimeMillisUnsafe())
      }
      return { before: loaded.verification, outcome }
    })
    return (environment, id, decide) => turns.run(id, untilCommitted(once(environment, id, decide)))
  })
