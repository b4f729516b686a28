import {
  type AttemptsExhausted,
  type ChannelRequired,
  type DestinationForbidden,
  type GuardRefused,
  Instant,
  type InvalidChannel,
  type InvalidMode,
  Problem,
  type ProviderUnavailable,
  type RateLimited,
  type RedirectUriRequired,
  type TemplateUnusable,
  type UnknownAuthorisationCode,
  type UnknownVerification,
  type VerificationExpired
} from "@countersign/core"
import type { ErrorCode } from "../contract/ErrorEnvelope.ts"
import { defineErrors } from "../ErrorTable.ts"

const rateLimitMessage: { readonly [L in RateLimited["limit"]]: string } = {
  spelling: "Too many new codes for this identity in the last hour",
  canonical: "Too many new codes for this identity in the last hour, over all its spellings",
  cooldown: "A code was sent a moment ago",
  resends: "The code was already resent as often as allowed",
  messages: "Apps requested too many messages for this identity in the last hour",
  environment: "Too many launches and conversions in this environment in the last hour",
  failures: "Too many wrong codes in a row for this identity",
  wrongNumbers: "Too many wrong numbers on link pages in the last 24 hours; use a code instead",
  signIn: "Too many sign-in attempts",
  signInCodes: "Too many sign-in codes for this address in the last hour; the last code still works",
  trials: 'Too many "Try it" codes in this environment in the last hour',
  challenge: "This challenge was answered before",
  lookUps: "Too many searches for unknown numbers and addresses in the last hour",
  hourlyLimitPerPrefix: "Too many messages to numbers with this prefix in the last hour (hourlyLimitPerPrefix)",
  hourlyLimitPerCountry: "Too many messages to this country in the last hour (hourlyLimitPerCountry)",
  hourlyLimitPerMerchant: "Too many messages of this environment in the last hour (hourlyLimitPerMerchant)",
  starts: "This login has started number verification too often in the last hour; verify with a code",
  refusals: "Too many refused requests from this address in the last hour",
  address: "Too many requests from this address in the last hour"
}

const templateFault: {
  readonly [F in TemplateUnusable["fault"]]: { readonly errorCode: ErrorCode; readonly problem: string }
} = {
  NOT_FOUND: {
    errorCode: "TEMPLATE_NOT_FOUND",
    problem: "does not exist at the provider in this language, or is not approved"
  },
  INVALID: {
    errorCode: "INVALID_TEMPLATE_CONFIG",
    problem: "was refused by the provider: it is paused, disabled or has another format"
  },
  INCOMPLETE: { errorCode: "INCOMPLETE_TEMPLATE_CONFIG", problem: "is incomplete: the provider requires more fields" }
}

/** The failures of `/v1/auth`. */
export const errors = defineErrors({
  InvalidMode: ({ problem }: InvalidMode) => ({ errorCode: "INVALID_MODE", message: problem }),
  InvalidChannel: ({ problem }: InvalidChannel) => ({ errorCode: "INVALID_CHANNEL", message: problem }),
  ChannelRequired: (_: ChannelRequired) => ({
    errorCode: "CHANNEL_REQUIRED",
    message: "mode OAUTH needs a channel: WHATSAPP, TRUECALLER or another number verifier of this server"
  }),
  RedirectUriRequired: (_: RedirectUriRequired) => ({
    errorCode: "REDIRECT_URI_REQUIRED",
    message: "mode OAUTH needs a redirectUri"
  }),
  DestinationForbidden: ({ code, params, problem }: DestinationForbidden) => ({
    errorCode: "FORBIDDEN",
    message: `The phone number is not allowed: ${problem}`,
    problem: { field: "identity", code, params }
  }),
  GuardRefused: ({ challenge, reason, waitSeconds }: GuardRefused) => {
    const { problem: sentence, ...coded } = Problem.of(waitSeconds === null ? "GUARD_REFUSED" : "GUARD_DELAYED", {
      reason
    })
    const message = sentence.charAt(0).toUpperCase() + sentence.slice(1)
    const problem = { field: "identity", ...coded }
    return waitSeconds === null
      ? { errorCode: "FORBIDDEN", message, problem }
      : {
          errorCode: "RATE_LIMIT_EXCEEDED",
          message: `${message}; try again in ${waitSeconds} seconds${challenge === undefined ? "" : ", or solve the challenge"}`,
          problem,
          headers: { "retry-after": String(waitSeconds) },
          ...(challenge === undefined
            ? {}
            : { challenge: { ...challenge, expiresAt: Instant.toIso(challenge.expiresAt) } })
        }
  },
  VerificationExpired: ({ requestId, undeliverable }: VerificationExpired) => ({
    errorCode: "OTP_EXPIRED",
    message: undeliverable
      ? "No message could be delivered to this identity; initiate again, if possible with another channel"
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
    message: "No verification has this requestId or orderId in this environment"
  }),
  UnknownAuthorisationCode: (_: UnknownAuthorisationCode) => ({
    errorCode: "TRANSACTION_NOT_FOUND",
    message: "This authorisation code is unknown in this environment, older than 60 seconds, or already exchanged"
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
    message: `The ${channel} provider is failing; try again in ${retryAfterSeconds} seconds, or use another channel`,
    headers: { "retry-after": String(retryAfterSeconds) }
  })
})
