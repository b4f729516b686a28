import { Clock, Context, Effect, Latch, Layer, Queue, Schema, Stream } from "effect"
import type { Event } from "../../foundation/event/Event.ts"
import { EventStore } from "../../foundation/event/EventStore.ts"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import type { LeadView } from "../../engagement/lead/LeadView.ts"
import { Leads } from "../../engagement/lead/Leads.ts"
import type { Caller } from "../../account/merchant/Caller.ts"
import { logStoreError } from "../../foundation/storage/logStoreError.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { seconds } from "../../foundation/time/Instant.ts"
import { statusAt, type Verification } from "../../auth/verification/Verification.ts"
import { VerificationStore } from "../../auth/verification/VerificationStore.ts"

/** So many look on at one environment in each process already: all together, or one person alone. */
export class TooManyListeners extends Schema.TaggedError<TooManyListeners>()("TooManyListeners", {
  most: Schema.Int
}) {}

const mostListeners = 20
/** Of one person, so that nobody takes the places of all others. */
const mostOfPerson = 5
const every = "1 second"
/** A commit may take so long after its event was named: what comes late is not passed over. */
const overlap = seconds(10)
/** Events of one look, and of one return. More are a reset. */
const mostAtOnce = 200
/** What waits for a listener that reads slowly. More are a reset. */
const mostWaiting = 256

type Listener = { readonly queue: Queue.Queue<Live.Item>; readonly caller: Caller; lost: boolean }

/** How many there are at most, where no more can listen; null where there is room for this caller. */
const fullFor = ({ person }: Caller, listeners: ReadonlySet<Listener>): number | null => {
  if (listeners.size >= mostListeners) return mostListeners
  if (person === null) return null
  const own = [...listeners].filter(({ caller }) => caller.person?.agentId === person.agentId)
  return own.length >= mostOfPerson ? mostOfPerson : null
}

interface Watched {
  readonly listeners: Set<Listener>
  /** Events of the last seconds that were passed on. */
  seen: ReadonlySet<string>
  since: string
}

/**
 * Verifications and leads as they move, of one environment. Storage is asked once a second for all listeners of the
 * process together, and only while somebody listens, so any number of processes may commit what is shown.
 */
export class Live extends Context.Service<
  Live,
  {
    /** What moves from now on; with `after`, first what moved since that item, or a `reset`. */
    readonly listen: (caller: Caller, after: string | null) => Effect.Effect<Stream.Stream<Live.Item>, TooManyListeners>
  }
