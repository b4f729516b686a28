import { Effect } from "effect"
import type { SavedReply, SavedReplyStore } from "../engagement/lead/SavedReply.ts"
import { Conflict } from "../foundation/storage/Conflict.ts"
import { memoryKey } from "./MemoryKey.ts"

/** The saved replies of one memory storage. */
export const makeSavedReplyStore = (): SavedReplyStore["Service"] => {
  const replies = new Map<string, SavedReply>()
  const of = (environment: string) => [...replies.values()].filter((reply) => reply.environment === environment)

  return {
    list: (environment) => Effect.sync(() => structuredClone(of(environment).sort((a, b) => (a.id < b.id ? -1 : 1)))),
    save: (reply) =>
      Effect.suspend(() => {
        const taken = of(reply.environment).some(
          ({ id, name }) => id !== reply.id && canonical(name) === canonical(reply.name)
        )
        if (taken) return Effect.fail(new Conflict({ key: reply.id }))
        replies.set(memoryKey(reply.environment, reply.id), structuredClone(reply))
        return Effect.void
      }),
    remove: (environment, id) => Effect.sync(() => replies.delete(memoryKey(environment, id)))
  }
}

const canonical = (name: string) => name.normalize("NFKC").toLowerCase()
