import type { IdentityType } from "../identity/Identity.ts"
import type { Channel } from "./Channel.ts"
import type { ChannelName } from "./ChannelName.ts"
import type { Message, MessageKind } from "./Message.ts"

/** The kinds of a channel that says nothing about them. */
const usualKinds: ReadonlyArray<MessageKind> = ["Code"]

/** In which order channels are looked through when nobody named one. */
const order: ReadonlyArray<ChannelName> = ["SMS", "WHATSAPP", "RCS", "EMAIL", "TRUECALLER"]

/** Whether a channel says that it reaches such people with such messages. */
export const carries = ({ supports }: Channel, type: IdentityType, kind: MessageKind): boolean =>
  supports.identityTypes.includes(type) && (supports.kinds ?? usualKinds).includes(kind)

/** Whether a channel may be given this very message. */
export const mayCarry = (channel: Channel, { _tag, to }: Message): boolean =>
  carries(channel, to.includes("@") ? "EMAIL" : "MOBILE", _tag)

/** The first channel that carries it, in an order that is always the same: SMS, WHATSAPP, RCS, EMAIL. */
export const firstThatCarries = (
  find: (name: ChannelName) => Channel | undefined,
  type: IdentityType,
  kind: MessageKind
): Channel | undefined => {
  for (const name of order) {
    const channel = find(name)
    if (channel !== undefined && carries(channel, type, kind)) return channel
  }
  return undefined
}
