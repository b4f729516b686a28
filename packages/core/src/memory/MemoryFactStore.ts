import { Effect } from "effect"
import type { Fact, FactId } from "../foundation/outbox/Fact.ts"
import type { FactStore } from "../foundation/outbox/FactStore.ts"
import type { Instant } from "../foundation/time/Instant.ts"
import { memoryKey } from "./MemoryKey.ts"

interface Row extends FactId {
  readonly text: string
}

const isBefore = (a: Pick<Fact, "at" | "key">, b: Pick<Fact, "at" | "key">) =>
  a.at < b.at || (a.at === b.at && a.key < b.key)

const decode = ({ text }: Row) => JSON.parse(text) as Fact

const idOf = ({ at, key }: FactId) => memoryKey(String(at), key)

/** The facts of a memory storage, kept as text so that no caller can mutate them. */
export class MemoryFacts {
  /** By kind, environment and id. */
  readonly #facts = new Map<string, Map<string, Map<string, Row>>>()

  /** Encodes facts, and returns the step that adds them. An existing fact stays as it is. */
  prepare(facts: ReadonlyArray<Fact>): () => void {
    const rows = facts.map(
      ({ at, environment, key, kind, value }): Row => ({
        environment,
        kind,
        at,
        key,
        text: JSON.stringify({ environment, kind, at, key, value } satisfies Fact)
      })
    )
    return () => {
      for (const row of rows) {
        const environments = this.#facts.get(row.kind) ?? new Map<string, Map<string, Row>>()
        this.#facts.set(row.kind, environments)
        const mine = environments.get(row.environment) ?? new Map<string, Row>()
        environments.set(row.environment, mine)
        if (!mine.has(idOf(row))) mine.set(idOf(row), row)
      }
    }
  }

  remove(folded: ReadonlyArray<FactId>): void {
    for (const id of folded) {
      const environments = this.#facts.get(id.kind)
      const mine = environments?.get(id.environment)
      mine?.delete(idOf(id))
      if (mine?.size === 0) environments?.delete(id.environment)
    }
  }

  /** Removes all facts with this key, of any time. */
  forget(kind: string, environment: string, keys: ReadonlySet<string>): void {
    const mine = [...(this.#facts.get(kind)?.get(environment)?.values() ?? [])]
    this.remove(mine.filter(({ text }) => keys.has((JSON.parse(text) as Fact).key)).map((row) => decode(row)))
  }

  /** The facts of a time range; its end is exclusive. */
  within(kind: string, environment: string, from: Instant, to: Instant): ReadonlyArray<Fact> {
    const mine = this.#facts.get(kind)?.get(environment)?.values() ?? []
    return [...mine].filter(({ at }) => at >= from && at < to).map(decode)
  }

  readonly service: FactStore["Service"] = {
    environments: (kind) => Effect.sync(() => [...(this.#facts.get(kind)?.keys() ?? [])].sort()),
    list: ({ after, environment, kind, limit }) =>
      Effect.sync(() =>
        [...(this.#facts.get(kind)?.get(environment)?.values() ?? [])]
          .filter((row) => after === null || isBefore(after, row))
          .sort((a, b) => (isBefore(a, b) ? -1 : 1))
          .slice(0, limit)
          .map(decode)
      )
  }
}
