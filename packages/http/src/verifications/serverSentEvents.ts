import type { Live } from "@countersign/core"
import { type Effect, Stream } from "effect"
import { HttpApiSchema } from "effect/http-api"

const encoder = new TextEncoder()

/** How often the listener's access is checked. Every third check also sends a comment. */
const askedEvery = "5 seconds"
const heartbeat = 3
const comment = ":\n\n"

type Shown = (item: Exclude<Live.Item, { readonly kind: "reset" }>) => unknown

/** A snapshot has no id: a listener that reconnects is told again. */
const idOf = (item: Live.Item) => ("id" in item ? `id: ${item.id}\n` : "")

/** JSON contains no line breaks, so a message is one line of data. */
const messageOf = (item: Live.Item, shown: Shown): string =>
  item.kind === "reset"
    ? "event: reset\ndata: {}\n\n"
    : `event: ${item.kind}\n${idOf(item)}data: ${JSON.stringify(shown(item))}\n\n`

/**
 * Sends items as server-sent events, with a comment immediately and every 15 seconds, until the listener loses access. A
 * slow reader applies backpressure; the source limits how many items wait.
 */
export const serverSentEvents = (
  items: Stream.Stream<Live.Item>,
  shown: Shown,
  stillAdmitted: Effect.Effect<boolean>
) => {
  const admitted = Stream.tick(askedEvery).pipe(
    Stream.mapEffect(() => stillAdmitted),
    Stream.takeWhile((may) => may),
    Stream.map((_, n) => (n % heartbeat === 0 ? comment : ""))
  )
  const messages = Stream.map(items, (item) => messageOf(item, shown))
  const body = Stream.merge(admitted, messages, { haltStrategy: "left" }).pipe(
    Stream.filter((text) => text !== ""),
    Stream.map((text) => encoder.encode(text))
  )
  return HttpApiSchema.withHeaders({
    body: body as Stream.Stream<Uint8Array, unknown>,
    headers: {
      "content-type": "text/event-stream" as const,
      "x-accel-buffering": "no" as const
    }
  })
}
