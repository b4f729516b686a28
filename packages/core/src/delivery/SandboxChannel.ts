import { Context, Effect } from "effect"
import type { Channel } from "./Channel.ts"
import { ChannelError, Refused } from "./ChannelError.ts"
import type { ChannelName } from "./ChannelName.ts"
import { type Message, MessageKind } from "./Message.ts"

/** What each channel is for: links go by SMS, WhatsApp and e-mail alone. */
export const kindsOf = (name: ChannelName): ReadonlyArray<MessageKind> =>
  name === "RCS" ? MessageKind.filter((kind) => kind !== "Link") : MessageKind

const nameOf = (to: string) => (to.includes("@") ? to.slice(0, to.lastIndexOf("@")) : to)

/**
 * Every channel of a test environment: nothing leaves the machine, and the recipient decides what happens. Those whose
 * number (or the part before the `@`) ends in `0000` cannot be reached, `0001` never reports, all others get it.
 */
export const make = (name: ChannelName): Channel => ({
  name,
  provider: "sandbox",
  supports: { identityTypes: name === "EMAIL" ? ["EMAIL"] : ["MOBILE"], receipts: true, kinds: kindsOf(name) },
  send: (message: Message) => {
    const recipient = nameOf(message.to)
    if (recipient.endsWith("0000")) {
      return Effect.fail(new ChannelError({ channel: name, reason: new Refused({ providerCode: "unreachable" }) }))
    }
    return Effect.succeed({ providerId: message.deliveryId, delivered: !recipient.endsWith("0001") })
  }
})

const all = new Map((["SMS", "WHATSAPP", "RCS", "EMAIL"] as const).map((name) => [name as ChannelName, make(name)]))

export const find = (name: ChannelName): Channel | undefined => all.get(name)

/** Where the messages of test environments go: to these channels, unless somebody plays other ones. */
export const Sandbox = Context.Reference<{ readonly find: (name: ChannelName) => Channel | undefined }>(
  "@countersign/core/delivery/Sandbox",
  { defaultValue: () => ({ find }) }
)
