import { Schema } from "effect"

/** The channels that Countersign's own providers carry. Others are declared by those who write them. */
export const knownChannels = ["SMS", "WHATSAPP", "RCS", "EMAIL"] as const
export type KnownChannel = (typeof knownChannels)[number]

/** The form of a name. */
export const namePattern = /^[A-Z][A-Z0-9_]{1,31}$/

/** The same in words. */
export const nameForm = "2 to 32 capital letters, digits and underscores, with a letter first"

/**
 * A way for a message to travel: the name that a channel declares. `SMS`, `WHATSAPP`, `RCS` and `EMAIL` are known;
 * any other of this form belongs to a channel that somebody else has written.
 */
export const ChannelName = Schema.String.check(Schema.isPattern(namePattern, { expected: nameForm })).annotate({
  description: `${knownChannels.join(", ")}, or another channel that this server has`,
  examples: ["SMS"]
})
// `string & {}` takes any text, and leaves the known names to an editor's completion.
export type ChannelName = KnownChannel | (string & {})

/** Whether a text has the form of a channel's name. It need not be the name of one. */
export const isChannelName = (text: unknown): text is string => typeof text === "string" && namePattern.test(text)

const labels: { readonly [name: string]: string } = { SMS: "SMS", WHATSAPP: "WhatsApp", RCS: "RCS", EMAIL: "E-mail" }

/** What people call a channel that says nothing else: `Viber` for `VIBER`. */
export const labelOf = ({ label, name }: { readonly label?: string | undefined; readonly name: ChannelName }): string =>
  label ??
  (Object.hasOwn(labels, name) ? labels[name]! : `${name[0]}${name.slice(1).toLowerCase().replaceAll("_", " ")}`)

/** Names in the order in which they are shown and looked through: known ones first, then the others as they came. */
export const inOrder = (names: Iterable<ChannelName>): ReadonlyArray<ChannelName> => {
  const all = new Set(names)
  return [...knownChannels.filter((name) => all.has(name)), ...[...all].filter((name) => !isKnownChannel(name))]
}

export const isKnownChannel = (name: ChannelName): name is KnownChannel => knownChannels.some((known) => known === name)
