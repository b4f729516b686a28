import { Context } from "effect"
import type { ChannelName } from "../../foundation/delivery/ChannelName.ts"

/**
 * The channels that settings may name: the known channels, and those of this process. Null where the process has no
 * channels, as in an operator command: then settings may name any.
 */
export const SettableChannels = Context.Reference<ReadonlyArray<ChannelName> | null>(
  "@countersign/core/merchant/SettableChannels",
  { defaultValue: () => null }
)
