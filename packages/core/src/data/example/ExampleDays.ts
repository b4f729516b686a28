import { Clock, Context, Effect, Layer, References } from "effect"
import * as RequestKey from "../../foundation/outbox/RequestKey.ts"
import { AuditStore } from "../../account/audit/AuditStore.ts"
import { doneBefore } from "../../account/audit/doneBefore.ts"
import { InvalidField } from "../../foundation/identity/InvalidField.ts"
import type { Caller } from "../../account/merchant/Caller.ts"
import { Merchants } from "../../account/merchant/Merchants.ts"
import { auditEntry } from "../../foundation/outbox/AuditEntry.ts"
import { Gate } from "../../foundation/outbox/Gate.ts"
import { type JobOutcome, Jobs, type Work } from "../../foundation/outbox/Jobs.ts"
import { JobStore } from "../../foundation/outbox/JobStore.ts"
import { Outbox } from "../../foundation/outbox/Outbox.ts"
import { Keyring } from "../../foundation/secret/Keyring.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { seconds } from "../../foundation/time/Instant.ts"
import { stopwatch } from "../../foundation/time/steadyTime.ts"
import { ExampleDayRuns, OnlyInTest } from "./ExampleError.ts"
import { exampleGate, exampleJob, exampleKey, exampleKind, type ExamplePayload } from "./exampleJobs.ts"
import { playConversation } from "./playConversation.ts"
import { playVisit } from "./playVisit.ts"
import { type Scene, scenesOf } from "./scenes.ts"
import { buildStage } from "./stage.ts"

/** How many scenes share a stage. When a process dies, these scenes run again. */
const atOnce = 12
/** How long a part runs before other jobs get their turn. */
const longestTurn = seconds(2)
/** A part that failed this often is not retried, and ends the day. */
const mostFailures = 5
const usualSeed = 1
const completed: JobOutcome = { _tag: "Completed" }

export interface ExampleRequest {
  /** The same seed gives the same day. */
  readonly seed?: number | null | undefined
}

export interface BegunExample {
  readonly seed: number
  /** How many people visit, apart from those who write messages. */
  readonly scenes: number
}

/**
 * Fills a test environment with simulated data: the last 24 hours, and the same day a week before. Simulated people
 * request codes, type them, mistype them or leave. Messages arrive late, bounce, or find a provider down. Everything
 * goes through the real services, at a simulated time.
 *
 * @example
 * ```ts
 * import { type Caller, ExampleDays } from "@countersign/core"
 * import { Effect } from "effect"
 *
 * const fill = Effect.fn(function* (caller: Caller) {
 *   const days = yield* ExampleDays
 *   const { scenes } = yield* days.begin(caller, {}) // goes on in the background
 *   return scenes
 * })
 * ```
 */
export class ExampleDays extends Context.Service<
  ExampleDays,
  {
    /** Whether an example day is running. */
    readonly isPlaying: (caller: Caller) => Effect.Effect<boolean, StoreError>
    /** Starts an example day in the background: one at a time in an environment, and never in `live`. */
    readonly begin: (
      caller: Caller,
      request: ExampleRequest
    ) => Effect.Effect<BegunExample, OnlyInTest | ExampleDayRuns | InvalidField | StoreError>
  }
>()("@countersign/core/example/ExampleDays") {
  static readonly layer = Layer.effect(
    ExampleDays,
    Effect.gen(function* () {
      const audit = yield* AuditStore
      const jobs = yield* Jobs
      const jobStore = yield* JobStore
      const outbox = yield* Outbox
      const merchants = yield* Merchants
      const keyring = yield* Keyring
      const inside = yield* Effect.context<Effect.Services<ReturnType<typeof buildStage>>>()

      /** Plays scenes of an environment, each to its end. */
      const play = Effect.fnUntraced(function* (caller: Caller, scenes: ReadonlyArray<Scene>) {
        const [first] = scenes
        if (first === undefined) return
        const stage = yield* buildStage(first.at)
        for (const scene of scenes) {
          if (scene._tag === "Visit") playVisit(stage, caller, scene)
          else playConversation(stage, keyring, caller, scene)
        }
        yield* stage.agenda.play
      }, Effect.scoped)

      const handle = Effect.fnUntraced(function* (job: Work<ExamplePayload>) {
        const { environment, payload } = job
        if (job.failures >= mostFailures) {
          yield* Effect.logError("An example day stopped before its end", { environment })
          return completed
        }
        const owner = yield* merchants.environment(environment)
        if (owner?.kind !== "test") return completed
        const caller = yield* merchants.callerIn(environment, "example")
        const scenes = yield* scenesOf(payload.seed, payload.ends)
        const elapsed = yield* stopwatch
        let { played } = payload
        while (played < scenes.length) {
          yield* play(caller, scenes.slice(played, played + atOnce)).pipe(
            // Failures here are intended, so they stay out of the operator's log.
            Effect.provideService(References.MinimumLogLevel, "Error")
          )
          played += atOnce
          const now = yield* Clock.currentTimeMillis
          const again: JobOutcome = { _tag: "Later", runAt: now, reason: "continues", payload: { ...payload, played } }
          if (elapsed() >= longestTurn) return again
        }
        return completed
      })

      yield* jobs.pass(new Gate({ name: exampleGate, places: 1 }))
      yield* jobs.handle(exampleKind, (job) => Effect.provide(handle(job), inside))

      const isPlaying = ({ environment }: Caller) => jobStore.holds(exampleKey(environment))

      return ExampleDays.of({
        isPlaying,
        begin: Effect.fnUntraced(function* (caller, { seed: given = null }) {
          if (caller.kind !== "test") return yield* new OnlyInTest()
          const seed = given ?? usualSeed
          if (!Number.isSafeInteger(seed)) {
            return yield* new InvalidField({ field: "seed", problem: "must be a whole number" })
          }
          const { environment } = caller
          const now = yield* Clock.currentTimeMillis
          const begun = Effect.map(scenesOf(seed, now), ({ length }) => ({ seed, scenes: length }))
          if ((yield* doneBefore(audit, caller.merchantId)) !== null) return yield* begun
          if (yield* isPlaying(caller)) return yield* new ExampleDayRuns()
          const deed = {
            action: "example.begun",
            target: { kind: "environment", id: environment },
            to: { seed }
          }
          yield* outbox.addMissing({
            jobs: [exampleJob(environment, seed, now)],
            done: null,
            audited: yield* RequestKey.marked([auditEntry(caller, deed, now)])
          })
          return yield* begun
        })
      })
    })
  )
}
