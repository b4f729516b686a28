import { signal } from "@preact/signals"
import type { AttachedFile, Attaching } from "./attaching.ts"

const kept = new Map<string, Attaching>()

/**
 * The file of the draft with this key. A page cannot store a file, so it stays in memory until it is sent or removed, or
 * the page is left. It outlives the composer: an upload goes on while the user reads another conversation.
 */
export const useAttaching = (key: string): Attaching => {
  const attaching = kept.get(key) ?? {
    attached: signal<AttachedFile | null>(null),
    problem: signal<string | null>(null),
    progress: signal<number | null>(null),
    uploading: signal<string | undefined>(undefined),
    news: signal(""),
    sentText: signal<string | null>(null),
    cancel: signal(() => {})
  }
  kept.set(key, attaching)
  return attaching
}
