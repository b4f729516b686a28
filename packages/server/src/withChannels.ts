import { Flag } from "effect/cli"
import type { Configuration } from "./Configuration.ts"

/** Modules with channels of the operator's own, beside those of `COUNTERSIGN_CHANNELS`. */
export const channel = Flag.String("channel").pipe(
  Flag.withMetavar("./acme-sms.js"),
  Flag.withDescription("Send through the channels of this module; as often as there are modules"),
  Flag.atLeast(0)
)

/** The configuration with the modules that arguments name. */
export const withChannels = (configuration: Configuration, paths: ReadonlyArray<string>): Configuration => {
  if (paths.length === 0) return configuration
  const { providers } = configuration
  const own = [...(providers.own ?? []), ...paths.map((path) => ({ from: "--channel" as const, path }))]
  return { ...configuration, providers: { ...providers, own } }
}
