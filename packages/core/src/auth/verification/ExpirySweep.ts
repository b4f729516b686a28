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

/** The pause between two sweeps. The process that gets the job runs the sweep. */
const every = seconds(1)
/** Covers commits that were in progress when their verification expired: the next sweep sees them. */
const overlap = seconds(2)
/** Once a minute, a sweep goes back further, to cover a commit that took as long as a commit may take. */
const thoroughEvery = minutes(1)
const thoroughOverlap = seconds(90)
/** A sweep that finds many verifications stops in time to keep its lease. The next sweep continues from there. */
const longestLook = seconds(5)
const pageSize = 512
/** The upper limit of a verification's lifetime, including every resend. */
const longestLife = days(1)
/** Keeps storage busy. A higher number would announce faster, but delay user requests that share its batches. */
const atOnce = 8

const key = "expiry"

type Place = VerificationStore.ExpiredPage["after"]

const begin = (now: Instant): Job => expiryKind.job({ key, environment: "", payload: { since: 0 }, runAt: now + every })

/**
 * Returns where a sweep begins.
 *
 * A sweep that continues an earlier one does not go back: it would only find what that one announced. A `since` in the
 * future means that the clock was set back since the last sweep. This sweep then goes back by the same amount. It also
 * goes ahead to every verification created before the clock change, because those count as expired.
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

/** Announces the expiry of one verification, unless it was already announced. */
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
        // Cancels the send jobs of messages that still wait for their provider. A job that survives finds out by itself
        // that the message has expired.
        const waiting = loaded.verification.deliveries.filter(({ status }) => status === "PENDING")
        yield* Effect.forEach(waiting, ({ id }) => jobStore.cancel(sendKey(id)), { discard: true })
      })
    ).pipe(
      // One failed announcement must not block the others. The sweeps that go back find it again for a while.
      Effect.catchTag("Contended", (error) => passOver(id, Cause.fail(error))),
      Effect.catchDefect((defect) => passOver(id, Cause.die(defect)))
    )
})

/**
 * Announces verifications that expired without a correct code. A single endless job, shared by all processes, scans the
 * index of expiries forward from where the last sweep stopped.
 */
export const layer: Layer.Layer<never, never, Channels | Jobs | JobStore | Outbox | VerificationStore> =
  Layer.effectDiscard(
    Effect.gen(function* () {
      const jobs = yield* Jobs
      const outbox = yield* Outbox
      const store = yield* VerificationStore
      const announce = yield* makeAnnounce

      /** Returns where the scan stopped early, or null when it reached the end. */
      const look = Effect.fnUntraced(function* (from: Place, until: Instant) {
        const elapsed = yield* stopwatch
        let after = from
        for (;;) {
          const expired = yield* store.expired({ after, until, limit: pageSize })
          yield* Effect.forEach(expired, announce, { concurrency: atOnce, discard: true })
          const last = expired.at(-1)
          if (last === undefined || expired.length < pageSize) return null
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
          const nextRun: JobOutcome = {
            _tag: "Later",
            runAt: stopped === null ? now + every : now,
            reason: "continues",
            payload: { ...place, thorough: isThorough ? now : (job.payload.thorough ?? 0) }
          }
          return nextRun
        })

      yield* jobs.handle(expiryKind, handle)

      const add = Effect.flatMap(Clock.currentTimeMillis, (now) =>
        outbox.addMissing({ jobs: [begin(now)], done: null })
      )
      yield* Effect.forkScoped(Effect.retry(add, Schedule.spaced("5 seconds")))
    })
  )
