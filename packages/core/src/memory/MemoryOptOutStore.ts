import { Effect } from "effect"
import { holdsAfter } from "../engagement/optOut/decisions.ts"
import type { OptOut, OptOutStore } from "../engagement/optOut/OptOutStore.ts"
import { memoryKey } from "./MemoryKey.ts"
import type { MemoryOutbox } from "./MemoryOutbox.ts"

/** The campaign opt-outs of a memory storage. */
export const makeOptOutStore = (outbox: MemoryOutbox): OptOutStore["Service"] => {
  const rows = new Map<string, OptOut>()
  const keyOf = ({ environment, phone }: Pick<OptOut, "environment" | "phone">) => memoryKey(environment, phone)

  return {
    commit: (change) =>
      Effect.suspend(() => {
        const { environment, gone, optOut } = change
        const before = optOut === null ? undefined : rows.get(keyOf(optOut))
        const holds = optOut !== null && (before === undefined || holdsAfter(before, optOut))
        const taken = gone
          .map(({ at, phone }) => ({ at, key: keyOf({ environment, phone }) }))
          .filter(({ at, key }) => (rows.get(key)?.at ?? Infinity) <= at)
        if (!holds && taken.length === 0) return Effect.succeed(false)
        return outbox.write(change, () => {
          if (holds) rows.set(keyOf(optOut), structuredClone(optOut))
          for (const { key } of taken) rows.delete(key)
          return true
        })
      }),
    known: (environment, phones) =>
      Effect.sync(() =>
        structuredClone([...new Set(phones)].flatMap((phone) => rows.get(keyOf({ environment, phone })) ?? []))
      ),
    list: (environment, { after, limit }) =>
      Effect.sync(() =>
        structuredClone(
          [...rows.values()]
            .filter((row) => row.environment === environment && row.isOut && row.phone > after)
            .toSorted((a, b) => (a.phone < b.phone ? -1 : 1))
            .slice(0, limit)
        )
      )
  }
}
