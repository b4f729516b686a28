import { Schema } from "effect"
import * as Problem from "../identity/Problem.ts"
import { refusing } from "../identity/problemOfIssue.ts"

/** The channels of Countersign's own providers. Authors of other channels declare their own names. */
export const knownChannels = ["SMS", "WHATSAPP", "RCS", "EMAIL"] as const
export type KnownChannel = (typeof knownChannels)[number]

/** The pattern of a channel name. */
export const namePattern = /^[A-Z][A-Z0-9_]{1,31}$/

/** The pattern in words, for error messages. */
export const nameForm = "2 to 32 capital letters, digits and underscores, with a letter first"

/**
 * The name of a channel. `SMS`, `WHATSAPP`, `RCS` and `EMAIL` are built in; any other name of this pattern belongs to a
 * custom channel.
 */
export const ChannelName = Schema.String.check(
  Schema.isPattern(namePattern, refusing(Problem.of("CHANNEL_NAME")))
).annotate({
  description: `${knownChannels.join(", ")}, or another channel of this server`,
  examples: ["SMS"]
})
// `string & {}` accepts any text but keeps the editor's completion of the built-in names.
export type ChannelName = KnownChannel | (string & {})

/** Whether a text matches the pattern of channel names. The channel need not exist. */
export const isChannelName = (text: unknown): text is string => typeof text === "string" && namePattern.test(text)

const labels: { readonly [name: string]: string } = {
  SMS: "SMS",
  WHATSAPP: "WhatsApp",
  RCS: "RCS",
  EMAIL: "E-mail",
  TWILIO_SNA: "Silent network authentication",
  CAMARA: "Mobile network"
}

/** The default display name of a channel: `Viber` for `VIBER`. */
export const labelOf = ({ label, name }: { readonly label?: string | undefined; readonly name: ChannelName }): string =>
  label ??
  (Object.hasOwn(labels, name) ? labels[name]! : `${name[0]}${name.slice(1).toLowerCase().replaceAll("_", " ")}`)

/** Sorts names for display and selection: built-in names first, then the others in their given order. */
export const inOrder = (names: Iterable<ChannelName>): ReadonlyArray<ChannelName> => {
  const all = new Set(names)
  return [...knownChannels.filter((name) => all.has(name)), ...[...all].filter((name) => !isKnownChannel(name))]
}

export const isKnownChannel = (name: ChannelName): name is KnownChannel => knownChannels.some((known) => known === name)
