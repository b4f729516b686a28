import type { Channel, ChannelName, NumberVerifier } from "@countersign/core/channel"
import type { Effect, Scope } from "effect"
import type { InvalidConfiguration } from "../InvalidConfiguration.ts"
import type { VariableReader } from "../VariableReader.ts"
import type { VariableGroup } from "../variables/Variable.ts"

/** What a provider gives us, or every problem that it has with what the environment says of it. */
export type Made<A> = Effect.Effect<ReadonlyArray<A>, InvalidConfiguration, Scope.Scope>

/**
 * A provider as the server knows it: a row of `providers/table.ts`. Its adapter is loaded by `channels` and `verifiers`,
 * so only where it is configured: a vendor's library can cost more than all the rest of a start. Both are methods, so
 * that rows with options of their own fit in one table; a row is given what it has read and nothing else.
 */
export interface Provider<Options> {
  /** Every variable of it. */
  readonly group: VariableGroup
  /** What the environment says of it; undefined when it says nothing. */
  readonly read: (reader: VariableReader) => Options | undefined
  channels?(options: Options, publicUrl: string): Made<Channel>
  verifiers?(options: Options): Made<NumberVerifier>
  /** The variable that switches this channel on, for who has to leave it out. */
  readonly switch: (channel: ChannelName) => string
}
