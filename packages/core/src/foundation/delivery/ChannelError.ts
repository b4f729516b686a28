import { Schema } from "effect"
import { ChannelName } from "./ChannelName.ts"

/** A problem with the provider's template for a message. */
export const TemplateFault = Schema.Literals(["NOT_FOUND", "INVALID", "INCOMPLETE"])
export type TemplateFault = typeof TemplateFault.Type

/**
 * The cause of a provider's refusal, delay or failed delivery. Channels translate their provider's codes into these
 * values. Core decides by these values only, and never by a provider's code.
 *
 * - `recipient`: this person cannot be reached, or only this person has to wait
 * - `opted_out`: this person told the provider to stop messages from this sender
 * - `channel`: this channel cannot deliver the message, such as to a number without WhatsApp
 * - `content`: the provider does not accept the text of this message
 * - `template`: the provider does not accept its template for the message
 * - `sender`: the number or sender id has a problem
 * - `account`: the account with the provider, its credentials or its balance has a problem
 * - `limit`: the account's rate limit at the provider is reached
 */
export const Because = Schema.Literals([
  "recipient",
  "opted_out",
  "channel",
  "content",
  "template",
  "sender",
  "account",
  "limit"
])
export type Because = typeof Because.Type

/** The provider refused the message, and would refuse it again. Omit `because` when the provider gives no reason. */
export class Refused extends Schema.TaggedError<Refused>()("Refused", {
  providerCode: Schema.String,
  because: Schema.optionalKey(Because),
  template: Schema.optionalKey(TemplateFault)
}) {}

/** The provider certainly did not accept the message now, and may accept it later. */
export class Unavailable extends Schema.TaggedError<Unavailable>()("Unavailable", {
  providerCode: Schema.String,
  /** The delay that the provider asks for, if any. */
  retryAfterSeconds: Schema.optionalKey(Schema.Number),
  /** Omit it when the provider itself has a problem. Its circuit breaker then counts the send as a failure. */
  because: Schema.optionalKey(Because)
}) {}

/** The provider gave no usable answer, so the message may or may not have been sent. */
export class OutcomeUnknown extends Schema.TaggedError<OutcomeUnknown>()("OutcomeUnknown", {
  providerCode: Schema.String,
  /**
   * True when the provider deduplicates requests by delivery id. Core then repeats the send for every kind of message.
   * Otherwise the person may receive the message twice, so core repeats only codes and links, and only once.
   */
  repeatable: Schema.optionalKey(Schema.Boolean)
}) {}

/**
 * A failed send, with the reason that decides the next step. It contains the provider's code and never its raw
 * response, which can contain credentials, addresses and message texts.
 */
export class ChannelError extends Schema.TaggedError<ChannelError>()("ChannelError", {
  channel: ChannelName,
  reason: Schema.Union([Refused, Unavailable, OutcomeUnknown])
}) {}

/**
 * The causes that affect every message to the provider, not only this message or its sender. Undefined means that the
 * provider itself has a problem.
 */
const ofTheProvider: ReadonlyArray<Because | undefined> = ["account", "limit", undefined]

/**
 * Whether an error counts as a provider failure for the circuit breaker. A refusal does not, and neither does a delay
 * that concerns one recipient, message or sender.
 */
export const isProviderFailure = ({ reason }: Pick<ChannelError, "reason">): boolean =>
  reason._tag === "OutcomeUnknown" || (reason._tag === "Unavailable" && ofTheProvider.includes(reason.because))

/** The causes that concern the carrier, not the person or the message, so another carrier may accept the message. */
const ofTheCarrier: ReadonlyArray<Because | undefined> = ["account", "sender", "limit"]

/**
 * Whether another carrier may send a failed message. If the cause concerns the person or the message, the message would
 * fail there too.
 */
export const concernsCarrier = (because: Because | undefined): boolean => ofTheCarrier.includes(because)

/**
 * Whether core may try another carrier of the channel immediately. True when the provider certainly does not have the
 * message, and the cause concerns the carrier, not the person or the message.
 */
export const mayGoByOther = ({ reason }: ChannelError): boolean => {
  if (reason._tag === "OutcomeUnknown") return false
  return concernsCarrier(reason.because) || (reason._tag === "Unavailable" && reason.because === undefined)
}
