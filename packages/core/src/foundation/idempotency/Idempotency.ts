import { Clock, Context, Effect, Exit, Layer, Schema } from "effect"
import * as Identifier from "../identity/Identifier.ts"
import { logStoreError } from "../storage/logStoreError.ts"
import type { StoreError } from "../storage/StoreError.ts"
import * as RetryLater from "../storage/RetryLater.ts"
import { Keyring } from "../secret/Keyring.ts"
import * as Seal from "../secret/Seal.ts"
import { hours, type Instant, seconds } from "../time/Instant.ts"
import type { ClockStore } from "../storage/ClockStore.ts"
import * as Timekeeper from "../storage/Timekeeper.ts"
import { stopwatch } from "../time/steadyTime.ts"
import { RequestKey } from "../outbox/RequestKey.ts"
import { brief, effectOf, fingerprintOf, isFingerprintOf } from "./fingerprint.ts"
import { IdempotencyStore } from "./IdempotencyStore.ts"

/** The idempotency key was used before with another request body. */
export class IdempotencyKeyReused extends Schema.TaggedError<IdempotencyKeyReused>()("IdempotencyKeyReused", {}) {}

/** The first request with this key is still running. Retry later. */
export class StillRunning extends Schema.TaggedError<StillRunning>()("StillRunning", {}) {}

/** How long a response is stored. */
export const keptFor = hours(24)
/** The lease of a running request. After it, the request counts as dead and a repeat may run. */
const lease = seconds(15)
const mostWaiting = seconds(20)
const purgeEvery = hours(1)
/** The longest response that is stored, in characters. A repeat of a request with a longer one runs again. */
export const mostKept = 1_000_000
const firstWait = 10
const longestWait = 250

/**
 * Runs a request once per idempotency key and replays the stored response to every repeat. A repeat of a request
 * without a stored response runs again; with its `RequestKey` it finds what the earlier try did.
 *
 * @example
 * ```ts
 * import { Idempotency } from "@countersign/core"
 * import { Effect } from "effect"
 *
 * const program = Effect.gen(function* () {
 *   const idempotency = yield* Idempotency
 *   const scope = { environment: "env_1", endpoint: "POST /orders", key: "9b2f5c1e-6f0a-4d0b-9a53-0d5c3f1e7a11" }
 *   const order = Effect.succeed({ status: 201, body: "{}" })
 *   // Run twice, it orders once: the second time `replayed` is true.
 *   return yield* idempotency.once(scope, "{}", order, ({ status }) => status < 500)
 * })
 * ```
 */
export class Idempotency extends Context.Service<
  Idempotency,
  {
    /**
     * Runs `run` at most once for a key whose response gets stored. A concurrent repeat waits up to 20 seconds for the
     * response. `body` is the request body, which a repeat must send again; only its HMAC is stored.
     *
     * `keep` decides whether to store a response. Temporary failures must not be replayed to a caller who retries. For
     * a response that is not stored, `mayHaveChanged` decides whether a repeat must look for earlier changes. If not,
     * and no earlier try may have changed something, the key is free again.
     */
    readonly once: <A extends IdempotencyStore.KeptAnswer, E, R>(
      scope: IdempotencyStore.Scope,
      body: string,
      run: Effect.Effect<A, E, R>,
      keep: (answer: A) => boolean,
      mayHaveChanged?: (answer: A) => boolean
    ) => Effect.Effect<
      | { readonly replayed: false; readonly answer: A }
      | { readonly replayed: true; readonly answer: IdempotencyStore.KeptAnswer },
      E | IdempotencyKeyReused | StillRunning | StoreError,
      R
    >
    /** Whether a request with this key has run or is running. Writes nothing. */
    readonly knows: (scope: IdempotencyStore.Scope) => Effect.Effect<boolean, StoreError>
  }
