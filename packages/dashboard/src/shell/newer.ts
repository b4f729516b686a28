import { signal } from "@preact/signals"
import { base } from "../address/paths.ts"

/** Whether the service has a newer build of this page than the one that runs. It is offered, and never forced. */
export const isNewer = signal(false)

let mine: string | null = null

const buildNow = async (): Promise<string | null> => {
  const response = await fetch(base, { method: "HEAD", cache: "no-store" }).catch(() => null)
  return response?.ok ? response.headers.get("etag") : null
}

/** Looks at the start, and whenever somebody comes back to the tab. Where the page has no ETag nothing is known. */
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
