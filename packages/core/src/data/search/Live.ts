import { Clock, Context, Effect, Latch, Layer, Queue, Schema, Stream } from "effect"
import type { Event } from "../../foundation/event/Event.ts"
import { EventStore } from "../../foundation/event/EventStore.ts"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import type { LeadView } from "../../engagement/lead/LeadView.ts"
import { Leads } from "../../engagement/lead/Leads.ts"
import { LeadStore } from "../../engagement/lead/LeadStore.ts"
import { presenceLasts, PresenceStore, type Viewer, viewersOf } from "../../engagement/lead/Presence.ts"
import type { Caller } from "../../account/merchant/Caller.ts"
import { logStoreError } from "../../foundation/storage/logStoreError.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { seconds } from "../../foundation/time/Instant.ts"
import { shownAt, type Verification } from "../../auth/verification/Verification.ts"
import { VerificationStore } from "../../auth/verification/VerificationStore.ts"

/** The most listeners of an environment in each process, in total and for a single person. */
export class TooManyListeners extends Schema.TaggedError<TooManyListeners>()("TooManyListeners", {
  most: Schema.Int
}) {}

const mostListeners = 20
/** The limit per person, so that a single user cannot take every place. */
const mostOfPerson = 5
const every = "1 second"
/** How long a commit may take after its event got its id. The feed still delivers events this late. */
const overlap = seconds(10)
/** The most events per poll, and per reconnect. More cause a reset. */
const mostAtOnce = 200
/** How many events may wait for a slow listener. More cause a reset. */
const mostWaiting = 256

type Listener = {
  readonly queue: Queue.Queue<Live.Item>
  readonly caller: Caller
  lost: boolean
  /** The viewers that this listener was told last. */
  viewers: string
}

const noViewers = JSON.stringify([])

/** The limit that is reached; null when there is room for this caller. */
const fullFor = ({ person }: Caller, listeners: ReadonlySet<Listener>): number | null => {
  if (listeners.size >= mostListeners) return mostListeners
  if (person === null) return null
  const ownListeners = [...listeners].filter(({ caller }) => caller.person?.agentId === person.agentId)
  return ownListeners.length >= mostOfPerson ? mostOfPerson : null
}

interface Watched {
  readonly listeners: Set<Listener>
  /** The events that were delivered in the last seconds. */
  seen: ReadonlySet<string>
  since: string
  /** The changes of leads that were delivered in the last seconds. */
  noticed: ReadonlySet<string>
}

/**
 * A live feed of an environment's verifications and leads. A process reads storage once a second for all its listeners
 * together, and only while there are listeners. So any number of processes may commit the changes.
 */
export class Live extends Context.Service<
  Live,
  {
    /** Changes from now on. With `after`, first the changes since that item, or a `reset`. */
    readonly listen: (caller: Caller, after: string | null) => Effect.Effect<Stream.Stream<Live.Item>, TooManyListeners>
  }
