import { Context } from "effect"
import type { ChannelName } from "../../foundation/delivery/ChannelName.ts"

/**
 * The channels that settings may name: the known ones, and those of this process. Null where it has none of its own, as
 * a command of the operator's: then settings may name any.
 */
export const SettableChannels = Context.Reference<ReadonlyArray<ChannelName> | null>(
  "@countersign/core/merchant/SettableChannels",
  { defaultValue: () => null }
)
