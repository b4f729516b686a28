import { may } from "../../session/may.ts"
import { lazyPart } from "../../shell/lazyDialog.tsx"
import type { Props } from "./MediaFile.tsx"
import { mediaViewOf } from "./mediaView.ts"
import { say } from "./words.ts"

/** Reserves the space of a file, so that the conversation does not move when it is drawn. */
const Reserved = ({ message: { media, type } }: Props) => (
  <div
    class={mediaViewOf(media?.type ?? null)?.view === "picture" ? "lead-picture" : "lead-file"}
    data-sticker={type === "sticker" || undefined}
  />
)

const MediaFile = lazyPart(() => import("./MediaFile.tsx").then((loaded) => loaded.MediaFile), Reserved)

/** Pictures, recordings and videos inline, a PDF in its own tab. Other files are downloads with name and size. */
export function Media(props: Props) {
  if (props.message.media === null) return null
  return may.work === undefined ? <MediaFile {...props} /> : <p class="quiet">{say.hidden}</p>
}
