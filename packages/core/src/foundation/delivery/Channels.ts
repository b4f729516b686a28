import { Context, Effect, Layer } from "effect"
import type { Channel, ChannelChoice } from "./Channel.ts"
import { type ChannelName, inOrder, knownChannels } from "./ChannelName.ts"
import { type CarrierPreference, type CarrierRule, type CarrierTables, rulesFrom, rulesOf } from "./chooseCarrier.ts"
import * as SandboxChannel from "./SandboxChannel.ts"

/** In which order the carriers of a channel are asked. */
export interface CarrierOptions {
  /** Without a table: as they are listed, or the cheapest first by their `price`. */
  readonly preference?: CarrierPreference | undefined
  readonly tables?: CarrierTables | undefined
}

/**
 * Every channel that live environments can use. Several entries of one name are the carriers of that channel: a message
 * goes out by one of them, see `chooseCarrier`.
 */
export class Channels extends Context.Service<
  Channels,
  ChannelChoice & {
    /** Those of test environments: nothing leaves the machine. */
    readonly sandbox: ChannelChoice
    /** Every carrier of a channel. */
    readonly carriersOf: (name: ChannelName) => ReadonlyArray<Channel>
    /** Which of them take which numbers, the longest prefix first. */
    readonly rulesOf: (name: ChannelName) => ReadonlyArray<CarrierRule>
    readonly all: ReadonlyArray<Channel>
  }
>()("@countersign/core/delivery/Channels") {
  /**
   * Carriers are tried as `tables` says, by channel; without a table, as the channels' own `prefixes` say, in their order
   * or the cheapest first.
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

/** Plays other channels in test environments than those of the sandbox; null plays none. */
export const PlayedChannels = Context.Reference<ChannelChoice | null>("@countersign/core/delivery/PlayedChannels", {
  defaultValue: () => null
})

/** The channels of environments, by their kind. */
export const makeChoice: Effect.Effect<(kind: "live" | "test") => ChannelChoice, never, Channels> = Effect.gen(
  function* () {
    const channels = yield* Channels
    const sandbox = (yield* PlayedChannels) ?? channels.sandbox
    return (kind) => (kind === "test" ? sandbox : channels)
  }
)

/** The names that settings, templates and filters may have: the known ones, and those of this process. */
export const nameable = ({ names }: ChannelChoice): ReadonlyArray<ChannelName> => inOrder([...knownChannels, ...names])
