import { signal } from "@preact/signals"
import { base } from "../address/paths.ts"

/** Whether the service has a newer build of the page. The user decides when to reload. */
export const isNewer = signal(false)

let mine: string | null = null

const buildNow = async (): Promise<string | null> => {
  const response = await fetch(base, { method: "HEAD", cache: "no-store" }).catch(() => null)
  return response?.ok ? response.headers.get("etag") : null
}

/** Checks at the start and when the tab becomes visible. Without an ETag the result is unknown. */
export const watchBuild = (): void => {
  const look = async () => {
    if (document.visibilityState === "hidden") return
    const now = await buildNow()
    if (now === null) return
    mine ??= now
    isNewer.value = now !== mine
  }
  document.addEventListener("visibilitychange", () => void look())
  void look()
}
