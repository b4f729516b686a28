import { Effect } from "effect"
import { usualKinds } from "./carries.ts"
import type { Channel } from "./Channel.ts"
import { ChannelError, Refused } from "./ChannelError.ts"
import { type ChannelName, knownChannels } from "./ChannelName.ts"
import { type Message, MessageKind } from "./Message.ts"

/** The kinds of message of each channel. RCS carries no links, and only e-mail carries notices. */
export const kindsOf = (name: ChannelName): ReadonlyArray<MessageKind> =>
  MessageKind.filter((kind) => (name !== "RCS" || kind !== "Link") && (name === "EMAIL" || kind !== "Notice"))

const nameOf = (to: string) => (to.includes("@") ? to.slice(0, to.lastIndexOf("@")) : to)

/**
 * The channels of a test environment. They send nothing outside; the recipient's number (or the part before the `@`)
 * decides the result. With the ending `0000` the send fails, with `0001` no receipt comes, with any other it is
 * delivered.
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

/** The channels of a test environment: the built-in ones, and one in place of each other configured channel. */
export const standInsFor = (channels: ReadonlyArray<Channel>) => {
  const all = new Map(usual)
  for (const channel of channels) if (!all.has(channel.name)) all.set(channel.name, make(channel.name, channel))
  return { names: [...all.keys()], find: (name: ChannelName): Channel | undefined => all.get(name) }
}