>()("@countersign/core/search/Live") {
  static readonly layerNoDeps: Layer.Layer<Live, never, EventStore | VerificationStore | Leads> = Layer.effect(
    Live,
    Effect.gen(function* () {
      const events = yield* EventStore
      const verifications = yield* VerificationStore
      const leads = yield* Leads
      const watched = new Map<string, Watched>()
      const listening = Latch.makeUnsafe(false)

      /** Events after one, the oldest first; null when there are more than are told at once. */
      const eventsSince = Effect.fnUntraced(function* (environment: string, since: string) {
        const found = yield* events.list({ environment, type: null, after: null, limit: mostAtOnce + 1 })
        const newer = found.filter(({ id }) => id > since)
        return newer.length > mostAtOnce ? null : newer.reverse()
      })

      const itemOf = Effect.fnUntraced(function* (
        caller: Caller,
        { data, id, type }: Event
      ): Effect.fn.Return<Live.Item | null, StoreError> {
        if (type === "message.received" && "leadId" in data) {
          const lead = yield* Effect.catchTag(leads.get(caller, data.leadId), "UnknownLead", () => Effect.succeed(null))
          return lead === null ? null : { kind: "lead", id, lead }
        }
        if (!("requestId" in data)) return null
        const found = yield* verifications.find(caller.environment, data.requestId)
        const now = yield* Clock.currentTimeMillis
        return found === null
          ? null
          : { kind: "verification", id, verification: { ...found, status: statusAt(found, now) } }
      })

      /** Of several events of one thing the last is told: all would show it as it is now. */
      const itemsOf = Effect.fnUntraced(function* (caller: Caller, told: ReadonlyArray<Event>) {
        const last = new Map<string, Event>()
        for (const event of told) {
          const { data } = event
          const key = "requestId" in data ? data.requestId : "leadId" in data ? `lead ${data.leadId}` : event.id
          last.delete(key)
          last.set(key, event)
        }
        const items = yield* Effect.forEach([...last.values()], (event) => itemOf(caller, event))
        return items.filter((item) => item !== null)
      })

      const offer = (listener: Listener, item: Live.Item) => {
        if (!Queue.offerUnsafe(listener.queue, item)) listener.lost = true
      }

      const look = Effect.fnUntraced(function* (environment: string, watch: Watched) {
        const [first] = watch.listeners
        if (first === undefined) return
        const now = yield* Clock.currentTimeMillis
        // The clock was set back: what moves from now on has ids before those that were told.
        if (watch.since > Identifier.first("evt", now + overlap)) {
          watch.since = Identifier.first("evt", now)
          for (const listener of watch.listeners) listener.lost = true
        }
        const newer = yield* eventsSince(environment, watch.since)
        if (newer === null) {
          for (const listener of watch.listeners) listener.lost = true
        }
        const fresh = (newer ?? []).filter(({ id }) => !watch.seen.has(id))
        for (const item of yield* itemsOf(first.caller, fresh)) {
          for (const listener of watch.listeners) offer(listener, item)
        }
        for (const listener of watch.listeners) {
          if (listener.lost && Queue.offerUnsafe(listener.queue, { kind: "reset" })) listener.lost = false
        }
        const since = Identifier.first("evt", now - overlap)
        watch.since = newer === null ? Identifier.first("evt", now) : since > watch.since ? since : watch.since
        watch.seen = new Set((newer ?? []).map(({ id }) => id).filter((id) => id > watch.since))
      })

      const round = Effect.suspend(() =>
        Effect.forEach(
          [...watched],
          ([environment, watch]) =>
            look(environment, watch).pipe(
              Effect.catchTag("StoreError", (error) => logStoreError("What moves could not be looked at", error))
            ),
          { discard: true, concurrency: 4 }
        )
      )
      yield* Effect.andThen(listening.await, Effect.delay(round, every)).pipe(Effect.forever, Effect.forkScoped)

      const watchOf = ({ environment }: Caller, now: number): Watched =>
        watched.get(environment) ?? { listeners: new Set(), seen: new Set(), since: Identifier.first("evt", now) }

      const leave = (watch: Watched, listener: Listener) =>
        Effect.sync(() => {
          watch.listeners.delete(listener)
          const { environment } = listener.caller
          if (watch.listeners.size === 0 && watched.get(environment) === watch) watched.delete(environment)
          if (watched.size === 0) listening.closeUnsafe()
        })

      /** What somebody missed who was away. Where that cannot be told, they look at the lists. */
      const missedSince = (caller: Caller, after: string) =>
        Effect.gen(function* () {
          const newer = Identifier.is("evt", after) ? yield* eventsSince(caller.environment, after) : null
          return newer === null ? null : yield* itemsOf(caller, newer)
        }).pipe(
          Effect.catchTag("StoreError", (error) =>
            Effect.as(logStoreError("What was missed could not be looked at", error), null)
          ),
          Effect.map((items): ReadonlyArray<Live.Item> => items ?? [{ kind: "reset" }])
        )

      const listen = Effect.fnUntraced(function* (caller: Caller, after: string | null) {
        const now = yield* Clock.currentTimeMillis
        const most = fullFor(caller, watchOf(caller, now).listeners)
        if (most !== null) return yield* new TooManyListeners({ most })
        // Whose answer is not read, as with HEAD, has no place: nobody would ever leave it.
        return Stream.unwrap(
          Effect.gen(function* () {
            const watch = watchOf(caller, now)
            if (fullFor(caller, watch.listeners) !== null) return Stream.empty
            const listener: Listener = { queue: yield* Queue.dropping<Live.Item>(mostWaiting), caller, lost: false }
            yield* Effect.acquireRelease(
              Effect.sync(() => {
                watched.set(caller.environment, watch)
                watch.listeners.add(listener)
                listening.openUnsafe()
              }),
              () => leave(watch, listener)
            )
            const missed = after === null ? [] : yield* missedSince(caller, after)
            return Stream.concat(Stream.fromIterable(missed), Stream.fromQueue(listener.queue))
          })
        )
      })

      return Live.of({ listen })
    })
  )
}

export declare namespace Live {
  /** Something moved. `id` is where a listener that comes back goes on. */
  export type Item =
    | { readonly kind: "verification"; readonly id: string; readonly verification: Verification }
    | { readonly kind: "lead"; readonly id: string; readonly lead: LeadView }
    /** Something was left out: look at the lists again. */
    | { readonly kind: "reset" }
}
