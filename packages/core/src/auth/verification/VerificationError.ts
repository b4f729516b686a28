import { Schema } from "effect"
import { ChannelName } from "../../foundation/delivery/ChannelName.ts"
import { TemplateFault } from "../../foundation/delivery/ChannelError.ts"

/** `mode` is unknown, or this server does not offer it. */
export class InvalidMode extends Schema.TaggedError<InvalidMode>()("InvalidMode", { problem: Schema.String }) {}

/** `channel` cannot carry this kind of verification. */
export class InvalidChannel extends Schema.TaggedError<InvalidChannel>()("InvalidChannel", {
  problem: Schema.String
}) {}

/** An OAUTH request must name its channel. */
export class ChannelRequired extends Schema.TaggedError<ChannelRequired>()("ChannelRequired", {}) {}

/** An OAUTH request must name its redirect URI. */
export class RedirectUriRequired extends Schema.TaggedError<RedirectUriRequired>()("RedirectUriRequired", {}) {}

/** The provider has been failing, and no other channel can replace it. */
export class ProviderUnavailable extends Schema.TaggedError<ProviderUnavailable>()("ProviderUnavailable", {
  channel: ChannelName,
  retryAfterSeconds: Schema.Int
}) {}

/** The provider does not know the channel's template, or cannot use it. */
export class TemplateUnusable extends Schema.TaggedError<TemplateUnusable>()("TemplateUnusable", {
  channel: ChannelName,
  fault: TemplateFault,
  /** A readable explanation, for a template of the merchant's own. */
  problem: Schema.optionalKey(Schema.String)
}) {}

/**
 * No approved login can be exchanged for this authorisation code: it is unknown, older than a minute, or already used.
 */
export class UnknownAuthorisationCode extends Schema.TaggedError<UnknownAuthorisationCode>()(
  "UnknownAuthorisationCode",
  {}
) {}

/** The provider gave no readable answer about the number. The verification stays open. */
export class ProofUnavailable extends Schema.TaggedError<ProofUnavailable>()("ProofUnavailable", {
  provider: Schema.String,
  retryAfterSeconds: Schema.Int
}) {}

/**
 * The provider cannot verify the number over this network: the phone does not use mobile data, or its carrier does not
 * take part. The verification stays open.
 */
export class NetworkNotSupported extends Schema.TaggedError<NetworkNotSupported>()("NetworkNotSupported", {
  provider: Schema.String
}) {}

/** No verification has this id or merchant reference in this environment. */
export class UnknownVerification extends Schema.TaggedError<UnknownVerification>()("UnknownVerification", {}) {}

/** The code has expired, or (`undeliverable`) no message could be delivered. */
export class VerificationExpired extends Schema.TaggedError<VerificationExpired>()("VerificationExpired", {
  requestId: Schema.String,
  undeliverable: Schema.Boolean
}) {}

/** Too many wrong codes. From now on the right code is refused, too. */
export class AttemptsExhausted extends Schema.TaggedError<AttemptsExhausted>()("AttemptsExhausted", {
  requestId: Schema.String
}) {}
