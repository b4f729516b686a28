import { Effect } from "effect"
import type { AuditStore } from "../account/audit/AuditStore.ts"
import * as Identifier from "../foundation/identity/Identifier.ts"
import { type AuditEntry, nameOf } from "../foundation/outbox/AuditEntry.ts"

/** The history of a memory storage. Values go in and out as copies, as if over the network. */
export class MemoryAudit {
  readonly #entries = new Map<string, AuditEntry>()

  /** Prepares entries, and returns the step that writes them. An existing entry stays as it is. */
  prepare(entries: ReadonlyArray<AuditEntry>): () => void {
    const copies = entries.map((entry) => JSON.parse(JSON.stringify(entry)) as AuditEntry)
    return () => {
      for (const entry of copies) if (!this.#entries.has(entry.id)) this.#entries.set(entry.id, entry)
    }
  }

  readonly service: AuditStore["Service"] = {
    list: ({ action, actor, environments, from, merchantId, targetId, to }, { after, limit }) =>
      Effect.sync(() =>
        structuredClone(
          [...this.#entries.values()]
            .filter(
              (entry) =>
                entry.merchantId === merchantId &&
                (environments === undefined || environments.includes(entry.environment)) &&
                (action === undefined || entry.action === action) &&
                (actor === undefined || nameOf(entry.actor) === actor) &&
                (targetId === undefined || entry.target.id === targetId) &&
                (from === undefined || entry.id >= Identifier.first("aud", from)) &&
                (to === undefined || entry.id < Identifier.first("aud", to)) &&
                (after === null || entry.id < after)
            )
            .toSorted((a, b) => (a.id < b.id ? 1 : -1))
            .slice(0, limit)
        )
      )
  }
}
