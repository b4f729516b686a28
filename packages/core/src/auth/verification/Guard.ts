import { Clock, Context, Effect, Latch, Layer } from "effect"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import { logStoreError } from "../../foundation/storage/logStoreError.ts"
import { days, type Instant, minutes, seconds } from "../../foundation/time/Instant.ts"
import type { Verification } from "../verification/Verification.ts"
import { VerificationStore } from "../verification/VerificationStore.ts"
import { guardedOutcome } from "./guardedOutcome.ts"
import {
  type GuardedOutcome,
  type GuardedRequest,
  GuardMemory,
  usualTyping
} from "../../foundation/guard/GuardMemory.ts"
import type { Judgement } from "../../foundation/guard/GuardReason.ts"

/** How much of the past a process reads when it sees an environment for the first time. */
const past = { length: days(1), most: 50_000 } as const
const readAtOnce = 500
/** The least time between two reads of an environment. */
const readEvery = seconds(5)
/** By this age, nearly all codes are typed that ever will be. Each is read once more then. */
const settledTyping = minutes(3)
const mostEnvironments = 1_000
/** Codes that can still be typed expire within this time. They name the environments that are active. */
const longestLife = minutes(15)

interface Watched {
  readonly memory: GuardMemory
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
  }
>()("@countersign/core/guard/Guard") {
  static readonly layer: Layer.Layer<Guard, never, VerificationStore> = Layer.effect(
    Guard,
    Effect.gen(function* () {
      const store = yield* VerificationStore
      const watched = new Map<string, Watched>()
      const toRead = new Set<string>()
      const asked = Latch.makeUnsafe(false)

      const watch = (environment: string, now: Instant): Watched => {
        const known = watched.get(environment)
        if (known !== undefined) return known
        const [oldest] = watched.size < mostEnvironments ? [] : watched.keys()
        if (oldest !== undefined) watched.delete(oldest)
        const begins = now - past.length
        const made: Watched = { memory: new GuardMemory(), readUntil: begins, settledUntil: begins }
        watched.set(environment, made)
        return made
      }

      /** The outcomes of a time, newest first. */
      const outcomesIn = Effect.fnUntraced(function* (environment: string, from: Instant, to: Instant) {
        const outcomes: Array<GuardedOutcome> = []
        const since = Identifier.first("ver", from)
        let before = Identifier.first("ver", to)
        for (let read = 0; read < past.most; read += readAtOnce) {
          const page = { environment, filter: {}, since, before, now: to, limit: readAtOnce, most: readAtOnce }
          const { after, found } = yield* store.search(page)
          for (const verification of found) {
            const outcome = guardedOutcome(verification)
            if (outcome !== null) outcomes.push(outcome)
          }
          if (after === null) break
          before = after
        }
        return outcomes
      })

      const observeIn = Effect.fnUntraced(function* (
        { memory }: Watched,
        environment: string,
        from: Instant,
        to: Instant,
        now: Instant
      ) {
        const outcomes = yield* outcomesIn(environment, from, to)
        for (let at = outcomes.length - 1; at >= 0; at--) {
          memory.observe(outcomes[at]!, now)
          if (at % readAtOnce === 0) yield* Effect.yieldNow
        }
      })

      const read = Effect.fnUntraced(function* (environment: string) {
        const now = yield* Clock.currentTimeMillis
        const state = watch(environment, now)
        const { readUntil, settledUntil } = state
        const [to, settled] = [now - usualTyping, now - settledTyping]
        if (to - readUntil < readEvery) return
        yield* observeIn(state, environment, readUntil, to, now)
        state.readUntil = to
        // What has just been read for the first time is as it is now.
        const again = Math.min(settled, readUntil)
        if (again > settledUntil) yield* observeIn(state, environment, settledUntil, again, now)
        state.settledUntil = Math.max(settled, settledUntil)
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

      return Guard.of({
        judge: (environment, request, now) => {
          const { memory, readUntil } = watch(environment, now)
          if (now - usualTyping - readUntil >= readEvery && !toRead.has(environment)) {
            toRead.add(environment)
            asked.openUnsafe()
          }
          return memory.judge(request, now)
        },
        note: (verification, now) => {
          const outcome = guardedOutcome(verification)
          if (outcome !== null) watch(verification.environment, now).memory.observe(outcome, now)
        }
      })
    })
  )
}
