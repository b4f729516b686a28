import { signal } from "@preact/signals"
import { say } from "./say.ts"

/** Channels that every service has. */
const known: ReadonlyArray<string> = ["SMS", "WHATSAPP", "RCS", "EMAIL"]

interface Named {
  readonly channel: string
  readonly label: string
}

interface Verifier {
  readonly verifier: string
  readonly label: string
}

const served = signal<ReadonlyArray<Named>>([])
const verifiers = signal<ReadonlyArray<Named>>([])

/** Stores the channels and number verifiers of the service for all screens. */
export const learnChannels = (channels: ReadonlyArray<Named>, proving: ReadonlyArray<Verifier> = []): void => {
  served.value = channels.map(({ channel, label }) => ({ channel, label }))
  verifiers.value = proving.map(({ label, verifier }) => ({ channel: verifier, label }))
}

/** Names of selectable channels: those of the service, or the standard ones until they are loaded. */
export const channelNames = (): ReadonlyArray<string> => {
  const names = served.value.map(({ channel }) => channel)
  return names.length === 0 ? known : names
}

/** The names of channels and number verifiers of the service. */
export const wayNames = (): ReadonlyArray<string> => [
  ...channelNames(),
  ...verifiers.value.map(({ channel }) => channel)
]

/** The channels, plus those with a stored value that the service no longer has. */
export const channelNamesIn = (set: { readonly [channel: string]: unknown }): ReadonlyArray<string> => [
  ...new Set([...channelNames(), ...Object.keys(set)])
]

/** Display name of a channel, translated where possible. */
export const channelName = (name: string): string =>
  say.channel[name] ??
  [...served.value, ...verifiers.value].find(({ channel }) => channel === name)?.label ??
  `${name.slice(0, 1)}${name.slice(1).toLowerCase().replaceAll("_", " ")}`
