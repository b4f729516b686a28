import { Effect } from "effect"
import * as Window from "../foundation/limit/Window.ts"
import type { WindowStore } from "../foundation/limit/WindowStore.ts"
import { Conflict } from "../foundation/storage/Conflict.ts"
import type { Instant } from "../foundation/time/Instant.ts"
import { memoryKey } from "./MemoryKey.ts"

interface Row {
  readonly version: number
  readonly state: string
  readonly savedAt: Instant
}

/** The counted hours of one memory storage. */
export const makeWindowStore = (): WindowStore["Service"] => {
  const rows = new Map<string, Row>()

  return {
    load: (environment, key) =>
      Effect.sync(() => {
        const row = rows.get(memoryKey(environment, key))
        return row === undefined
          ? Window.empty(environment, key)
          : Window.decode(environment, key, row.version, row.state)
      }),
    save: (window, now) =>
      Effect.suspend(() => {
        const { environment, version } = window
        const key = memoryKey(environment, window.key)
        if ((rows.get(key)?.version ?? 0) !== version) return Effect.fail(new Conflict({ key: window.key }))
        rows.set(key, { version: version + 1, state: Window.encode(window), savedAt: now })
        return Effect.void
      }),
    purge: (keptSince) =>
      Effect.sync(() => {
        let purged = 0
        for (const [key, row] of rows) if (row.savedAt < keptSince && rows.delete(key)) purged++
        return purged
      })
  }
}