>()("@countersign/core/search/Live") {
  static readonly layerNoDeps: Layer.Layer<
    Live,
    never,
    EventStore | VerificationStore | Leads | LeadStore | PresenceStore
  > = Layer.effect(
    Live,
    Effect.gen(function* () {
      const events = yield* EventStore
      const verifications = yield* VerificationStore
      const leads = yield* Leads
      const leadStore = yield* LeadStore
      const presences = yield* PresenceStore
      const watched = new Map<string, Watched>()
      const listening = Latch.makeUnsafe(false)

      /** Events after the given event, oldest first; null when there are too many. */
      const eventsSince = Effect.fnUntraced(function* (environment: string, since: string) {
        const recentEvents = yield* events.list({ environment, type: null, after: null, limit: mostAtOnce + 1 })
        const newer = recentEvents.filter(({ id }) => id > since)
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
        const verification = yield* verifications.find(caller.environment, data.requestId)
        const now = yield* Clock.currentTimeMillis
        return verification === null ? null : { kind: "verification", id, verification: shownAt(verification, now) }
      })

      /** Delivers only the last of several events about the same thing, because each would show its current state. */
      const itemsOf = Effect.fnUntraced(function* (caller: Caller, newEvents: ReadonlyArray<Event>) {
        const last = new Map<string, Event>()
        for (const event of newEvents) {
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

      /** Tells signed-in listeners who has which lead open, when that changed since they were told. */
      const tellViewers = Effect.fnUntraced(function* (environment: string, watch: Watched) {
        const people = [...watch.listeners].filter(({ caller }) => caller.person !== null)
        if (people.length === 0) return
        const now = yield* Clock.currentTimeMillis
        const viewers = viewersOf(yield* presences.present(environment, now - presenceLasts), now)
        const text = JSON.stringify(viewers)
        for (const listener of people) {
          if (listener.viewers === text) continue
          // A queue without room is about to be reset, so this listener is told at the next look.
          if (Queue.offerUnsafe(listener.queue, { kind: "viewers", viewers })) listener.viewers = text
        }
      })

      const look = Effect.fnUntraced(function* (environment: string, watch: Watched) {
        const [first] = watch.listeners
        if (first === undefined) return
        const now = yield* Clock.currentTimeMillis
        // The clock was set back: new ids are lower than those already delivered.
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

      /** Tells listeners which leads changed, so that their pages read them again. A read mark concerns one agent. */
      const tellChanges = Effect.fnUntraced(function* (environment: string, watch: Watched) {
        const now = yield* Clock.currentTimeMillis
        const recent = yield* leadStore.changes(environment, now)
        const fresh = recent.filter(({ id }) => !watch.noticed.has(id))
        watch.noticed = new Set(recent.map(({ id }) => id))
        for (const listener of watch.listeners) {
          const own = listener.caller.person?.agentId
          const concerning = fresh.filter(({ agentId }) => agentId === null || agentId === own)
          const leads = [...new Set(concerning.map(({ leadId }) => leadId))].sort((a, b) => a - b)
          if (leads.length > 0) offer(listener, { kind: "changed", leads })
        }
      })

      const round = Effect.suspend(() =>
        Effect.forEach(
          [...watched],
          ([environment, watch]) =>
            look(environment, watch).pipe(
              Effect.andThen(tellChanges(environment, watch)),
              Effect.andThen(tellViewers(environment, watch)),
              Effect.catchTag("StoreError", (error) => logStoreError("Live changes could not be read", error))
            ),
          { discard: true, concurrency: 4 }
        )
      )
      yield* Effect.andThen(listening.await, Effect.delay(round, every)).pipe(Effect.forever, Effect.forkScoped)

      const watchOf = ({ environment }: Caller, now: number): Watched =>
        watched.get(environment) ?? {
          listeners: new Set(),
          seen: new Set(),
          since: Identifier.first("evt", now),
          noticed: new Set()
        }

      const leave = (watch: Watched, listener: Listener) =>
        Effect.sync(() => {
          watch.listeners.delete(listener)
          const { environment } = listener.caller
          if (watch.listeners.size === 0 && watched.get(environment) === watch) watched.delete(environment)
          if (watched.size === 0) listening.closeUnsafe()
        })

      /** Returns the changes that a reconnecting listener missed, or a reset when they are unknown. */
      const missedSince = (caller: Caller, after: string) =>
        Effect.gen(function* () {
          const newer = Identifier.is("evt", after) ? yield* eventsSince(caller.environment, after) : null
          return newer === null ? null : yield* itemsOf(caller, newer)
        }).pipe(
          Effect.catchTag("StoreError", (error) =>
            Effect.as(logStoreError("Missed live changes could not be read", error), null)
          ),
          Effect.map((items): ReadonlyArray<Live.Item> => items ?? [{ kind: "reset" }])
        )

      const listen = Effect.fnUntraced(function* (caller: Caller, after: string | null) {
        const now = yield* Clock.currentTimeMillis
        const most = fullFor(caller, watchOf(caller, now).listeners)
        if (most !== null) return yield* new TooManyListeners({ most })
        // A request without a response body, such as HEAD, gets no place, because it would never free it.
        return Stream.unwrap(
          Effect.gen(function* () {
            const watch = watchOf(caller, now)
            if (fullFor(caller, watch.listeners) !== null) return Stream.empty
            const listener: Listener = {
              queue: yield* Queue.dropping<Live.Item>(mostWaiting),
              caller,
              lost: false,
              viewers: noViewers
            }
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
  /** A change. A reconnecting listener continues after `id`. */
  export type Item =
    | { readonly kind: "verification"; readonly id: string; readonly verification: Verification }
    | { readonly kind: "lead"; readonly id: string; readonly lead: LeadView }
    /** All agents who have a lead open now, after a change. Only signed-in listeners receive it. */
    | { readonly kind: "viewers"; readonly viewers: ReadonlyArray<Viewer> }
    /** Leads that changed in any way, by their ids. Read marks of an agent go to that agent alone. */
    | { readonly kind: "changed"; readonly leads: ReadonlyArray<number> }
    /** Some changes were left out: the client must reload its lists. */
    | { readonly kind: "reset" }
}