>()("@countersign/core/idempotency/Idempotency") {
  static readonly layer: Layer.Layer<Idempotency, never, ClockStore | IdempotencyStore | Keyring> = Layer.effect(
    Idempotency,
    Effect.gen(function* () {
      const store = yield* IdempotencyStore
      const keyring = yield* Keyring
      const retryLater = yield* RetryLater.make
      const time = yield* Timekeeper.make

      /** Responses contain tokens and new secrets, so they are stored encrypted. */
      const finish = (scope: IdempotencyStore.Scope, holder: string, { body, status }: IdempotencyStore.KeptAnswer) =>
        Effect.flatMap(Seal.seal(keyring, "kept-answer", body), (sealed) =>
          store.finish(scope, holder, { status, body: sealed })
        )
      const open = ({ body, status }: IdempotencyStore.KeptAnswer) =>
        Effect.map(Seal.open(keyring, "kept-answer", body), (opened) => ({ status, body: opened }))

      yield* Clock.currentTimeMillis.pipe(
        Effect.flatMap(time.aged),
        Effect.flatMap((now) => (now === null ? Effect.void : store.purge(now - keptFor))),
        Effect.catch((error) => logStoreError("Old idempotent responses were not deleted", error)),
        Effect.delay(purgeEvery),
        Effect.forever,
        Effect.forkScoped
      )

      const settle = <A extends IdempotencyStore.KeptAnswer, E>(
        scope: IdempotencyStore.Scope,
        holder: string,
        leasedUntil: Instant,
        isRepeat: boolean,
        exit: Exit.Exit<A, E>,
        keep: (answer: A) => boolean,
        mayHaveChanged: (answer: A) => boolean
      ) => {
        // A repeat may fail before it looks for changes of the earlier try. Then the next repeat must look as well.
        const isForgotten = !isRepeat && Exit.isSuccess(exit) && !mayHaveChanged(exit.value)
        const say =
          Exit.isSuccess(exit) && exit.value.body.length <= mostKept && keep(exit.value)
            ? finish(scope, holder, exit.value)
            : isForgotten
              ? store.release(scope, holder)
              : store.unlock(scope, holder)
        // When the response cannot be stored, a repeat runs again and finds the earlier changes by its `RequestKey`.
        return say.pipe(
          Effect.catch((error) =>
            Effect.andThen(
              logStoreError("An idempotent response is not recorded yet", error),
              retryLater(say, leasedUntil)
            )
          )
        )
      }

      return Idempotency.of({
        knows: (scope) => Effect.flatMap(Clock.currentTimeMillis, (now) => store.holds(scope, now - keptFor)),
        once: (scope, body, run, keep, mayHaveChanged = () => true) =>
          Effect.gen(function* () {
            const elapsed = yield* stopwatch
            const holder = Identifier.randomText(16)
            const told = yield* brief(body)
            let fingerprint = fingerprintOf(keyring, scope, told)
            for (let wait = firstWait; ; wait = Math.min(2 * wait, longestWait)) {
              const now = yield* Clock.currentTimeMillis
              const leasedUntil = now + lease
              const record = yield* store
                .begin({ scope, fingerprint, holder, now, leasedUntil, keptSince: now - keptFor })
                // The key may be taken although the answer was lost. Unlock it, so that a repeat does not wait for a
                // request that never ran.
                .pipe(
                  Effect.onExit((exit) =>
                    Exit.isFailure(exit) ? retryLater(store.unlock(scope, holder), leasedUntil) : Effect.void
                  )
                )
              if (record._tag === "Taken") {
                const derive = effectOf(keyring, fingerprint, scope, record.firstAt)
                const request = derive && { firstAt: record.firstAt, isRepeat: record.isRepeat, derive }
                const answer = yield* run.pipe(
                  Effect.provideService(RequestKey, request),
                  Effect.onExit((exit) =>
                    settle(scope, holder, leasedUntil, record.isRepeat, exit, keep, mayHaveChanged)
                  )
                )
                return { replayed: false, answer }
              }
              if (record.fingerprint !== fingerprint) {
                const same = isFingerprintOf(keyring, record.fingerprint, scope, told)
                if (same === null) return yield* new StillRunning()
                if (!same) return yield* new IdempotencyKeyReused()
                // The first request used the previous master secret. If it died, only a request with its fingerprint
                // can take over.
                fingerprint = record.fingerprint
                if (record.answer === null) continue
              }
              if (record.answer !== null) {
                // The secret that sealed the response was removed from the ring within a day, so it cannot be replayed.
                const answer = yield* Effect.mapError(open(record.answer), () => new StillRunning())
                return { replayed: true, answer }
              }
              if (elapsed() >= mostWaiting) return yield* new StillRunning()
              yield* Effect.sleep(wait)
            }
          })
      })
    })
  )
}
