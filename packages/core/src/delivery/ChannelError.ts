import { Schema } from "effect"
import { ChannelName } from "./ChannelName.ts"

/** What is wrong with the provider's template for our messages. */
export const TemplateFault = Schema.Literals(["NOT_FOUND", "INVALID", "INCOMPLETE"])
export type TemplateFault = typeof TemplateFault.Type

/**
 * The provider said no, and would say it again. `because` tells whose matter that is: this recipient's, this channel's
 * (they do not have it), the text's, our own account's, or our template's.
 */
export class Refused extends Schema.TaggedError<Refused>()("Refused", {
  providerCode: Schema.String,
  because: Schema.optionalKey(Schema.Literals(["recipient", "channel", "content", "account", "template"])),
  template: Schema.optionalKey(TemplateFault)
}) {}

/** The provider did not take the message, and may take it later. */
export class Unavailable extends Schema.TaggedError<Unavailable>()("Unavailable", {
  providerCode: Schema.String,
  /** The provider's own wish, when it stated one. */
  retryAfterSeconds: Schema.optionalKey(Schema.Number),
  /** Said when only the merchant's own number has to wait: it is no trouble of the provider's. */
  because: Schema.optionalKey(Schema.Literal("sender"))
}) {}

/** No usable answer: the message may be on its way or not. */
export class OutcomeUnknown extends Schema.TaggedError<OutcomeUnknown>()("OutcomeUnknown", {
  providerCode: Schema.String
}) {}

/**
 * A send that did not succeed, with the reason that decides what happens next. It carries a code and never the
 * provider's raw answer: those repeat credentials, addresses and message texts.
 */
export class ChannelError extends Schema.TaggedError<ChannelError>()("ChannelError", {
  channel: ChannelName,
  reason: Schema.Union([Refused, Unavailable, OutcomeUnknown])
}) {}
