/**
 * Countersign inside your own application: send a code, check it, mount the API.
 *
 * @example
 * ```ts
 * import { consoleChannel, Countersign } from "countersign"
 *
 * const countersign = await Countersign.make({ database: "./data", channels: [consoleChannel()] })
 * const { requestId } = await countersign.initiate({ identity: "+919876543210", identityType: "MOBILE" })
 * ```
 */
export { InvalidOptions } from "@countersign/core/channel"
export {
  carrier,
  type CarrierEntry,
  type ChannelSource,
  CountersignError,
  type LogEntry,
  type PlainMessage,
  type PlainTracer,
  type PromiseChannel,
  type LineInfoSource,
  type NumberVerifierSource
} from "@countersign/http"
export { StorageStartError } from "@countersign/postgres"
export { consoleChannel } from "./consoleChannel.ts"
export { Countersign } from "./Countersign.ts"
export type { CountersignOptions, DatabaseOption } from "./CountersignOptions.ts"
