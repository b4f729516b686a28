import { Schema } from "effect"

/** The ways a code can travel. */
export const ChannelName = Schema.Literals(["SMS", "WHATSAPP", "EMAIL", "RCS", "TRUECALLER"])
export type ChannelName = typeof ChannelName.Type

export const isChannelName = Schema.is(ChannelName)
