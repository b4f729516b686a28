import { Effect } from "effect"
import type { Hook, HookEntry } from "../auth/hook/Hook.ts"
import { HookStore } from "../auth/hook/HookStore.ts"
import { Conflict } from "../foundation/storage/Conflict.ts"
import type { MemoryOutbox } from "./MemoryOutbox.ts"

/** The hooks of a memory storage, and the lists of their requests. */
export const makeHookStore = (outbox: MemoryOutbox): HookStore["Service"] => {
  const hooks = new Map<string, Hook>()
  /** By id, oldest first within a process. */
  let entries: ReadonlyArray<HookEntry> = []

  const newestFirst = (a: HookEntry, b: HookEntry) => (a.id < b.id ? 1 : -1)

  /** The newest of one hook, signed or unsigned. */
  const kept = (hookId: string, signed: boolean) =>
    entries
      .filter((entry) => entry.hookId === hookId && entry.signed === signed)
      .sort(newestFirst)
      .slice(0, signed ? HookStore.mostSigned : HookStore.mostUnsigned)

  return {
    get: (id) => Effect.sync(() => structuredClone(hooks.get(id) ?? null)),
    list: (environment) =>
      Effect.sync(() =>
        structuredClone(
          [...hooks.values()].filter((hook) => hook.environment === environment).sort((a, b) => (a.id < b.id ? -1 : 1))
        )
      ),
    commit: (change) =>
      Effect.suspend(() => {
        const { id, version } = change.hook
        if ((hooks.get(id)?.version ?? 0) !== version) return Effect.fail(new Conflict({ key: id }))
        return outbox.write(change, () => {
          const stored = structuredClone({ ...change.hook, version: version + 1 })
          hooks.set(id, stored)
          return structuredClone(stored)
        })
      }),
    remove: (change) =>
      Effect.suspend(() => {
        const { environment, id, version } = change.hook
        const known = hooks.get(id)
        if (known?.version !== version || known.environment !== environment) {
          return Effect.fail(new Conflict({ key: id }))
        }
        return outbox.write(change, () => {
          hooks.delete(id)
        })
      }),
    note: (added) =>
      Effect.sync(() => {
        const keyOf = ({ hookId, id }: HookEntry) => `${hookId}/${id}`
        const known = new Set(entries.map(keyOf))
        entries = [...entries, ...structuredClone(added.filter((entry) => !known.has(keyOf(entry))))]
        const touched = new Set(added.map(({ hookId }) => hookId))
        const others = entries.filter(({ hookId }) => !touched.has(hookId))
        entries = [...others, ...[...touched].flatMap((hookId) => [...kept(hookId, true), ...kept(hookId, false)])]
      }),
    requests: ({ after, environment, hookId, limit }) =>
      Effect.sync(() =>
        structuredClone(
          entries
            .filter(
              (entry) =>
                entry.environment === environment && entry.hookId === hookId && (after === null || entry.id < after)
            )
            .sort(newestFirst)
            .slice(0, limit)
        )
      ),
    purge: (before) =>
      Effect.sync(() => {
        const many = entries.length
        entries = entries.filter(({ at }) => at >= before)
        return many - entries.length
      })
  }
}
