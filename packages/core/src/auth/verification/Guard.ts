import { Clock, Context, Effect, Latch, Layer } from "effect"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import { logStoreError } from "../../foundation/storage/logStoreError.ts"
import { days, type Instant, seconds } from "../../foundation/time/Instant.ts"
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
const mostEnvironments = 1_000

interface Watched {
  readonly memory: GuardMemory
  /** Verifications that started before are in the memory. */
  readUntil: Instant
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
        const made: Watched = { memory: new GuardMemory(), readUntil: now - past.length }
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

      const read = Effect.fnUntraced(function* (environment: string) {
        const now = yield* Clock.currentTimeMillis
        const { memory, readUntil } = watch(environment, now)
        const to = now - usualTyping
        if (to - readUntil < readEvery) return
        const outcomes = yield* outcomesIn(environment, readUntil, to)
        for (let at = outcomes.length - 1; at >= 0; at--) {
          memory.observe(outcomes[at]!, now)
          if (at % readAtOnce === 0) yield* Effect.yieldNow
        }
        const still = watched.get(environment)
        if (still !== undefined) still.readUntil = to
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
