import { Effect } from "effect"
import type { Presence, PresenceStore } from "../engagement/lead/Presence.ts"
import { memoryKey } from "./MemoryKey.ts"

const keyOf = (environment: string, leadId: number, agentId: number) =>
  memoryKey(environment, String(leadId), String(agentId))

/** Which agents have which lead open, in a memory storage. */
export const makePresenceStore = (): PresenceStore["Service"] => {
  const rows = new Map<string, Presence>()

  return {
    list: (environment, leadId) =>
      Effect.sync(() =>
        structuredClone(
          [...rows.values()]
            .filter((row) => row.environment === environment && row.leadId === leadId)
            .sort((a, b) => a.agentId - b.agentId)
        )
      ),
    present: (environment, seenSince) =>
      Effect.sync(() =>
        structuredClone(
          [...rows.values()]
            .filter((row) => row.environment === environment && row.seenAt >= seenSince)
            .sort((a, b) => a.leadId - b.leadId || a.agentId - b.agentId)
        )
      ),
    save: (presence) =>
      Effect.sync(() => {
        const { agentId, environment, leadId } = presence
        rows.set(keyOf(environment, leadId, agentId), structuredClone(presence))
      }),
    remove: (environment, leadId, agentId) => Effect.sync(() => void rows.delete(keyOf(environment, leadId, agentId))),
    purge: (keptSince) =>
      Effect.sync(() => {
        let purged = 0
        for (const [key, { seenAt }] of rows) if (seenAt < keptSince && rows.delete(key)) purged++
        return purged
      })
  }
}
