import { Flag } from "effect/cli"
import type { Configuration } from "./Configuration.ts"

/** Modules with the operator's own channels, in addition to `COUNTERSIGN_CHANNELS`. */
export const channel = Flag.String("channel").pipe(
  Flag.withMetavar("./acme-sms.js"),
  Flag.withDescription("A module with your own channels. Repeat the option for several modules"),
  Flag.atLeast(0)
)

/** Adds the modules from `--channel` to the configuration. */
export const withChannels = (configuration: Configuration, paths: ReadonlyArray<string>): Configuration => {
  if (paths.length === 0) return configuration
  const { providers } = configuration
  const own = [...(providers.own ?? []), ...paths.map((path) => ({ from: "--channel" as const, path }))]
  return { ...configuration, providers: { ...providers, own } }
}
