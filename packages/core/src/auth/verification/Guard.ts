import { Clock, Context, Effect, Latch, Layer } from "effect"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import { logStoreError } from "../../foundation/storage/logStoreError.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { days, hours, type Instant, minutes, seconds } from "../../foundation/time/Instant.ts"
import type { Verification } from "../verification/Verification.ts"
import { VerificationStore } from "../verification/VerificationStore.ts"
import { guardedOutcome } from "./guardedOutcome.ts"
import {
  type CountedSend,
  hasBudgets,
  type SendBudgets,
  SendCounts,
  uncounted
} from "../../foundation/limit/SendCounts.ts"
import { type GuardedRequest, GuardMemory, type MetWith, usualTyping } from "../../foundation/guard/GuardMemory.ts"
import type { GuardReason, Judgement } from "../../foundation/guard/GuardReason.ts"
import { tripKept } from "../../foundation/guard/Trip.ts"
import { TripStore } from "./TripStore.ts"
import type { Outbox } from "../../foundation/outbox/Outbox.ts"
import { type Blocked, makeTripLog } from "./makeTripLog.ts"

/** How much of the past a process reads when it sees an environment for the first time. */
const past = days(1)
const readAtOnce = 500
/** The least time between two reads of an environment. */
const readEvery = seconds(5)
/** By this age, nearly all codes are typed that ever will be. Each is read once more then. */
const settledTyping = minutes(3)
const mostEnvironments = 1_000
/** Codes that can still be typed expire within this time. They name the environments that are active. */
const longestLife = minutes(15)
/** How often a process announces its refusals, and stores how many requests the trips met. */
const announcedEvery = minutes(1)

type CountedMessage = readonly [number: string, deliveryId: string, at: Instant]

interface Watched {
  readonly memory: GuardMemory
  /** The messages of the last hour. Null until a budget is set. */
  counts: SendCounts | null
  /** Verifications that started before are in the memory. */
  readUntil: Instant
  /** Those that started before have been read again, after most people have typed their codes. */
  settledUntil: Instant
}

/**
 * Judges requests to send a code to a phone number, by which codes of the last day were typed.
 *
 * Each process keeps the counts in its memory. It notes its own verifications immediately, and reads those of other
 * processes from storage when they are a minute old. So nothing is stored for the guard, no two requests wait for each
 * other, and a process that was killed loses nothing: the next one reads the same verifications.
 */
export class Guard extends Context.Service<
  Guard,
  {
    /** Judges a request by memory alone, without waiting. Reads what other processes sent in the background. */
    readonly judge: (environment: string, request: GuardedRequest, now: Instant) => Judgement
    /** Notes the state of a verification that this process has committed. */
    readonly note: (verification: Verification, now: Instant) => void
    /**
     * Notes a request that has reasons and asks for a message: it may stop a place, or count as refused. Stores nothing
     * itself; the background does.
     */
    readonly meet: (
      environment: string,
      request: GuardedRequest,
      judgement: Judgement,
      met: MetWith & { readonly refusedFor: GuardReason | null },
      now: Instant
    ) => void
    /**
     * Counts a message to a phone number in the environment's budgets, in the memory of this process. Does nothing when
     * no budget is set.
     */
    readonly count: (
      environment: string,
      message: { readonly number: string; readonly deliveryId: string },
      budgets: Partial<SendBudgets>,
      now: Instant
    ) => CountedSend
  }
