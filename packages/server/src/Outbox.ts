import { Instant } from "@countersign/core"
import { type Channel, type ChannelName, type Message, SandboxChannel } from "@countersign/core/channel"
import { Clock, Console, Effect, Redacted } from "effect"
import { mostShown, type OutboxMessage } from "./outbox/OutboxMessage.ts"
import * as outboxPages from "./outbox/outboxPages.ts"

/**
 * Channels for development without providers: they print messages on the console and show the latest at `/dev/outbox`.
 * Never used with a real database.
 */
export const make = (options: { readonly demo: boolean }) => {
  const messages: Array<OutboxMessage> = []

  const keep = (channel: ChannelName, message: Message) =>
    Effect.gen(function* () {
      const text = Redacted.value(message.text)
      messages.unshift({
        id: message.deliveryId,
        channel,
        to: message.to,
        subject: "subject" in message ? Redacted.value(message.subject) : "",
        text,
        code: message._tag === "Code" ? Redacted.value(message.code) : null,
        url: message._tag === "Link" ? Redacted.value(message.url) : null,
        at: Instant.toIso(yield* Clock.currentTimeMillis),
        status: "DELIVERED"
      })
      messages.length = Math.min(messages.length, mostShown)
      yield* Console.log(`${channel} to ${message.to}: ${text}`)
      return { providerId: message.deliveryId, delivered: true }
    })

  const channelFor = (name: ChannelName): Channel => ({
    name,
    provider: "console",
    supports: {
      identityTypes: name === "EMAIL" ? ["EMAIL"] : ["MOBILE"],
      receipts: true,
      local: true,
      kinds: SandboxChannel.kindsOf(name)
    },
    send: (message) => keep(name, message)
  })

  return {
    channelFor,
    pages: outboxPages.make(
      Effect.sync(() => [...messages]),
      options
    )
  }
}
