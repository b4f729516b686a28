import type { IdentityType } from "../identity/Identity.ts"
import type { Channel, ChannelChoice } from "./Channel.ts"
import type { Message, MessageKind } from "./Message.ts"

/** The kinds of a channel that says nothing about them. */
export const usualKinds: ReadonlyArray<MessageKind> = ["Code"]

/** Whether a channel says that it reaches such people with such messages. */
export const carries = ({ supports }: Channel, type: IdentityType, kind: MessageKind): boolean =>
  supports.identityTypes.includes(type) && (supports.kinds ?? usualKinds).includes(kind)

/** Whether a channel may be given this very message. */
export const mayCarry = (channel: Channel, { _tag, to }: Message): boolean =>
  carries(channel, to.includes("@") ? "EMAIL" : "MOBILE", _tag)

/** The first channel that carries it, in the order of their names: SMS, WHATSAPP, RCS, EMAIL, then the others. */
export const firstThatCarries = (
  { find, names }: ChannelChoice,
  type: IdentityType,
  kind: MessageKind
): Channel | undefined => {
  for (const name of names) {
    const channel = find(name)
    if (channel !== undefined && carries(channel, type, kind)) return channel
  }
  return undefined
}
