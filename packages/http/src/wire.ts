import type {
  AttemptsExhausted,
  CallbackRefused,
  ChannelRequired,
  Conflict,
  Contended,
  DestinationForbidden,
  IdempotencyKeyReused,
  InvalidChannel,
  InvalidCredentials,
  InvalidField,
  InvalidMode,
  LastDashboardKey,
  MerchantSuspended,
  ProviderUnavailable,
  RateLimited,
  RedirectUriRequired,
  ScopeMissing,
  StillRunning,
  StoreError,
  TemplateUnusable,
  UnknownCallback,
  UnknownDevice,
  UnknownKey,
  UnknownMerchant,
  UnknownVerification,
  UnknownWebhook,
  UnknownWebhookDelivery,
  VerificationExpired,
  WebhookUrlTaken
} from "@countersign/core"
import { type ErrorCode, statusOf } from "./contract/ErrorEnvelope.ts"
import type { BodyTooLarge, BodyUnreadable, MethodUnknown, NotReady, OriginForbidden, PathUnknown } from "./Fault.ts"
import { json, type WireResponse } from "./WireResponse.ts"

/** Everything that can go wrong on the way to an answer. */
export type Failure =
  | AttemptsExhausted
  | BodyTooLarge
  | BodyUnreadable
  | CallbackRefused
  | ChannelRequired
  | Conflict
  | Contended
  | DestinationForbidden
  | IdempotencyKeyReused
  | InvalidChannel
  | InvalidCredentials
  | InvalidField
  | InvalidMode
  | LastDashboardKey
  | MerchantSuspended
  | MethodUnknown
  | NotReady
  | OriginForbidden
  | PathUnknown
  | ProviderUnavailable
  | RateLimited
  | RedirectUriRequired
  | ScopeMissing
  | StillRunning
  | StoreError
  | TemplateUnusable
  | UnknownCallback
  | UnknownDevice
  | UnknownKey
  | UnknownMerchant
  | UnknownVerification
  | UnknownWebhook
  | UnknownWebhookDelivery
  | VerificationExpired
  | WebhookUrlTaken

interface Wire {
  readonly errorCode: ErrorCode
  readonly message: string
  readonly requestId?: string | null
  readonly headers?: { readonly [name: string]: string }
  /** Only where it is not the one that goes with the code. */
  readonly status?: number
}

