import { Schema } from "effect"
import { ChannelName } from "../../foundation/delivery/ChannelName.ts"
import { TemplateFault } from "../../foundation/delivery/ChannelError.ts"

/** `mode` is none of the service's, or not offered here. */
export class InvalidMode extends Schema.TaggedError<InvalidMode>()("InvalidMode", { problem: Schema.String }) {}

/** `channel` cannot carry this kind of verification. */
export class InvalidChannel extends Schema.TaggedError<InvalidChannel>()("InvalidChannel", {
  problem: Schema.String
}) {}

/** OAUTH was asked for without saying over which channel. */
export class ChannelRequired extends Schema.TaggedError<ChannelRequired>()("ChannelRequired", {}) {}

/** OAUTH was asked for without saying where to return to. */
export class RedirectUriRequired extends Schema.TaggedError<RedirectUriRequired>()("RedirectUriRequired", {}) {}

/** The merchant does not let apps send to such numbers. */
export class DestinationForbidden extends Schema.TaggedError<DestinationForbidden>()("DestinationForbidden", {
  problem: Schema.String
}) {}

/** The provider has been failing, and there is no other channel to take its place. */
export class ProviderUnavailable extends Schema.TaggedError<ProviderUnavailable>()("ProviderUnavailable", {
  channel: ChannelName,
  retryAfterSeconds: Schema.Int
}) {}

/** The channel's template is not known to its provider, or cannot be used as it is. */
export class TemplateUnusable extends Schema.TaggedError<TemplateUnusable>()("TemplateUnusable", {
  channel: ChannelName,
  fault: TemplateFault,
  /** For people, where it is a template of the merchant's own. */
  problem: Schema.optionalKey(Schema.String)
}) {}

/** No approved login can be exchanged for that authorisation code: it is none, is older than a minute, or was used. */
export class UnknownAuthorisationCode extends Schema.TaggedError<UnknownAuthorisationCode>()(
  "UnknownAuthorisationCode",
  {}
) {}

/** The provider that was to prove a number did not answer in a way that can be read. The verification stays open. */
export class ProofUnavailable extends Schema.TaggedError<ProofUnavailable>()("ProofUnavailable", {
  provider: Schema.String,
  retryAfterSeconds: Schema.Int
}) {}

/** No verification has that id or merchant reference in this environment. */
export class UnknownVerification extends Schema.TaggedError<UnknownVerification>()("UnknownVerification", {}) {}

/** The code's time is over, or (`undeliverable`) no message could be delivered. */
export class VerificationExpired extends Schema.TaggedError<VerificationExpired>()("VerificationExpired", {
  requestId: Schema.String,
  undeliverable: Schema.Boolean
}) {}

/** Too many wrong codes: from now on the right one is refused, too. */
export class AttemptsExhausted extends Schema.TaggedError<AttemptsExhausted>()("AttemptsExhausted", {
  requestId: Schema.String
}) {}
