import { type Signal, useSignal } from "@preact/signals"
import { useLayoutEffect, useRef } from "preact/hooks"
import { file, keepFile } from "../../api/call.ts"
import { Button } from "../../parts/Button.tsx"
import { tell } from "../../parts/Toast.tsx"
import { size as sizeOf } from "../../words/format.ts"
import { say as shared } from "../../words/say.ts"
import type { Message } from "./conversation.ts"
import { isLoadedOnSight, type MediaView, mediaViewOf } from "./mediaView.ts"
import { environment } from "../../address/here.ts"
import { say as attachSay } from "./attachWords.ts"
import { later } from "./dialogWords.ts"
import { say } from "./words.ts"

const endpoint = "GET /v1/dashboard/leads/:id/messages/:mid/media"

export interface Props {
  readonly leadId: number
  readonly message: Message
}

interface ShownProps extends Props {
  /** The type that the browser gets, whatever WhatsApp answers. */
  readonly type: string
}

const read = ({ leadId, message }: Props, signal: AbortSignal | null = null) =>
  file(endpoint, { params: { id: leadId, mid: message.id } }, "*/*", signal)

type Failed = Extract<Awaited<ReturnType<typeof read>>, { readonly ok: false }>["failure"]
const problemOf = (failure: Failed) =>
  failure.status !== 404 ? failure.message : environment.peek() === "test" ? attachSay.inTest : later.fileGone

interface Loading {
  readonly url: Signal<string | null>
  readonly problem: Signal<string | null>
  readonly busy: Signal<boolean>
  readonly load: () => Promise<void>
}

/** Loads a file into this page once. The browser frees it with the message. */
const useMedia = ({ leadId, message, type }: ShownProps): Loading => {
  const url = useSignal<string | null>(null)
  const problem = useSignal<string | null>(null)
  const busy = useSignal(false)
  const stop = useRef(new AbortController())
  useLayoutEffect(
    () => () => {
      stop.current.abort()
      if (url.peek() !== null) URL.revokeObjectURL(url.peek()!)
    },
    []
  )
  const load = async () => {
    if (busy.peek() || url.peek() !== null) return
    busy.value = true
    problem.value = null
    const reply = await read({ leadId, message }, stop.current.signal)
    if (stop.current.signal.aborted) return
    if (reply.ok) url.value = URL.createObjectURL(new Blob([reply.body.blob], { type }))
    else problem.value = problemOf(reply.failure)
    busy.value = false
  }
  return { url, problem, busy, load }
}

/** Calls `load` when the element becomes visible. */
const useOnSight = (load: () => unknown, isWanted = true) => {
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (!isWanted || place.current === null) return
    const sight = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting !== true) return
        sight.disconnect()
        load()
      },
      { rootMargin: "200px" }
    )
    sight.observe(place.current)
    return () => sight.disconnect()
  }, [])
  return place
}

/** A picture. Its space is reserved, so the layout does not shift. */
function Picture(props: ShownProps) {
  const { message } = props
  const { load, problem, url } = useMedia(props)
  const place = useOnSight(() => void load())
  return (
    <div ref={place} class="lead-picture" data-sticker={message.type === "sticker" || undefined}>
      {url.value === null ? (
        <span class="quiet">{problem.value ?? `${say.kinds["image"]}…`}</span>
      ) : (
        <a href={url.value} target="_blank" rel="noreferrer">
          <img
            src={url.value}
            alt={message.text ?? (message.type === "sticker" ? later.sticker : later.picture)}
            onError={() => {
              url.value = null
              problem.value = later.fileGone
            }}
          />
        </a>
      )}
    </div>
  )
}

interface Playing extends ShownProps {
  readonly view: Extract<MediaView, "audio" | "video">
}

