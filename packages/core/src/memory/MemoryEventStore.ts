import { Effect } from "effect"
import type { Event } from "../event/Event.ts"
import type { EventStore } from "../event/EventStore.ts"

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

/** The events of one memory storage. They are kept as text, so that nobody can change one by holding on to it. */
export class MemoryEvents {
  readonly #events = new Map<string, Map<string, Row>>()

  /** Makes the text of events, and answers the step that adds them. One that is there already stays as it is. */
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
