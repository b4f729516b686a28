/** How a file is shown. Everything that is not listed here is a download. */
export type MediaView = "picture" | "audio" | "video" | "pdf"

/**
 * The types that the page shows. A file gets exactly the listed type in the browser, so that a file that its sender
 * declared as a picture is never opened as a page.
 */
const views = new Map<string, { readonly view: MediaView; readonly type: string }>(
  (
    [
      ["picture", "image/png", "image/jpeg", "image/webp", "image/gif"],
      ["audio", "audio/ogg", "audio/mpeg", "audio/mp4", "audio/aac", "audio/amr"],
      ["video", "video/mp4", "video/3gpp"],
      ["pdf", "application/pdf"]
    ] as const
  ).flatMap(([view, ...types]) => types.map((type) => [type, { view, type }] as const))
)

/** How a file of this declared type is shown, and the type that the browser gets. Null: as a download. */
export const mediaViewOf = (declared: string | null) =>
  views.get((declared ?? "").split(";", 1)[0]!.trim().toLowerCase()) ?? null

const largestOnSight = 2 * 1_024 * 1_024

/** Whether a file is loaded when it becomes visible. A video or a large recording waits until the user asks for it. */
export const isLoadedOnSight = (view: MediaView, size: number | null): boolean =>
  view === "picture" || (view === "audio" && (size ?? 0) <= largestOnSight)