/** A recording or a video. A file that this browser cannot play becomes a download. */
function Player({ view, ...props }: Playing) {
  const { message } = props
  const isUnplayable = useSignal(false)
  const wasAsked = useSignal(false)
  const { busy, load, problem, url } = useMedia(props)
  const isOnSight = isLoadedOnSight(view, message.media?.size ?? null)
  const place = useOnSight(() => void load(), isOnSight)
  if (isUnplayable.value) return <Download leadId={props.leadId} message={message} />
  const name = say.kinds[view]!
  const player = {
    controls: true,
    src: url.value ?? "",
    "aria-label": name,
    onError: () => (isUnplayable.value = true),
    ref: (element: HTMLMediaElement | null) => {
      if (element === null || !wasAsked.peek()) return
      wasAsked.value = false
      element.focus()
      void element.play().catch(() => {}) // a browser may want another press
    }
  }
  return (
    <div ref={place} class="lead-player" data-view={view}>
      {url.value !== null ? (
        view === "audio" ? (
          // oxlint-disable-next-line jsx-a11y/media-has-caption -- a customer's recording has no captions
          <audio {...player} />
        ) : (
          // oxlint-disable-next-line jsx-a11y/media-has-caption -- a customer's video has no captions
          <video {...player} />
        )
      ) : problem.value !== null ? (
        <span class="quiet">{problem.value}</span>
      ) : isOnSight ? (
        <span class="quiet">{name}…</span>
      ) : (
        <Button
          class="download"
          busy={busy.value}
          onPress={() => {
            wasAsked.value = true
            void load()
          }}
        >
          <span aria-hidden="true">▶</span>
          {later.playFile(name)}
          <Size of={message} />
        </Button>
      )}
    </div>
  )
}

const Size = ({ of: { media } }: { readonly of: Message }) =>
  media?.size == null ? null : <span class="quiet">{sizeOf(media.size)}</span>

const nameOf = ({ media, type }: Message) => media?.fileName ?? say.kinds[type] ?? ""

/** How long a new tab may take to load a file from this page. */
const tabLoads = 60_000

/** A PDF, which opens in a tab of its own. Where the browser refuses the tab, it becomes a download. */
function Pdf({ leadId, message, type }: ShownProps) {
  const busy = useSignal(false)
  const open = async () => {
    // The tab must be opened by the press itself. After the download, the browser would block it.
    const tab = window.open("", "_blank")
    if (tab !== null) tab.opener = null
    busy.value = true
    const reply = await read({ leadId, message })
    busy.value = false
    if (!reply.ok) {
      tab?.close()
      return tell(problemOf(reply.failure), { tone: "bad" })
    }
    const blob = new Blob([reply.body.blob], { type })
    if (tab === null || tab.closed)
      return keepFile({ blob, fileName: message.media?.fileName ?? null }, nameOf(message))
    const url = URL.createObjectURL(blob)
    tab.location.replace(url)
    setTimeout(() => URL.revokeObjectURL(url), tabLoads)
  }
  return (
    <Button class="download" busy={busy.value} onPress={() => void open()}>
      <span class="file-kind" aria-hidden="true">
        PDF
      </span>
      <span class="unseen">{later.openFile}</span>
      <span class="theirs one-line" dir="auto">
        {nameOf(message)}
      </span>
      <Size of={message} />
    </Button>
  )
}

function Download({ leadId, message }: Props) {
  const busy = useSignal(false)
  const download = async () => {
    busy.value = true
    const reply = await read({ leadId, message })
    busy.value = false
    if (reply.ok) keepFile({ ...reply.body, fileName: message.media?.fileName ?? null }, nameOf(message))
    else tell(problemOf(reply.failure), { tone: "bad" })
  }
  return (
    <Button class="download" busy={busy.value} onPress={() => void download()}>
      <span aria-hidden="true">↓</span>
      <span class="unseen">{shared.do.download}</span>
      <span class="theirs one-line" dir="auto">
        {nameOf(message)}
      </span>
      <Size of={message} />
    </Button>
  )
}

function Shown(props: Props) {
  const shown = mediaViewOf(props.message.media?.type ?? null)
  if (shown === null) return <Download {...props} />
  const { type, view } = shown
  if (view === "picture") return <Picture {...props} type={type} />
  if (view === "pdf") return <Pdf {...props} type={type} />
  return <Player {...props} type={type} view={view} />
}

/** A file of a message. A type that the page does not show is a download. */
export function MediaFile(props: Props) {
  const { direction, status } = props.message
  return (
    <>
      <Shown {...props} />
      {direction === "OUT" && status === "FAILED" ? <p class="quiet">{attachSay.again}</p> : null}
    </>
  )
}
