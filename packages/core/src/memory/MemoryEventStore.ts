import { Effect } from "effect"
import type { Event } from "../foundation/event/Event.ts"
import type { EventStore } from "../foundation/event/EventStore.ts"

interface Row {
  readonly environment: string
  readonly id: string
  readonly type: string
  readonly text: string
}

const encode = (event: Event): Row => ({
  environment: event.environment,
  id: event.id,
  type: event.type,
  text: JSON.stringify(event)
})

const decode = ({ text }: Row) => JSON.parse(text) as Event

/** The events of a memory storage, kept as text so that no caller can mutate them. */
export class MemoryEvents {
  readonly #events = new Map<string, Map<string, Row>>()

  /** Encodes events, and returns the step that adds them. An existing event stays as it is. */
  prepare(events: ReadonlyArray<Event>): () => void {
    const rows = events.map(encode)
    return () => {
      for (const row of rows) {
        const mine = this.#events.get(row.environment) ?? new Map<string, Row>()
        this.#events.set(row.environment, mine)
        if (!mine.has(row.id)) mine.set(row.id, row)
      }
    }
  }

  /** Replaces events by their reduced form. Deleted events stay deleted. */
  replace(events: ReadonlyArray<Event>): void {
    for (const row of events.map(encode)) {
      const mine = this.#events.get(row.environment)
      if (mine?.has(row.id) === true) mine.set(row.id, row)
    }
  }

  environments(): ReadonlyArray<string> {
    return [...this.#events].flatMap(([environment, rows]) => (rows.size === 0 ? [] : [environment]))
  }

  /** Deletes at most `limit` events with ids before this id. Returns how many. */
  forget(environment: string, before: string, limit: number): number {
    const mine = this.#events.get(environment)
    const old = [...(mine?.keys() ?? [])].filter((id) => id < before).slice(0, limit)
    for (const id of old) mine?.delete(id)
    return old.length
  }

  readonly service: EventStore["Service"] = {
    get: (environment, id) =>
      Effect.sync(() => {
        const row = this.#events.get(environment)?.get(id)
        return row === undefined ? null : decode(row)
      }),
    list: ({ after, environment, limit, type }) =>
      Effect.sync(() =>
        [...(this.#events.get(environment)?.values() ?? [])]
          .filter((row) => (type === null || row.type === type) && (after === null || row.id < after))
          .sort((a, b) => (a.id < b.id ? 1 : -1))
          .slice(0, limit)
          .map(decode)
      )
  }
}
