import { Effect } from "effect"
import type { Label, LabelStore } from "../engagement/lead/Label.ts"
import { canonicalName } from "../engagement/lead/inboxFields.ts"
import { Conflict } from "../foundation/storage/Conflict.ts"
import { memoryKey } from "./MemoryKey.ts"
import type { MemoryOutbox } from "./MemoryOutbox.ts"

/** The labels of one memory storage. */
export const makeLabelStore = (outbox: MemoryOutbox): LabelStore["Service"] => {
  const labels = new Map<string, Label>()
  const of = (merchantId: string) => [...labels.values()].filter((label) => label.merchantId === merchantId)

  return {
    list: (merchantId) => Effect.sync(() => structuredClone(of(merchantId).sort((a, b) => (a.id < b.id ? -1 : 1)))),
    commit: (change) =>
      Effect.suspend(() => {
        const { becomes, label } = change
        const key = memoryKey(label.merchantId, label.id)
        const isTaken = of(label.merchantId).some(
          ({ id, name }) => id !== label.id && canonicalName(name) === canonicalName(label.name)
        )
        if (labels.has(key) === (becomes === "added") || (becomes !== "removed" && isTaken))
          return Effect.fail(new Conflict({ key: label.id }))
        return outbox.write(change, () => {
          if (becomes === "removed") labels.delete(key)
          else labels.set(key, structuredClone(label))
        })
      })
  }
}
