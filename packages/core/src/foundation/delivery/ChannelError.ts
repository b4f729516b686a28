import { Schema } from "effect"
import { ChannelName } from "./ChannelName.ts"

/** What is wrong with the provider's template for our messages. */
export const TemplateFault = Schema.Literals(["NOT_FOUND", "INVALID", "INCOMPLETE"])
export type TemplateFault = typeof TemplateFault.Type

/**
 * What a provider's refusal, delay or failed delivery is about. Channels translate their provider's codes into these
 * words; core decides by them and never reads a provider's code.
 *
 * - `recipient`: this person cannot be reached, or only this person has to wait
 * - `opted_out`: this person told the provider to stop messages from this sender
 * - `channel`: this person does not use this channel, such as a number without WhatsApp
 * - `content`: the words of this message
 * - `template`: the provider's template for the message
 * - `sender`: the number or sender id that the message goes out from
 * - `account`: the account with the provider, its credentials or its balance
 * - `limit`: too many messages from the account: the provider asks for less
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

/** The provider said no, and would say it again. Leave `because` out where the provider does not say why. */
export class Refused extends Schema.TaggedError<Refused>()("Refused", {
  providerCode: Schema.String,
  because: Schema.optionalKey(Because),
  template: Schema.optionalKey(TemplateFault)
}) {}

/** The provider certainly did not take the message, and may take it later. */
export class Unavailable extends Schema.TaggedError<Unavailable>()("Unavailable", {
  providerCode: Schema.String,
  /** The provider's own wish, when it stated one. */
  retryAfterSeconds: Schema.optionalKey(Schema.Number),
  /** Left out, the provider itself is in trouble: its circuit breaker counts the send as a failure. */
  because: Schema.optionalKey(Because)
}) {}

/** No usable answer: the message may be on its way or not. */
export class OutcomeUnknown extends Schema.TaggedError<OutcomeUnknown>()("OutcomeUnknown", {
  providerCode: Schema.String,
  /**
   * True where the provider takes a repeated request for the same message, by its delivery id, once. Then every kind of
   * message is sent again; without it only codes and links are, once, because the person may get them twice.
   */
  repeatable: Schema.optionalKey(Schema.Boolean)
}) {}

/**
 * A send that did not succeed, with the reason that decides what happens next. It carries a code and never the
 * provider's raw answer: those repeat credentials, addresses and message texts.
 */
export class ChannelError extends Schema.TaggedError<ChannelError>()("ChannelError", {
  channel: ChannelName,
  reason: Schema.Union([Refused, Unavailable, OutcomeUnknown])
}) {}

/** What says something about every message that goes to the provider, and not about this one or its sender alone. */
const ofTheProvider: ReadonlyArray<Because | undefined> = ["account", "limit", undefined]

/**
 * Whether an error counts against the provider. A refusal is an answer, and so is a delay that concerns one recipient,
 * message or sender.
 */
export const isProviderFailure = ({ reason }: ChannelError): boolean =>
  reason._tag === "OutcomeUnknown" || (reason._tag === "Unavailable" && ofTheProvider.includes(reason.because))

/** What concerns the carrier and not the person: another carrier may take the message. */
const ofTheCarrier: ReadonlyArray<Because | undefined> = ["account", "sender", "limit"]

/** Whether a message that failed for this may go out by another carrier. What concerns the person would fail there too. */
export const concernsCarrier = (because: Because | undefined): boolean => ofTheCarrier.includes(because)

/**
 * Whether another carrier of the channel may be asked at once: the provider certainly does not have the message, and what
 * it said does not concern the person.
 */
export const mayGoByOther = ({ reason }: ChannelError): boolean => {
  if (reason._tag === "OutcomeUnknown") return false
  return concernsCarrier(reason.because) || (reason._tag === "Unavailable" && reason.because === undefined)
}
