import { Effect } from "effect"
import { Conflict } from "../foundation/storage/Conflict.ts"
import type { SenderId, SenderIdStore } from "../message/template/SenderIdStore.ts"
import { slotOf, type TemplateContent, type TemplateHead } from "../message/template/StoredTemplate.ts"
import type { TemplateStore } from "../message/template/TemplateStore.ts"
import { memoryKey } from "./MemoryKey.ts"
import type { MemoryOutbox } from "./MemoryOutbox.ts"

const byId = (a: { readonly id: string }, b: { readonly id: string }) => (a.id < b.id ? -1 : 1)

/** The templates of a memory storage. Content is kept as long as the storage lives. */
export const makeTemplateStore = (outbox: MemoryOutbox): TemplateStore["Service"] => {
  const heads = new Map<string, TemplateHead>()
  const contents = new Map<string, TemplateContent>()
  const keyOf = ({ environment, id, version }: Pick<TemplateHead, "environment" | "id" | "version">) =>
    memoryKey(environment, id, String(version))
  const live = () => [...heads.values()].filter(({ removedAt }) => removedAt === null)
  const of = (environment: string) =>
    live()
      .filter((head) => head.environment === environment)
      .toSorted(byId)
  const whole = (head: TemplateHead) => structuredClone({ head, content: contents.get(keyOf(head))! })

  return {
    heads: (environment) => Effect.sync(() => structuredClone(of(environment))),
    get: (environment, id) =>
      Effect.sync(() => {
        const head = heads.get(memoryKey(environment, id))
        return head === undefined || head.removedAt !== null ? null : whole(head)
      }),
    list: ({ after, environment, limit }) =>
      Effect.sync(() =>
        of(environment)
          .filter(({ id }) => after === null || id > after)
          .slice(0, limit)
          .map(whole)
      ),
    content: (environment, id, version) =>
      Effect.sync(() => structuredClone(contents.get(keyOf({ environment, id, version })) ?? null)),
    atProvider: (name, language) =>
      Effect.sync(() =>
        structuredClone(live().filter((head) => head.whatsappName === name && head.whatsappLanguage === language))
      ),
    commit: (change) =>
      Effect.suspend(() => {
        const { content, head } = change
        const key = memoryKey(head.environment, head.id)
        const isTaken =
          head.removedAt === null &&
          of(head.environment).some((other) => other.id !== head.id && slotOf(other) === slotOf(head))
        if ((heads.get(key)?.revision ?? 0) !== head.revision || isTaken) {
          return Effect.fail(new Conflict({ key: head.id }))
        }
        return outbox.write(change, () => {
          const stored = structuredClone({ ...head, revision: head.revision + 1 })
          heads.set(key, stored)
          if (content !== null) contents.set(keyOf(head), structuredClone(content))
          return structuredClone(stored)
        })
      })
  }
}

/** The sender ids of one memory storage. */
export const makeSenderIdStore = (outbox: MemoryOutbox): SenderIdStore["Service"] => {
  const known = new Map<string, SenderId>()

  return {
    list: (environment) =>
      Effect.sync(() =>
        structuredClone(
          [...known.values()]
            .filter((senderId) => senderId.environment === environment)
            .toSorted((a, b) => a.createdAt - b.createdAt || (a.header < b.header ? -1 : 1))
        )
      ),
    commit: (change) =>
      Effect.suspend(() => {
        const { becomes, senderId } = change
        const key = memoryKey(senderId.environment, senderId.header)
        if (known.has(key) === (becomes === "added")) return Effect.fail(new Conflict({ key: senderId.header }))
        return outbox.write(change, () => {
          if (becomes === "added") known.set(key, structuredClone(senderId))
          else known.delete(key)
        })
      })
  }
}
