import { Schema } from "effect"
import { ChannelName } from "./ChannelName.ts"

/** The provider said no, and would say it again: a blocked number, a bad template, our own account. */
export class Refused extends Schema.TaggedError<Refused>()("Refused", { providerCode: Schema.String }) {}

/** The provider did not take the message, and may take it later. */
export class Unavailable extends Schema.TaggedError<Unavailable>()("Unavailable", {
  providerCode: Schema.String,
  /** The provider's own wish, when it stated one. */
  retryAfterSeconds: Schema.optionalKey(Schema.Number)
}) {}

/** No usable answer: the message may be on its way or not. */
export class OutcomeUnknown extends Schema.TaggedError<OutcomeUnknown>()("OutcomeUnknown", {
  providerCode: Schema.String
}) {}

/**
 * A send that did not succeed, with the reason that decides what happens next. It never carries the provider's raw
 * answer: those repeat credentials and message texts.
 */
export class ChannelError extends Schema.TaggedError<ChannelError>()("ChannelError", {
  channel: ChannelName,
  reason: Schema.Union([Refused, Unavailable, OutcomeUnknown])
}) {}
