import { Cause, Clock, Effect, Layer, Schedule } from "effect"
import { Channels } from "../../foundation/delivery/Channels.ts"
import type { VerificationDelivery } from "./VerificationDelivery.ts"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import type { Job } from "../../foundation/outbox/Job.ts"
import { type JobOutcome, Jobs, type Work } from "../../foundation/outbox/Jobs.ts"
import { JobStore } from "../../foundation/outbox/JobStore.ts"
import { Outbox } from "../../foundation/outbox/Outbox.ts"
import { describeCause } from "../../foundation/secret/describeCause.ts"
import { untilCommitted } from "../../foundation/storage/untilCommitted.ts"
import { days, type Instant, minutes, seconds } from "../../foundation/time/Instant.ts"
import { stopwatch } from "../../foundation/time/steadyTime.ts"
import { expire } from "./expire.ts"
import { logFailures } from "./logFailures.ts"
import { expiryKind, type ExpiryPayload, sendKey } from "./verificationJobs.ts"
import { VerificationStore } from "./VerificationStore.ts"

/** One look after another, by whichever process gets the job. */
const every = seconds(1)
/** A commit that was under way when its verification expired is seen by the next look. */
const overlap = seconds(2)
/** Now and then the look goes back further, for a commit that took as long as one may. */
const thoroughEvery = minutes(1)
const thoroughOverlap = seconds(90)
/** A look that finds very much stops in time to keep its lease, and goes on from there. */
const longestLook = seconds(5)
const pageSize = 512
/** No verification lives longer, however often it is sent again. */
const longestLife = days(1)
/** Enough to keep storage at work. More would announce faster, but make people wait who share its batches. */
const atOnce = 8

const key = "expiry"

type Place = VerificationStore.ExpiredPage["after"]

const begin = (now: Instant): Job => expiryKind.job({ key, environment: "", payload: { since: 0 }, runAt: now + every })

/**
 * Where a look begins. One that goes on where another stopped does not go back: all it would find is what that one
 * announced. `since` in the future says that the clock was set back since the last look: this one goes back by as much,
 * and ahead to everything that was created before the step, because such a verification is over.
 */
const beginLook = ({ id, since, thorough = 0, until }: ExpiryPayload, now: Instant) => {
  if (id !== undefined) return { from: { expiresAt: since, id }, until, isThorough: false }
  const isThorough = Math.abs(now - thorough) >= thoroughEvery
  const back = isThorough ? thoroughOverlap : overlap
  const step = since - now
  return step <= 0
    ? { from: { expiresAt: since - back, id: "" }, until: undefined, isThorough }
    : { from: { expiresAt: now - step - back, id: "" }, until: since + longestLife, isThorough }
}

/** Announces that the time of one verification is over, where nobody has. */
export const makeAnnounce = Effect.gen(function* () {
  const jobStore = yield* JobStore
  const store = yield* VerificationStore
  const commit = yield* Outbox.committer(VerificationStore)
  const channels = yield* Channels

  const providerOf = ({ channel }: VerificationDelivery) => channels.find(channel)?.provider ?? "none"

  const passOver = (requestId: string, cause: Cause.Cause<unknown>) =>
    Effect.logError("An expiry could not be announced", { requestId, ...describeCause(cause) })

  return ({ environment, id }: VerificationStore.Expired) =>
    untilCommitted(
      Effect.gen(function* () {
        const loaded = yield* store.load(environment, id)
        if (loaded === null) return
        const now = yield* Clock.currentTimeMillis
        const { change } = expire(loaded, Identifier.make("evt", now), now)
        if (change === null) return
        yield* commit(change)
        if (change.verification !== null) yield* logFailures(loaded.verification, change.verification, providerOf)
        // A message that waits for its provider waits for nothing now. One that is left finds that out by itself.
        const waiting = loaded.verification.deliveries.filter(({ status }) => status === "PENDING")
        yield* Effect.forEach(waiting, ({ id }) => jobStore.cancel(sendKey(id)), { discard: true })
      })
    ).pipe(
      // One that cannot be announced holds up no other; for a while it is found again by the looks that go back.
      Effect.catchTag("Contended", (error) => passOver(id, Cause.fail(error))),
      Effect.catchDefect((defect) => passOver(id, Cause.die(defect)))
    )
})

/**
 * Announces the verifications whose time ended without anybody entering the code. It is one job that never ends and
 * that every process has a hand in: a look over the index of expiries, forward from where the last one stopped.
 */
export const layer: Layer.Layer<never, never, Channels | Jobs | JobStore | Outbox | VerificationStore> =
  Layer.effectDiscard(
    Effect.gen(function* () {
      const jobs = yield* Jobs
      const outbox = yield* Outbox
      const store = yield* VerificationStore
      const announce = yield* makeAnnounce

      /** Where it stopped before the end; null when there is no more. */
      const look = Effect.fnUntraced(function* (from: Place, until: Instant) {
        const elapsed = yield* stopwatch
        let after = from
        for (;;) {
          const found = yield* store.expired({ after, until, limit: pageSize })
          yield* Effect.forEach(found, announce, { concurrency: atOnce, discard: true })
          const last = found.at(-1)
          if (last === undefined || found.length < pageSize) return null
          after = last
          if (elapsed() >= longestLook) return after
        }
      })

      const handle = (job: Work<ExpiryPayload>) =>
        Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          const { from, isThorough, until } = beginLook(job.payload, now)
          const stopped = yield* look(from, until ?? now)
          const goesOn = until === undefined ? {} : { until }
          const place = stopped === null ? { since: now } : { since: stopped.expiresAt, id: stopped.id, ...goesOn }
          const again: JobOutcome = {
            _tag: "Later",
            runAt: stopped === null ? now + every : now,
            reason: "goes on",
            payload: { ...place, thorough: isThorough ? now : (job.payload.thorough ?? 0) }
          }
          return again
        })

      yield* jobs.handle(expiryKind, handle)

      const add = Effect.flatMap(Clock.currentTimeMillis, (now) =>
        outbox.addMissing({ jobs: [begin(now)], done: null })
      )
      yield* Effect.forkScoped(Effect.retry(add, Schedule.spaced("5 seconds")))
    })
  )
