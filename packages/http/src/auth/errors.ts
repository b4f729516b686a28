import type {
  AttemptsExhausted,
  ChannelRequired,
  InvalidChannel,
  InvalidMode,
  ProviderUnavailable,
  RateLimited,
  RedirectUriRequired,
  TemplateUnusable,
  UnknownAuthorisationCode,
  UnknownVerification,
  VerificationExpired
} from "@countersign/core"
import type { ErrorCode } from "../contract/ErrorEnvelope.ts"
import { defineErrors } from "../ErrorTable.ts"

const rateLimitMessage: { readonly [L in RateLimited["limit"]]: string } = {
  spelling: "Too many new codes for this identity in the last hour",
  canonical: "Too many new codes for this person in the last hour, over all spellings of the identity",
  cooldown: "The code was sent a moment ago",
  resends: "The code was sent again as often as allowed",
  messages: "Apps had as many messages sent to this person in the last hour as allowed",
  environment: "Too many launches and conversions in this environment in the last hour",
  failures: "Too many wrong codes in a row for this identity",
  wrongNumbers: "Too many wrong numbers on the pages of links in the last 24 hours; a code still works",
  signIn: "Too many tries to sign in",
  signInCodes: "No more codes to sign in with are sent to this address in this hour; the last one still works",
  trials: "Too many codes were tried at the dashboard of this environment in the last hour",
  lookUps: "You looked for too many numbers and addresses that nothing is known of in the last hour",
  refusals: "Too many requests from this address were refused in the last hour",
  address: "Too many requests from this address in the last hour"
}

const templateFault: {
  readonly [F in TemplateUnusable["fault"]]: { readonly errorCode: ErrorCode; readonly problem: string }
} = {
  NOT_FOUND: {
    errorCode: "TEMPLATE_NOT_FOUND",
    problem: "is not known to the provider in this language, or not approved"
  },
  INVALID: {
    errorCode: "INVALID_TEMPLATE_CONFIG",
    problem: "is refused by the provider as it is: paused, disabled or of another form"
  },
  INCOMPLETE: { errorCode: "INCOMPLETE_TEMPLATE_CONFIG", problem: "lacks something the provider needs" }
}

/** How `/v1/auth` fails, on the wire. */
export const errors = defineErrors({
  InvalidMode: ({ problem }: InvalidMode) => ({ errorCode: "INVALID_MODE", message: problem }),
  InvalidChannel: ({ problem }: InvalidChannel) => ({ errorCode: "INVALID_CHANNEL", message: problem }),
  ChannelRequired: (_: ChannelRequired) => ({
    errorCode: "CHANNEL_REQUIRED",
    message: "OAUTH needs a channel: WHATSAPP, TRUECALLER or another number verifier of this server"
  }),
  RedirectUriRequired: (_: RedirectUriRequired) => ({
    errorCode: "REDIRECT_URI_REQUIRED",
    message: "OAUTH needs a redirectUri"
  }),
  VerificationExpired: ({ requestId, undeliverable }: VerificationExpired) => ({
    errorCode: "OTP_EXPIRED",
    message: undeliverable
      ? "No message could be delivered to this identity; initiate again, with another channel if there is one"
      : "The code has expired; initiate again",
    requestId
  }),
  AttemptsExhausted: ({ requestId }: AttemptsExhausted) => ({
    errorCode: "MAX_ATTEMPTS_EXCEEDED",
    message: "Too many wrong codes; initiate again",
    requestId
  }),
  UnknownVerification: (_: UnknownVerification) => ({
    errorCode: "TRANSACTION_NOT_FOUND",
    message: "No verification with this requestId or orderId in this environment"
  }),
  UnknownAuthorisationCode: (_: UnknownAuthorisationCode) => ({
    errorCode: "TRANSACTION_NOT_FOUND",
    message:
      "This code cannot be exchanged: it is none of this environment, is older than 60 seconds, or was exchanged before"
  }),
  RateLimited: ({ limit, requestId, retryAfterSeconds }: RateLimited) => ({
    errorCode: "RATE_LIMIT_EXCEEDED",
    message: `${rateLimitMessage[limit]}; try again in ${retryAfterSeconds} seconds`,
    requestId,
    headers: { "retry-after": String(retryAfterSeconds) }
  }),
  TemplateUnusable: ({ channel, fault, problem }: TemplateUnusable) => ({
    errorCode: templateFault[fault].errorCode,
    message: problem ?? `The ${channel} template ${templateFault[fault].problem}`
  }),
  ProviderUnavailable: ({ channel, retryAfterSeconds }: ProviderUnavailable) => ({
    errorCode: "PROVIDER_ERROR",
    message: `The ${channel} provider has been failing; try again in ${retryAfterSeconds} seconds, or use another channel`,
    headers: { "retry-after": String(retryAfterSeconds) }
  })
})
