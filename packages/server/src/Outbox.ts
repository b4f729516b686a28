import { type Channel, type ChannelName, Instant, type Message } from "@countersign/core"
import { json, type Pages } from "@countersign/http"
import { Clock, Console, Effect, Redacted } from "effect"

/** A message that would have been sent. */
interface Kept {
  readonly channel: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly code: string
  readonly at: string
}

const mostKept = 200

/**
 * Where messages go in development when no provider is configured: to the console, and to a page that shows the latest.
 * It is never there with a real database.
 */
export const make = () => {
  const messages: Array<Kept> = []

  const keep = (channel: ChannelName, message: Message) =>
    Effect.gen(function* () {
      const text = Redacted.value(message.text)
      messages.unshift({
        channel,
        to: message.to,
        subject: Redacted.value(message.subject),
        text,
        code: Redacted.value(message.code),
        at: Instant.toIso(yield* Clock.currentTimeMillis)
      })
      messages.length = Math.min(messages.length, mostKept)
      yield* Console.log(`${channel} to ${message.to}: ${text}`)
      return { providerId: message.deliveryId, delivered: true }
    })

  const channelFor = (name: ChannelName): Channel => ({
    name,
    provider: "console",
    supports: { identityTypes: name === "EMAIL" ? ["EMAIL"] : ["MOBILE"], receipts: true },
    send: (message) => keep(name, message)
  })

  const pages: Pages = {
    "/dev/outbox": Effect.sync(() => json(200, { items: messages }, { "cache-control": "no-store" }))
  }
  return { channelFor, pages }
}
