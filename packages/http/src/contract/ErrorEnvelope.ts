import { challengeKinds, type Problem } from "@countersign/core"
import { Schema } from "effect"
import { Timestamp } from "./Field.ts"

/** Every `errorCode` of the API, with its HTTP status. */
export const statusOf = {
  INVALID_REQUEST: 400,
  INVALID_MODE: 400,
  INVALID_CHANNEL: 400,
  CHANNEL_REQUIRED: 400,
  REDIRECT_URI_REQUIRED: 400,
  OTP_EXPIRED: 400,
  MAX_ATTEMPTS_EXCEEDED: 400,
  TRANSACTION_NOT_FOUND: 400,
  NETWORK_NOT_SUPPORTED: 400,
  INVALID_TEMPLATE_CONFIG: 400,
  INCOMPLETE_TEMPLATE_CONFIG: 400,
  CSV_VALIDATION_FAILED: 400,
  INVALID_CLIENT_CREDENTIALS: 401,
  CLIENT_INACTIVE: 401,
  INSUFFICIENT_BALANCE: 402,
  INSUFFICIENT_SMS_BALANCE: 402,
  INSUFFICIENT_WHATSAPP_BALANCE: 402,
  BILLING_NOT_CONFIGURED: 402,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  TEMPLATE_NOT_FOUND: 404,
  MERCHANT_NOT_FOUND: 404,
  DEVICE_NOT_FOUND: 404,
  KEY_NOT_FOUND: 404,
  SENDER_ID_NOT_FOUND: 404,
  HOOK_NOT_FOUND: 404,
  WEBHOOK_NOT_FOUND: 404,
  WEBHOOK_DELIVERY_NOT_FOUND: 404,
  LEAD_NOT_FOUND: 404,
  AGENT_NOT_FOUND: 404,
  TEAM_NOT_FOUND: 404,
  MESSAGE_NOT_FOUND: 404,
  SAVED_REPLY_NOT_FOUND: 404,
  LABEL_NOT_FOUND: 404,
  NUMBER_NOT_FOUND: 404,
  ERASURE_NOT_FOUND: 404,
  PERSON_NOT_FOUND: 404,
  OPT_OUT_NOT_FOUND: 404,
  CAMPAIGN_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  IDEMPOTENCY_KEY_REUSED: 409,
  WEBHOOK_URL_DUPLICATE: 409,
  DUPLICATE_TEMPLATE: 409,
  DUPLICATE_SENDER_ID: 409,
  EXAMPLE_DAY_RUNS: 409,
  WEBHOOK_REPLAY_RUNS: 409,
  PAYLOAD_TOO_LARGE: 413,
  RATE_LIMIT_EXCEEDED: 429,
  INTERNAL_ERROR: 500,
  PROVIDER_ERROR: 502,
  WHATSAPP_CONNECT_FAILED: 502
} as const

export type ErrorCode = keyof typeof statusOf

/** What is wrong with a field, for a page that words it in another language. */
export interface FieldProblem {
  /** The name at the start of `message`, such as `prices.SMS`. */
  readonly field: string
  /** Stable. A later version may have more codes. */
  readonly code: Problem.ProblemCode
  /** What the sentence names, such as `min` and `max`. */
  readonly params: Problem.Problem["params"]
}

/** The body of every failure. `errorCode` is stable; `message` is for people and may change. */
export interface ErrorEnvelope {
  readonly errorCode: ErrorCode
  readonly message: string
  readonly requestId: string | null
}

type CodeOf<Status extends number> = { [C in ErrorCode]: (typeof statusOf)[C] extends Status ? C : never }[ErrorCode]

const fields = <const C extends ErrorCode>(codes: readonly [C, ...Array<C>]) => ({
  errorCode: Schema.Literals(codes),
  message: Schema.String,
  requestId: Schema.NullOr(Schema.String)
})

/** The envelope of one status, with exactly the codes that the table gives that status. */
const envelope = <const Status extends number>(status: Status) =>
  fields(
    (Object.keys(statusOf) as Array<ErrorCode>).filter((code) => statusOf[code] === status) as unknown as readonly [
      CodeOf<Status>,
      ...Array<CodeOf<Status>>
    ]
  )

/** The request is invalid, or the verification's state does not allow it. A retry fails the same way. */
export class BadRequest extends Schema.Error<BadRequest>("BadRequest")(envelope(400), { httpApiStatus: 400 }) {}
export class Unauthorized extends Schema.Error<Unauthorized>("Unauthorized")(envelope(401), { httpApiStatus: 401 }) {}
/** The balance does not cover the message, so it was not sent. Top up, or set a price, and try again. */
export class Unpaid extends Schema.Error<Unpaid>("Unpaid")(envelope(402), { httpApiStatus: 402 }) {}
export class Forbidden extends Schema.Error<Forbidden>("Forbidden")(envelope(403), { httpApiStatus: 403 }) {}
export class NotFound extends Schema.Error<NotFound>("NotFound")(envelope(404), { httpApiStatus: 404 }) {}
export class Reused extends Schema.Error<Reused>("Reused")(envelope(409), { httpApiStatus: 409 }) {}
export class TooLarge extends Schema.Error<TooLarge>("TooLarge")(envelope(413), { httpApiStatus: 413 }) {}
/** A limit was reached. Wait `Retry-After` seconds and try again. */
export class TooMany extends Schema.Error<TooMany>("TooMany")(envelope(429), { httpApiStatus: 429 }) {}

/** What an app may solve instead of waiting. */
export const ShownChallenge = Schema.Struct({
  kind: Schema.Literals(challengeKinds),
  token: Schema.String.annotate({
    description:
      "Send it back as `challenge.token`, with the answer. It works once, for this number and from this address"
  }),
  difficulty: Schema.Int.annotate({
    description: "How many hashes a proof of work takes on average",
    examples: [65_536]
  }),
  expiresAt: Timestamp
}).annotate({ identifier: "Challenge" })
export type ShownChallenge = typeof ShownChallenge.Type

/** A limit was reached, or the guard holds the request back. Solve the challenge, or wait `Retry-After` seconds. */
export class Challenged extends Schema.Error<Challenged>("Challenged")(
  { ...envelope(429), challenge: Schema.optionalKey(ShownChallenge) },
  { httpApiStatus: 429 }
) {}
/** An error in the service. It is safe to try again. */
export class InternalError extends Schema.Error<InternalError>("InternalError")(envelope(500), {
  httpApiStatus: 500
}) {}
/** The channel's provider failed or refused. Wait `Retry-After` seconds, if the header is present. */
export class ProviderFailed extends Schema.Error<ProviderFailed>("ProviderFailed")(envelope(502), {
  httpApiStatus: 502
}) {}
/** The service runs but its storage is unreachable. */
export class Unavailable extends Schema.Error<Unavailable>("Unavailable")(fields(["INTERNAL_ERROR"]), {
  httpApiStatus: 503
}) {}