const rateLimitMessage: { readonly [L in RateLimited["limit"]]: string } = {
  spelling: "Too many new codes for this identity in the last hour",
  canonical: "Too many new codes for this person in the last hour, over all spellings of the identity",
  cooldown: "The code was sent a moment ago",
  resends: "The code was sent again as often as allowed",
  failures: "Too many wrong codes in a row for this identity",
  refusals: "Too many requests from this address were refused in the last hour",
  address: "Too many codes were asked for from this address in the last hour"
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

const tryAgain = (message: string): Wire => ({ errorCode: "INTERNAL_ERROR", message, headers: { "retry-after": "1" } })

/** What each failure is on the wire. A failure without a row does not compile. */
const table: { readonly [T in Failure["_tag"]]: (failure: Extract<Failure, { readonly _tag: T }>) => Wire } = {
  InvalidField: ({ field, problem }) => ({ errorCode: "INVALID_REQUEST", message: `${field}: ${problem}` }),
  BodyUnreadable: ({ problem }) => ({ errorCode: "INVALID_REQUEST", message: `body: ${problem}` }),
  InvalidMode: ({ problem }) => ({ errorCode: "INVALID_MODE", message: problem }),
  InvalidChannel: ({ problem }) => ({ errorCode: "INVALID_CHANNEL", message: problem }),
  ChannelRequired: () => ({ errorCode: "CHANNEL_REQUIRED", message: "OAUTH needs a channel: WHATSAPP or TRUECALLER" }),
  RedirectUriRequired: () => ({ errorCode: "REDIRECT_URI_REQUIRED", message: "OAUTH needs a redirectUri" }),
  VerificationExpired: ({ requestId, undeliverable }) => ({
    errorCode: "OTP_EXPIRED",
    message: undeliverable
      ? "No message could be delivered to this identity; initiate again, with another channel if there is one"
      : "The code has expired; initiate again",
    requestId
  }),
  AttemptsExhausted: ({ requestId }) => ({
    errorCode: "MAX_ATTEMPTS_EXCEEDED",
    message: "Too many wrong codes; initiate again",
    requestId
  }),
  UnknownVerification: () => ({
    errorCode: "TRANSACTION_NOT_FOUND",
    message: "No verification with this requestId or orderId in this environment"
  }),
  InvalidCredentials: () => ({
    errorCode: "INVALID_CLIENT_CREDENTIALS",
    message: "The credentials are missing or wrong"
  }),
  MerchantSuspended: () => ({ errorCode: "CLIENT_INACTIVE", message: "This account is suspended" }),
  CallbackRefused: () => ({ errorCode: "FORBIDDEN", message: "This request is not signed as the provider signs" }),
  OriginForbidden: () => ({
    errorCode: "FORBIDDEN",
    message: "This origin is not allowed to use the public key; add it to allowedOrigins in your settings"
  }),
  DestinationForbidden: ({ problem }) => ({ errorCode: "FORBIDDEN", message: `phone: ${problem}` }),
  ScopeMissing: ({ scope }) => ({
    errorCode: "FORBIDDEN",
    message: `This key may not call this: it needs the scope ${scope}. Make a key that has it`
  }),
  LastDashboardKey: () => ({
    errorCode: "FORBIDDEN",
    message:
      "This is the last key of this environment with the scope dashboard; make another first, or roll this one with overlapHours 0"
  }),
  UnknownKey: () => ({
    errorCode: "KEY_NOT_FOUND",
    message: "No key with this id in this environment, or it was revoked"
  }),
  UnknownDevice: () => ({ errorCode: "DEVICE_NOT_FOUND", message: "No trusted device with this id" }),
  UnknownWebhook: () => ({ errorCode: "WEBHOOK_NOT_FOUND", message: "No webhook endpoint with this id" }),
  UnknownWebhookDelivery: () => ({
    errorCode: "WEBHOOK_DELIVERY_NOT_FOUND",
    message: "No delivery with this id to this endpoint, or its event is older than 30 days"
  }),
  WebhookUrlTaken: () => ({
    errorCode: "WEBHOOK_URL_DUPLICATE",
    message: "Another webhook endpoint of this environment has this URL; change or remove that one"
  }),
  UnknownCallback: () => ({ errorCode: "NOT_FOUND", message: "No provider of this service reports here" }),
  UnknownMerchant: () => ({ errorCode: "MERCHANT_NOT_FOUND", message: "No such merchant" }),
  PathUnknown: () => ({ errorCode: "NOT_FOUND", message: "Nothing is served at this path; see /docs" }),
  MethodUnknown: ({ allow }) => ({
    errorCode: "METHOD_NOT_ALLOWED",
    message: `This path takes ${allow.join(", ")}`,
    headers: { allow: allow.join(", ") }
  }),
  BodyTooLarge: ({ limit }) => ({
    errorCode: "PAYLOAD_TOO_LARGE",
    message: `The body may have at most ${limit} bytes`,
    headers: { connection: "close" }
  }),
  IdempotencyKeyReused: () => ({
    errorCode: "IDEMPOTENCY_KEY_REUSED",
    message: "This Idempotency-Key was used with another body; take a new key for a new request"
  }),
  RateLimited: ({ limit, requestId, retryAfterSeconds }) => ({
    errorCode: "RATE_LIMIT_EXCEEDED",
    message: `${rateLimitMessage[limit]}; try again in ${retryAfterSeconds} seconds`,
    requestId,
    headers: { "retry-after": String(retryAfterSeconds) }
  }),
  TemplateUnusable: ({ channel, fault }) => ({
    errorCode: templateFault[fault].errorCode,
    message: `The ${channel} template ${templateFault[fault].problem}`
  }),
  ProviderUnavailable: ({ channel, retryAfterSeconds }) => ({
    errorCode: "PROVIDER_ERROR",
    message: `The ${channel} provider has been failing; try again in ${retryAfterSeconds} seconds, or use another channel`,
    headers: { "retry-after": String(retryAfterSeconds) }
  }),
  StillRunning: () => tryAgain("A request with this Idempotency-Key is still running; try again"),
  Contended: () => tryAgain("Too many requests for this identity at once; try again"),
  Conflict: () => tryAgain("Somebody else changed this at the same moment; try again"),
  StoreError: () => tryAgain("The service cannot reach its storage; try again"),
  NotReady: () => ({ ...tryAgain("The service cannot reach its storage"), status: 503 })
}

const wireOf = (failure: Failure): Wire => (table[failure._tag] as (failure: Failure) => Wire)(failure)

const answer = ({ errorCode, headers, message, requestId = null, status = statusOf[errorCode] }: Wire): WireResponse =>
  json(status, { errorCode, message, requestId }, headers)

/** The envelope of a failure. */
export const toResponse = (failure: Failure): WireResponse => answer(wireOf(failure))

/** A failure for callers in the same process. */
export class CountersignError extends Error {
  override readonly name = "CountersignError"
  readonly errorCode: ErrorCode
  /** The HTTP status that goes with the code: 429 and 500 are worth another try. */
  readonly status: number
  readonly requestId: string | null
  readonly retryAfterSeconds: number | null

  constructor(failure: Failure) {
    const { errorCode, headers, message, requestId, status } = wireOf(failure)
    super(message)
    this.errorCode = errorCode
    this.status = status ?? statusOf[errorCode]
    this.requestId = requestId ?? null
    this.retryAfterSeconds = headers?.["retry-after"] === undefined ? null : Number(headers["retry-after"])
  }
}

/** The envelope of a defect: it says nothing of what happened inside. */
export const defect: WireResponse = answer({
  errorCode: "INTERNAL_ERROR",
  message: "Something went wrong on our side; try again"
})
