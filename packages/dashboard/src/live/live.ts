import { effect, signal } from "@preact/signals"
import { context, placeNow } from "../api/call.ts"
import { headersOfPlace } from "../api/place.ts"
import { news, newsOf, wakeAll } from "./topics.ts"

/** State of the event stream. `off` when signed out or when the tab is hidden. */
export const connection = signal<"off" | "connecting" | "open" | "lost">("off")

/** A team member who has a lead open. */
export interface Viewer {
  readonly leadId: number
  readonly agentId: number
  readonly email: string
  readonly typing: boolean
  readonly since: string
}

/** All team members who have a lead open, as the stream reported last. Empty without a stream. */
export const viewers = signal<ReadonlyArray<Viewer>>([])

const [least, most] = [1_000, 30_000]
/** The service sends a comment every 15 seconds. A longer silence means the connection is dead. */
const silence = 40_000

interface StreamEvent {
  readonly name: string
  readonly data: string
}

/** Events of a stream as they arrive. A comment is an event without a name. */
async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const [reader, decoder] = [body.getReader(), new TextDecoder()]
  let rest = ""
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const blocks = (rest + decoder.decode(value, { stream: true })).split("\n\n")
    rest = blocks.pop() ?? ""
    for (const block of blocks)
      yield {
        name: /^event: ?(.*)$/m.exec(block)?.[1] ?? "",
        data: /^data: ?(.*)$/m.exec(block)?.[1] ?? ""
      }
  }
}

const listen = async (signal: AbortSignal, heard: () => void) => {
  const response = await fetch("/v1/dashboard/live", {
    headers: headersOfPlace(placeNow()),
    credentials: "same-origin",
    signal
  })
  // Another tab signed in, out or switched merchants and ended this stream, so check the session again.
  if (response.status === 400 || response.status === 401) context.elsewhere()
  if (!response.ok || response.body === null) throw new Error(String(response.status))
  connection.value = "open"
  heard()
  for await (const { data, name } of eventsOf(response.body)) {
    heard()
    if (name === "verification" || name === "lead") newsOf(name, JSON.parse(data))
    else if (name === "changed") news("lead")
    else if (name === "viewers") viewers.value = JSON.parse(data) as ReadonlyArray<Viewer>
    else if (name === "reset") wakeAll()
  }
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((done) => {
    const timer = setTimeout(done, ms)
    signal.addEventListener("abort", () => (clearTimeout(timer), done()), { once: true })
  })

/** Runs one stream until stopped. After a gap, every query refetches. */
const follow = (): (() => void) => {
  const stop = new AbortController()
  const run = async () => {
    let wait = least
    for (let first = true; !stop.signal.aborted; first = false) {
      connection.value = first ? "connecting" : "lost"
      viewers.value = []
      const stuck = new AbortController()
      let timer = setTimeout(() => stuck.abort(), silence)
      const heard = () => {
        clearTimeout(timer)
        timer = setTimeout(() => stuck.abort(), silence)
        wait = least
      }
      const began = () => {
        if (!first) wakeAll()
        heard()
      }
      await listen(AbortSignal.any([stop.signal, stuck.signal]), began).catch(() => {})
      clearTimeout(timer)
      await pause(wait * (0.5 + Math.random()), stop.signal)
      wait = Math.min(wait * 2, most)
    }
    connection.value = "off"
    viewers.value = []
  }
  void run()
  return () => stop.abort()
}

const hidden = signal(false)
/** A tab hidden for longer than this closes its stream, and refetches everything when it is visible again. */
const away = 60_000

/**
 * Keeps one stream open while `wanted` is true and the tab is visible. The service limits streams, and browsers
 * throttle hidden tabs.
 */
export const keepLive = (wanted: () => unknown): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = () => {
    clearTimeout(timer)
    if (document.visibilityState === "hidden") timer = setTimeout(() => (hidden.value = true), away)
    else if (hidden.peek()) {
      hidden.value = false
      wakeAll()
    }
  }
  document.addEventListener("visibilitychange", look)
  const stop = effect(() => (wanted() && !hidden.value ? follow() : void (connection.value = "off")))
  return () => {
    stop()
    clearTimeout(timer)
    document.removeEventListener("visibilitychange", look)
  }
}
