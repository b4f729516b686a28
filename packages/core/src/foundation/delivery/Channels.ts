import { Context, Effect, Layer } from "effect"
import type { Channel, ChannelChoice } from "./Channel.ts"
import { type ChannelName, inOrder, knownChannels } from "./ChannelName.ts"
import { type CarrierPreference, type CarrierRule, type CarrierTables, rulesFrom, rulesOf } from "./chooseCarrier.ts"
import * as SandboxChannel from "./SandboxChannel.ts"

/** How the carriers of a channel are ordered. */
export interface CarrierOptions {
  /** The order for channels without a table: as listed, or by ascending `price`. */
  readonly preference?: CarrierPreference | undefined
  readonly tables?: CarrierTables | undefined
}

/**
 * All channels that live environments can use. Entries with the same name are the carriers of that channel;
 * `chooseCarrier` picks one for each message.
 */
export class Channels extends Context.Service<
  Channels,
  ChannelChoice & {
    /** The channels of test environments, which send nothing outside. */
    readonly sandbox: ChannelChoice
    /** All carriers of a channel. */
    readonly carriersOf: (name: ChannelName) => ReadonlyArray<Channel>
    /** The carrier rules of a channel, longest prefix first. */
    readonly rulesOf: (name: ChannelName) => ReadonlyArray<CarrierRule>
    readonly all: ReadonlyArray<Channel>
  }
>()("@countersign/core/delivery/Channels") {
  /**
   * Orders carriers by the channel's table. Without a table, orders them by the channels' own `prefixes`, then as
   * listed or by ascending price.
   */
  static readonly layer = (
    channels: ReadonlyArray<Channel>,
    { preference = "order", tables = {} }: CarrierOptions = {}
  ): Layer.Layer<Channels> => {
    const byName = Map.groupBy(channels, ({ name }) => name)
    const rules = new Map(
      Array.from(byName, ([name, carriers]) => {
        const table = tables[name]
        return [name, table === undefined ? rulesOf(carriers, preference) : rulesFrom(table, carriers)]
      })
    )
    return Layer.succeed(
      Channels,
      Channels.of({
        names: inOrder(byName.keys()),
        sandbox: SandboxChannel.standInsFor(channels),
        find: (name) => {
          const carriers = byName.get(name)
          return carriers?.find(({ accounts }) => accounts !== undefined) ?? carriers?.[0]
        },
        carriersOf: (name) => byName.get(name) ?? [],
        rulesOf: (name) => rules.get(name) ?? [],
        all: channels
      })
    )
  }
}

/** Replaces the sandbox channels in test environments; null keeps the sandbox. */
export const PlayedChannels = Context.Reference<ChannelChoice | null>("@countersign/core/delivery/PlayedChannels", {
  defaultValue: () => null
})

/** Returns the channels for a kind of environment. */
export const makeChoice: Effect.Effect<(kind: "live" | "test") => ChannelChoice, never, Channels> = Effect.gen(
  function* () {
    const channels = yield* Channels
    const sandbox = (yield* PlayedChannels) ?? channels.sandbox
    return (kind) => (kind === "test" ? sandbox : channels)
  }
)

/** The names allowed in settings, templates and filters: the built-in ones, and those configured in this process. */
export const nameable = ({ names }: ChannelChoice): ReadonlyArray<ChannelName> => inOrder([...knownChannels, ...names])
