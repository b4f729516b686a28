import { Effect } from "effect"
import { usualKinds } from "./carries.ts"
import type { Channel } from "./Channel.ts"
import { ChannelError, Refused } from "./ChannelError.ts"
import { type ChannelName, knownChannels } from "./ChannelName.ts"
import { type Message, MessageKind } from "./Message.ts"

/** What each channel is for: links go by SMS, WhatsApp and e-mail alone. */
export const kindsOf = (name: ChannelName): ReadonlyArray<MessageKind> =>
  name === "RCS" ? MessageKind.filter((kind) => kind !== "Link") : MessageKind

const nameOf = (to: string) => (to.includes("@") ? to.slice(0, to.lastIndexOf("@")) : to)

/**
 * Every channel of a test environment: nothing leaves the machine, and the recipient decides what happens. Those whose
 * number (or the part before the `@`) ends in `0000` cannot be reached, `0001` never reports, all others get it.
 */
export const make = (
  name: ChannelName,
  {
    label,
    supports
  }: Pick<Channel, "label"> & { readonly supports?: Pick<Channel["supports"], "identityTypes" | "kinds"> } = {}
): Channel => ({
  name,
  provider: "sandbox",
  ...(label === undefined ? {} : { label }),
  supports: {
    identityTypes: supports?.identityTypes ?? (name === "EMAIL" ? ["EMAIL"] : ["MOBILE"]),
    receipts: true,
    kinds: supports === undefined ? kindsOf(name) : (supports.kinds ?? usualKinds)
  },
  send: (message: Message) => {
    const recipient = nameOf(message.to)
    if (recipient.endsWith("0000")) {
      return Effect.fail(new ChannelError({ channel: name, reason: new Refused({ providerCode: "unreachable" }) }))
    }
    return Effect.succeed({ providerId: message.deliveryId, delivered: !recipient.endsWith("0001") })
  }
})

const usual = new Map<ChannelName, Channel>(knownChannels.map((name) => [name, make(name)]))

/** Those of a test environment: the known channels, and one in the place of each other that is configured. */
export const standInsFor = (channels: ReadonlyArray<Channel>) => {
  const all = new Map(usual)
  for (const channel of channels) if (!all.has(channel.name)) all.set(channel.name, make(channel.name, channel))
  return { names: [...all.keys()], find: (name: ChannelName): Channel | undefined => all.get(name) }
}
