import { Schema } from "effect"
import { ChannelName } from "./ChannelName.ts"

/** The problem with the provider's template for our messages. */
export const TemplateFault = Schema.Literals(["NOT_FOUND", "INVALID", "INCOMPLETE"])
export type TemplateFault = typeof TemplateFault.Type

/**
 * The cause of a provider's refusal, delay or failed delivery. Channels translate their provider's codes into these
 * values; core decides by them and never reads a provider's code.
 *
 * - `recipient`: this person cannot be reached, or only this person has to wait
 * - `opted_out`: this person told the provider to stop messages from this sender
 * - `channel`: this person does not use this channel, such as a number without WhatsApp
 * - `content`: the text of this message
 * - `template`: the provider's template for the message
 * - `sender`: the number or sender id that sends the message
 * - `account`: the account with the provider, its credentials or its balance
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

/** The provider certainly did not accept the message, and may accept it later. */
export class Unavailable extends Schema.TaggedError<Unavailable>()("Unavailable", {
  providerCode: Schema.String,
  /** The provider's requested delay, if it named one. */
  retryAfterSeconds: Schema.optionalKey(Schema.Number),
  /** When omitted, the provider itself has a problem: its circuit breaker counts the send as a failure. */
  because: Schema.optionalKey(Because)
}) {}

/** The provider gave no usable answer, so the message may or may not have been sent. */
export class OutcomeUnknown extends Schema.TaggedError<OutcomeUnknown>()("OutcomeUnknown", {
  providerCode: Schema.String,
  /**
   * True when the provider deduplicates requests by delivery id. Core then repeats the send for every kind of message.
   * Otherwise core repeats only codes and links, once, because the person may receive them twice.
   */
  repeatable: Schema.optionalKey(Schema.Boolean)
}) {}

/**
 * A failed send, with the reason that decides the next step. It contains a code and never the provider's raw response,
 * which can contain credentials, addresses and message texts.
 */
export class ChannelError extends Schema.TaggedError<ChannelError>()("ChannelError", {
  channel: ChannelName,
  reason: Schema.Union([Refused, Unavailable, OutcomeUnknown])
}) {}

/** The causes that affect every message to the provider, not only this message or its sender. */
const ofTheProvider: ReadonlyArray<Because | undefined> = ["account", "limit", undefined]

/**
 * Whether an error counts as a provider failure for the circuit breaker. A refusal does not, and neither does a delay
 * that concerns one recipient, message or sender.
 */
export const isProviderFailure = ({ reason }: ChannelError): boolean =>
  reason._tag === "OutcomeUnknown" || (reason._tag === "Unavailable" && ofTheProvider.includes(reason.because))

/** The causes that concern the carrier and not the person, so another carrier may accept the message. */
const ofTheCarrier: ReadonlyArray<Because | undefined> = ["account", "sender", "limit"]

/** Whether a failed message may be sent by another carrier. A cause that concerns the person would fail there too. */
export const concernsCarrier = (because: Because | undefined): boolean => ofTheCarrier.includes(because)

/**
 * Whether core may try another carrier of the channel immediately. True when the provider certainly does not have the
 * message, and the cause does not concern the person.
 */
export const mayGoByOther = ({ reason }: ChannelError): boolean => {
  if (reason._tag === "OutcomeUnknown") return false
  return concernsCarrier(reason.because) || (reason._tag === "Unavailable" && reason.because === undefined)
}
