import { Context, Effect, Layer } from "effect"
import { Jobs } from "../job/Jobs.ts"
import type { Conflict } from "../storage/Conflict.ts"
import type { StoreError } from "../storage/StoreError.ts"
import type { Instant } from "../time/Instant.ts"
import type { Change } from "./Change.ts"
import { VerificationStore } from "./VerificationStore.ts"

/** Commits changes, and starts at once what they ask for and this process has room for. */
export class Committer extends Context.Service<
  Committer,
  { readonly commit: (change: Change, now: Instant) => Effect.Effect<void, Conflict | StoreError> }
>()("@countersign/core/verification/Committer") {
  static readonly layer: Layer.Layer<Committer, never, VerificationStore | Jobs> = Layer.effect(
    Committer,
    Effect.gen(function* () {
      const store = yield* VerificationStore
      const jobs = yield* Jobs
      return Committer.of({
        commit: (change, now) => {
          if (change.jobs.length === 0) return store.commit(change)
          const leased = { ...change, jobs: jobs.lease(change.jobs, now) }
          // What was just committed is known: the job need not load it.
          const hint = {
            verification: change.verification,
            subject: { ...change.subject, version: change.subject.version + 1 }
          }
          return Effect.andThen(
            store.commit(leased),
            Effect.sync(() => jobs.start(leased.jobs, hint))
          )
        }
      })
    })
  )
}