>()("@countersign/core/guard/Guard") {
  static readonly layer: Layer.Layer<Guard, never, Outbox | TripStore | VerificationStore> = Layer.effect(
    Guard,
    Effect.gen(function* () {
      const store = yield* VerificationStore
      const trips = yield* TripStore
      const tripLog = yield* makeTripLog
      const watched = new Map<string, Watched>()
      const toRead = new Set<string>()
      const asked = Latch.makeUnsafe(false)

      const watch = (environment: string, now: Instant): Watched => {
        const known = watched.get(environment)
        if (known !== undefined) return known
        const [oldest] = watched.size < mostEnvironments ? [] : watched.keys()
        if (oldest !== undefined) watched.delete(oldest)
        const begins = now - past
        const made: Watched = { memory: new GuardMemory(), counts: null, readUntil: begins, settledUntil: begins }
        watched.set(environment, made)
        return made
      }

      /** Passes on the verifications that started in a time, oldest first. */
      const readIn = Effect.fnUntraced(function* (
        environment: string,
        [from, to]: readonly [Instant, Instant],
        pass: (verification: Verification) => void
      ) {
        const before = Identifier.first("ver", to)
        for (let after: string | undefined = Identifier.first("ver", from); after !== undefined; ) {
          const page: ReadonlyArray<Verification> = yield* store.between(environment, {
            after,
            before,
            limit: readAtOnce
          })
          page.forEach(pass)
          after = page[readAtOnce - 1]?.id
        }
      })

      const read = Effect.fnUntraced(function* (environment: string): Effect.fn.Return<void, StoreError> {
        const now = yield* Clock.currentTimeMillis
        const known = watch(environment, now)
        const { counts, readUntil, settledUntil } = known
        const [to, settled] = [now - usualTyping, now - settledTyping]
        if (to - readUntil < readEvery) return
        known.memory.learnTrips(yield* trips.list(environment, now - tripKept), now)
        const messages: Array<CountedMessage> = []
        yield* readIn(environment, [readUntil, to], (verification) => {
          const outcome = guardedOutcome(verification)
          if (outcome !== null) known.memory.observe(outcome, now)
          const { deliveries, identity, kind } = verification
          if (counts === null || identity.type !== "MOBILE" || kind === "Number") return
          for (const { createdAt, id } of deliveries) {
            if (createdAt >= now - hours(1)) messages.push([identity.canonical, id, createdAt])
          }
        })
        // Only now: a read that fails is repeated, and a message must not count twice.
        for (const [number, id, at] of messages) counts?.learn(number, id, at, now)
        counts?.reported(to)
        // If the first budget was counted during the read, the messages must be read again.
        if (known.counts !== counts) return yield* read(environment)
        known.readUntil = to
        // What has just been read for the first time is as it is now.
        const again = Math.min(settled, readUntil)
        if (again > settledUntil) {
          yield* readIn(environment, [settledUntil, again], (verification) => {
            const outcome = guardedOutcome(verification)
            if (outcome !== null) known.memory.observeAgain(outcome)
          })
        }
        known.settledUntil = Math.max(settled, settledUntil)
      })

      /** Reads the past of active environments, so that few requests are judged without it after a start. */
      const readActive = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const after = { expiresAt: now, id: "" }
        const underWay = yield* store.expired({ after, until: now + longestLife, limit: mostEnvironments })
        for (const { environment } of underWay) toRead.add(environment)
        if (toRead.size > 0) asked.openUnsafe()
      })

      yield* Effect.gen(function* () {
        yield* asked.await
        asked.closeUnsafe()
        for (const environment of toRead) {
          yield* read(environment).pipe(
            Effect.catch((error) => logStoreError("The guard could not read the past", error))
          )
          toRead.delete(environment)
        }
      }).pipe(Effect.forever, Effect.forkScoped)
      yield* readActive.pipe(
        Effect.catch((error) => logStoreError("The guard could not read which environments are active", error)),
        Effect.forkScoped
      )

      const blocked = new Map<string, Map<GuardReason, Blocked>>()
      const hasTripped = Latch.makeUnsafe(false)
      const hasMet = Latch.makeUnsafe(false)

      const storeTrips = Effect.fnUntraced(function* (onlyNew: boolean) {
        for (const [environment, { memory }] of watched) {
          for (const trip of memory.takeTrips(onlyNew)) {
            yield* tripLog.store(environment, trip.report).pipe(
              Effect.map((stored) => {
                if (stored !== null) memory.learnTrips([stored], trip.report.since)
              }),
              Effect.catch((error) => {
                memory.keepTrip(trip)
                return Effect.logWarning("A place that the guard stopped was not stored; it is tried again", {
                  environment,
                  problem: error._tag
                })
              })
            )
          }
        }
      })

      const announceBlocked = Effect.suspend(() => {
        const refusals = [...blocked]
        blocked.clear()
        return Effect.forEach(
          refusals,
          ([environment, reasons]) =>
            tripLog
              .blocked(environment, reasons)
              .pipe(Effect.catch((error) => logStoreError("Refusals of the guard were not announced", error))),
          { discard: true }
        )
      })

      yield* hasTripped.await.pipe(
        Effect.andThen(Effect.sync(() => hasTripped.closeUnsafe())),
        Effect.andThen(storeTrips(true)),
        Effect.forever,
        Effect.forkScoped
      )
      yield* hasMet.await.pipe(
        Effect.andThen(Effect.sync(() => hasMet.closeUnsafe())),
        Effect.andThen(Effect.delay(Effect.andThen(storeTrips(false), announceBlocked), announcedEvery)),
        Effect.forever,
        Effect.forkScoped
      )
      yield* Effect.addFinalizer(() => Effect.andThen(storeTrips(false), announceBlocked))
      yield* Clock.currentTimeMillis.pipe(
        Effect.flatMap((now) => trips.purge(now - tripKept)),
        Effect.catch((error) => logStoreError("Old trips of the guard were not deleted", error)),
        Effect.delay(hours(1)),
        Effect.forever,
        Effect.forkScoped
      )

      /** Lets the background read what other processes sent. */
      const refresh = (environment: string, { readUntil }: Watched, now: Instant) => {
        if (now - usualTyping - readUntil < readEvery || toRead.has(environment)) return
        toRead.add(environment)
        asked.openUnsafe()
      }

      return Guard.of({
        judge: (environment, request, now) => {
          const known = watch(environment, now)
          refresh(environment, known, now)
          return known.memory.judge(request, now)
        },
        meet: (environment, request, judgement, met, now) => {
          if (watch(environment, now).memory.meet(request, judgement, met, now)) hasTripped.openUnsafe()
          if (met.refusedFor !== null) {
            const reasons = blocked.get(environment) ?? new Map<GuardReason, Blocked>()
            const { count, since } = reasons.get(met.refusedFor) ?? { count: 0, since: now }
            blocked.set(environment, reasons.set(met.refusedFor, { count: count + 1, since }))
          }
          hasMet.openUnsafe()
        },
        count: (environment, { deliveryId, number }, budgets, now) => {
          if (!hasBudgets(budgets)) return uncounted
          const known = watch(environment, now)
          if (known.counts === null) {
            known.counts = new SendCounts()
            known.readUntil = Math.min(known.readUntil, now - hours(1))
          }
          refresh(environment, known, now)
          return known.counts.take(number, deliveryId, budgets, now)
        },
        note: (verification, now) => {
          const outcome = guardedOutcome(verification)
          if (outcome !== null) watch(verification.environment, now).memory.observe(outcome, now)
        }
      })
    })
  )
}
