import { Context, Effect, Layer } from "effect"
import { Jobs } from "../outbox/Jobs.ts"
import type { Conflict } from "../storage/Conflict.ts"
import type { StoreError } from "../storage/StoreError.ts"
import { Subscriptions } from "../webhook/Subscriptions.ts"
import type { VerificationChange } from "./VerificationChange.ts"
import { VerificationStore } from "./VerificationStore.ts"

/** Commits changes with the work of telling webhooks, and starts at once what this process has room for. */
export class Committer extends Context.Service<
  Committer,
  { readonly commit: (change: VerificationChange) => Effect.Effect<void, Conflict | StoreError> }
>()("@countersign/core/verification/Committer") {
  static readonly layer: Layer.Layer<Committer, never, VerificationStore | Jobs | Subscriptions> = Layer.effect(
    Committer,
    Effect.gen(function* () {
      const store = yield* VerificationStore
      const jobs = yield* Jobs
      const subscriptions = yield* Subscriptions
      return Committer.of({
        commit: (change) =>
          Effect.flatMap(subscriptions.jobsFor(change.events), (told) => {
            const work = told.length === 0 ? change.jobs : [...change.jobs, ...told]
            if (work.length === 0) return store.commit(change)
            // What was just committed is known: a job need not load it.
            const hint = {
              verification: change.verification,
              subject: { ...change.subject, version: change.subject.version + 1 },
              events: change.events
            }
            return jobs.commit(work, hint, (jobs) => store.commit({ ...change, jobs }))
          })
      })
    })
  )
}
