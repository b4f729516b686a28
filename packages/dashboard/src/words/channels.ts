import { signal } from "@preact/signals"
import { say } from "./say.ts"

/** Those that every service knows. */
const known: ReadonlyArray<string> = ["SMS", "WHATSAPP", "RCS", "EMAIL"]

interface Named {
  readonly channel: string
  readonly label: string
}

const served = signal<ReadonlyArray<Named>>([])

/** What the service says of its channels: from then on every screen knows them. */
export const learnChannels = (channels: ReadonlyArray<Named>): void => {
  served.value = channels.map(({ channel, label }) => ({ channel, label }))
}

/** The names of channels to choose from: those of the service, and before it has answered those that every one has. */
export const channelNames = (): ReadonlyArray<string> => {
  const names = served.value.map(({ channel }) => channel)
  return names.length === 0 ? known : names
}

/** The same, and what is set for a channel that the service does not have any more. */
export const channelNamesIn = (set: { readonly [channel: string]: unknown }): ReadonlyArray<string> => [
  ...new Set([...channelNames(), ...Object.keys(set)])
]

/** What people call a channel, in their language where that has a word for it. */
export const channelName = (name: string): string =>
  say.channel[name] ??
  served.value.find(({ channel }) => channel === name)?.label ??
  `${name.slice(0, 1)}${name.slice(1).toLowerCase().replaceAll("_", " ")}`
