import { Clock, Context, Effect, Layer } from "effect"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import { LocalCounts } from "../../foundation/limit/LocalCounts.ts"
import { placesOfAddress } from "../../foundation/limit/placesOfAddress.ts"
import type { ClockStore } from "../../foundation/storage/ClockStore.ts"
import { logStoreError } from "../../foundation/storage/logStoreError.ts"
import * as Timekeeper from "../../foundation/storage/Timekeeper.ts"
import { days, hours } from "../../foundation/time/Instant.ts"
import { steadyNow } from "../../foundation/time/steadyTime.ts"
import type { Hook, HookEntry } from "./Hook.ts"
import { HookStore } from "./HookStore.ts"

/** How long a request stays in the list. */
const keptFor = days(30)
const purgeEvery = hours(1)
/** Requests of this time are written together, so the request itself waits for no list. */
const gatherFor = "1 second"
/** The most requests of one hook that are written together. At a higher rate, the list has only the newest. */
const mostSigned = 100
const mostUnsigned = 10
/** How many unsigned requests of one network an hour reach the list of a hook. */
const mostOfNetwork = 5

/** A request as its receiver notes it. */
export type Noted = Omit<HookEntry, "id" | "at" | "environment" | "hookId">

/** What one hook has to write. */
interface Gathered {
  readonly signed: Array<HookEntry>
  readonly unsigned: Array<HookEntry>
}

/**
 * The lists of what came in at hooks. A list is for people who set a hook up or look for a fault: it is written within a
 * second, not with the request, and a process that dies loses its last second. The deliveries themselves are durable.
 */
export class HookLog extends Context.Service<
  HookLog,
  {
    /** Adds a signed request to the list of its hook. */
    readonly signed: (hook: Hook, noted: Omit<Noted, "signed">) => Effect.Effect<void>
    /** Adds a request of a stranger, unless its network has sent many. */
    readonly unsigned: (hook: Hook, address: string | null, problem: string) => Effect.Effect<void>
    /** The list, newest first, with everything that this process has noted. */
    readonly list: HookStore["Service"]["requests"]
  }
>()("@countersign/core/hook/HookLog") {
  static readonly layer: Layer.Layer<HookLog, never, ClockStore | HookStore> = Layer.effect(
    HookLog,
    Effect.gen(function* () {
      const store = yield* HookStore
      const time = yield* Timekeeper.make
      const scope = yield* Effect.scope
      const strangers = new LocalCounts()
      let gathered = new Map<string, Gathered>()
      let isWaiting = false

      const flush = Effect.suspend(() => {
        const entries = [...gathered.values()].flatMap(({ signed, unsigned }) => [...signed, ...unsigned])
        gathered = new Map()
        isWaiting = false
        return entries.length === 0
          ? Effect.void
          : store
              .note(entries)
              .pipe(
                Effect.catchTag("StoreError", (error) =>
                  logStoreError("Requests are missing in the lists of their hooks", error)
                )
              )
      })

      yield* Effect.addFinalizer(() => flush)

      yield* Clock.currentTimeMillis.pipe(
        Effect.flatMap(time.aged),
        Effect.flatMap((now) => (now === null ? Effect.void : store.purge(now - keptFor))),
        Effect.catch((error) => logStoreError("Old requests of hooks were not deleted", error)),
        Effect.delay(purgeEvery),
        Effect.forever,
        Effect.forkScoped
      )

      const note = Effect.fnUntraced(function* ({ environment, id }: Hook, noted: Noted) {
        const at = yield* Clock.currentTimeMillis
        const entry: HookEntry = { ...noted, environment, hookId: id, at, id: Identifier.make("hrq", at) }
        const own = gathered.get(id) ?? { signed: [], unsigned: [] }
        gathered.set(id, own)
        const [entries, most] = noted.signed ? [own.signed, mostSigned] : [own.unsigned, mostUnsigned]
        if (entries.length >= most) entries.shift()
        entries.push(entry)
        if (isWaiting) return
        isWaiting = true
        yield* Effect.forkIn(Effect.delay(flush, gatherFor), scope)
      })

      return HookLog.of({
        signed: (hook, noted) => note(hook, { ...noted, signed: true }),
        unsigned: Effect.fnUntraced(function* (hook, address, problem) {
          const places = placesOfAddress(address, { key: hook.id, most: mostOfNetwork, limit: "refusals" })
          const now = yield* steadyNow
          if (places.some(({ key, most }) => strangers.secondsUntilFree(key, most, now) !== null)) return
          for (const { key } of places) strangers.count(key, now)
          yield* note(hook, {
            signed: false,
            outcome: "UNSIGNED",
            recipients: [],
            deliveryIds: [],
            purpose: null,
            errorCode: null,
            problem
          })
        }),
        list: (page) => Effect.andThen(flush, store.requests(page))
      })
    })
  )
}
