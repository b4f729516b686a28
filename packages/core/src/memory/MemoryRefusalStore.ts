import { Effect } from "effect"
import type { Refusal } from "../data/search/Refusal.ts"
import type { RefusalStore } from "../data/search/RefusalStore.ts"
import type { MemoryOutbox } from "./MemoryOutbox.ts"

/** Memory storage is for trials: beyond this many refusals, it drops the oldest. */
const most = 10_000

export const makeRefusalStore = (outbox: MemoryOutbox): RefusalStore["Service"] => {
  const refusals = new Map<string, Refusal>()
  return {
    commit: (change) =>
      outbox.write(change, () => {
        for (const refusal of change.refusals) refusals.set(refusal.id, refusal)
        for (const [id] of refusals) {
          if (refusals.size <= most) break
          refusals.delete(id)
        }
      }),
    list: ({ before, environment, limit, persons, reason, since }) =>
      Effect.sync(() =>
        [...refusals.values()]
          .filter(
            (one) =>
              one.environment === environment &&
              one.id < before &&
              one.id >= since &&
              (reason === null || one.reason === reason) &&
              (persons === null || (one.person !== null && persons.includes(one.person)))
          )
          .sort((a, b) => (a.id < b.id ? 1 : -1))
          .slice(0, limit)
      ),
    forget: (environment, persons) =>
      Effect.sync(() => {
        for (const [id, refusal] of refusals) {
          const { person } = refusal
          if (refusal.environment !== environment || person === null) continue
          if (persons.includes(person)) refusals.set(id, { ...refusal, person: null })
        }
      })
  }
}
