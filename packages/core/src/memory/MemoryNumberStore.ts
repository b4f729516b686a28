import { Effect } from "effect"
import type { ConnectedNumber } from "../account/number/ConnectedNumber.ts"
import type { NumberStore } from "../account/number/NumberStore.ts"
import { Conflict } from "../foundation/storage/Conflict.ts"
import type { MemoryOutbox } from "./MemoryOutbox.ts"

/** The connected numbers of one memory storage. */
export const makeNumberStore = (outbox: MemoryOutbox): NumberStore["Service"] => {
  const numbers = new Map<string, ConnectedNumber>()

  return {
    get: (id) => Effect.sync(() => structuredClone(numbers.get(id) ?? null)),
    list: (environment) =>
      Effect.sync(() =>
        structuredClone(
          [...numbers.values()]
            .filter((number) => number.environment === environment)
            .sort((a, b) => a.connectedAt - b.connectedAt || (a.id < b.id ? -1 : 1))
        )
      ),
    commit: (change) =>
      Effect.suspend(() => {
        const { id, version } = change.number
        if ((numbers.get(id)?.version ?? 0) !== version) return Effect.fail(new Conflict({ key: id }))
        return outbox.write(change, () => {
          const stored = structuredClone({ ...change.number, version: version + 1 })
          numbers.set(id, stored)
          return structuredClone(stored)
        })
      }),
    remove: (change) =>
      Effect.suspend(() => {
        const { environment, id, version } = change.number
        const known = numbers.get(id)
        if (known?.version !== version || known.environment !== environment)
          return Effect.fail(new Conflict({ key: id }))
        return outbox.write(change, () => {
          numbers.delete(id)
        })
      })
  }
}
