import { useSignal } from "@preact/signals"
import { useLayoutEffect, useRef } from "preact/hooks"
import { file, keepFile } from "../../api/call.ts"
import { Button } from "../../parts/Button.tsx"
import { tell } from "../../parts/Toast.tsx"
import { may } from "../../session/may.ts"
import { size as sizeOf } from "../../words/format.ts"
import { say as shared } from "../../words/say.ts"
import type { Message } from "./conversation.ts"
import { say } from "./words.ts"

const endpoint = "GET /v1/dashboard/leads/:id/messages/:mid/media"
/** Content types that the service serves inline. All others are downloads. */
const shown = /^image\/(png|jpeg|webp|gif)\b/

interface Props {
  readonly leadId: number
  readonly message: Message
}

/** A picture, loaded when it becomes visible. Its space is reserved, so the layout does not shift. */
function Picture({ leadId, message }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const url = useSignal<string | null>(null)
  const problem = useSignal<string | null>(null)
  useLayoutEffect(() => {
    const stop = new AbortController()
    const load = async () => {
      const read = await file(endpoint, { params: { id: leadId, mid: message.id } }, "image/*", stop.signal)
      if (stop.signal.aborted) return
      if (read.ok) url.value = URL.createObjectURL(read.body.blob)
      else problem.value = read.failure.status === 404 ? say.fileGone : read.failure.message
    }
    const sight = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting !== true) return
        sight.disconnect()
        void load()
      },
      { rootMargin: "200px" }
    )
    if (place.current !== null) sight.observe(place.current)
    return () => {
      stop.abort()
      sight.disconnect()
      if (url.peek() !== null) URL.revokeObjectURL(url.peek()!)
    }
  }, [])
  return (
    <div ref={place} class="lead-picture" data-sticker={message.type === "sticker" || undefined}>
      {url.value === null ? (
        <span class="quiet">{problem.value ?? `${say.kinds["image"]}…`}</span>
      ) : (
        <a href={url.value} target="_blank" rel="noreferrer">
          <img
            src={url.value}
            alt={message.text ?? (message.type === "sticker" ? say.sticker : say.picture)}
            onError={() => {
              url.value = null
              problem.value = say.fileGone
            }}
          />
        </a>
      )}
    </div>
  )
}

/** Inline pictures. Other files are downloads with name and size. */
export function Media({ leadId, message }: Props) {
  const busy = useSignal(false)
  const { media } = message
  if (media === null) return null
  if (may.work !== undefined) return <p class="quiet">{say.hidden}</p>
  if (shown.test(media.type ?? "")) return <Picture leadId={leadId} message={message} />
  const name = media.fileName ?? say.kinds[message.type] ?? ""
  const download = async () => {
    busy.value = true
    const read = await file(endpoint, { params: { id: leadId, mid: message.id } })
    busy.value = false
    if (read.ok) keepFile({ ...read.body, fileName: media.fileName }, name)
    else tell(read.failure.status === 404 ? say.fileGone : read.failure.message, { tone: "bad" })
  }
  return (
    <Button class="download" busy={busy.value} onPress={() => void download()}>
      <span aria-hidden="true">↓</span>
      <span class="unseen">{shared.do.download}</span>
      <span class="theirs one-line" dir="auto">
        {name}
      </span>
      {media.size === null ? null : <span class="quiet">{sizeOf(media.size)}</span>}
    </Button>
  )
}
