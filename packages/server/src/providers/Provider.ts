import type { Channel, ChannelName, LineInfo, NumberVerifier } from "@countersign/core/channel"
import type { Effect, Scope } from "effect"
import type { InvalidConfiguration } from "../InvalidConfiguration.ts"
import type { VariableReader } from "../VariableReader.ts"
import type { VariableGroup } from "../variables/Variable.ts"

/** The channels or verifiers of a provider. Fails with all problems of its variables. */
export type Made<A> = Effect.Effect<ReadonlyArray<A>, InvalidConfiguration, Scope.Scope>

/**
 * A row of `providers/table.ts`. `channels`, `verifiers` and `lineInfo` load the adapter, so only a configured provider costs start
 * time. They are methods, so that rows with different options fit into one table.
 */
export interface Provider<Options> {
  /** The provider's variables. */
  readonly group: VariableGroup
  /** Reads the provider's options. Undefined when the provider is not configured. */
  readonly read: (reader: VariableReader) => Options | undefined
  channels?(options: Options, publicUrl: string): Made<Channel>
  verifiers?(options: Options): Made<NumberVerifier>
  lineInfo?(options: Options): Made<LineInfo>
  /** The variable that enables the channel. Errors name it, so that the operator can remove it. */
  readonly switch: (channel: ChannelName) => string
}
