import {
  type Because,
  type Channel,
  ChannelError,
  type Message,
  OutcomeUnknown,
  Refused,
  type Sent,
  Unavailable
} from "@countersign/core/channel"
import { Effect, Layer, Redacted, Schema } from "effect"
import { FetchHttpClient, HttpClient, type HttpClientError, HttpClientRequest, HttpClientResponse } from "effect/http"
import { receive } from "./GatewayReceipts.ts"

/** Your account with the gateway. */
export interface GatewayViberOptions {
  readonly url: string
  readonly apiKey: Redacted.Redacted
  /** Signs the gateway's reports. */
  readonly webhookSecret: Redacted.Redacted
  /** The sender that recipients see. */
  readonly sender: string
}

/** The channel's name in requests, settings and prices. Countersign does not know it: this package declares it. */
const name = "VIBER"

const fail = (reason: ChannelError["reason"]) => Effect.fail(new ChannelError({ channel: name, reason }))

const Accepted = HttpClientResponse.schemaBodyJson(Schema.Struct({ id: Schema.String }))
const Refusal = HttpClientResponse.schemaBodyJson(Schema.Struct({ error: Schema.Struct({ code: Schema.String }) }))

/** The cause of each of the gateway's codes. */
const because: { readonly [code: string]: Because } = {
  bad_number: "recipient",
  no_viber: "channel",
  unsubscribed: "opted_out",
  blocked_number: "recipient",
  spam: "content",
  bad_key: "account",
  no_credit: "account"
}

const refusedWith = (code: string) => {
  const whose = Object.hasOwn(because, code) ? because[code] : undefined
  // Keep an unknown code only if it looks like a code: it could be a text with a phone number in it.
  const providerCode = /^[a-z_]{1,40}$/.test(code) ? code : "refused"
  return new Refused({ providerCode, ...(whose === undefined ? {} : { because: whose }) })
}

/** Node's error codes for a connection that was never made: nothing was sent. */
const notConnected = [
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT"
]

const unanswered = ({ reason }: HttpClientError.HttpClientError) => {
  const cause: unknown = reason._tag === "TransportError" && reason.cause instanceof Error ? reason.cause.cause : null
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : ""
  return fail(
    notConnected.includes(code)
      ? new Unavailable({ providerCode: "unreachable" })
      : new OutcomeUnknown({ providerCode: "no_answer" })
  )
}

const read = (answer: HttpClientResponse.HttpClientResponse): Effect.Effect<Sent, ChannelError> => {
  const providerCode = `http_${answer.status}`
  if (answer.status === 429 || answer.status === 503) {
    const seconds = Number(answer.headers["retry-after"])
    const wish = seconds > 0 ? { retryAfterSeconds: seconds } : {}
    return fail(new Unavailable({ providerCode, ...wish, ...(answer.status === 429 ? { because: "limit" } : {}) }))
  }
  // The gateway or its proxy failed during the request: the message may be on its way.
  if (answer.status === 408 || answer.status >= 500) return fail(new OutcomeUnknown({ providerCode }))
  if (answer.status >= 300) {
    return Refusal(answer).pipe(
      Effect.match({ onFailure: () => `http_${answer.status}`, onSuccess: ({ error }) => error.code }),
      Effect.flatMap((code) => fail(code.startsWith("http_") ? new Refused({ providerCode: code }) : refusedWith(code)))
    )
  }
  return Accepted(answer).pipe(
    Effect.map(({ id }): Sent => ({ providerId: id })),
    Effect.catch(() => fail(new OutcomeUnknown({ providerCode: "unreadable" })))
  )
}

/** A message must not follow a redirect to another host. */
const client = FetchHttpClient.layer.pipe(
  Layer.provideMerge(Layer.succeed(FetchHttpClient.RequestInit, { redirect: "manual" }))
)

/** Viber through a gateway that takes JSON over HTTP and reports to a webhook. */
export const make = (options: GatewayViberOptions): Channel => {
  const bodyOf = (message: Message) => ({
    to: message.to,
    text: Redacted.value(message.text),
    from: options.sender,
    reference: message.reference,
    validForSeconds: message.validForSeconds
  })

  const send = (message: Message) =>
    HttpClientRequest.post(`${options.url}/v1/messages`).pipe(
      HttpClientRequest.bearerToken(options.apiKey),
      HttpClientRequest.bodyJsonUnsafe(bodyOf(message)),
      HttpClient.execute,
      Effect.catchTag("HttpClientError", unanswered),
      Effect.flatMap(read),
      Effect.provide(client)
    )

  return {
    name,
    label: "Viber",
    provider: "gateway",
    supports: { identityTypes: ["MOBILE"], receipts: true },
    limits: { perSecond: 50, atOnce: 20 },
    send,
    callback: { name: "gateway", receive: receive(options.webhookSecret) }
  }
}
