import type { IdentityType } from "../identity/Identity.ts"
import type { Channel, ChannelChoice } from "./Channel.ts"
import type { Message, MessageKind } from "./Message.ts"

/** The default kinds of a channel. */
export const usualKinds: ReadonlyArray<MessageKind> = ["Code"]

/** Whether a channel supports this identity type and kind of message. */
export const carries = ({ supports }: Channel, type: IdentityType, kind: MessageKind): boolean =>
  supports.identityTypes.includes(type) && (supports.kinds ?? usualKinds).includes(kind)

/** Whether a channel may send this message. */
export const mayCarry = (channel: Channel, { _tag, to }: Message): boolean =>
  carries(channel, to.includes("@") ? "EMAIL" : "MOBILE", _tag)

/**
 * Whether mail to this address may leave the machine. Mail for `localhost` stays here, or reaches the mail server's user
 * with that name.
 */
export const canMail = ({ supports }: Channel, address: string): boolean =>
  supports.local === true || !/[@.]localhost$/.test(address)

/** The first channel that can send it, in the order of names: SMS, WHATSAPP, RCS, EMAIL, then the others. */
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
