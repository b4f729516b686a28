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

/** What your gateway gave you when you signed up. */
export interface GatewaySmsOptions {
  readonly url: string
  readonly apiKey: Redacted.Redacted
  /** Signs what the gateway reports to us. */
  readonly webhookSecret: Redacted.Redacted
  /** The sender that people see, and the ids under which the operators know it; a message's own options win. */
  readonly sender: string
  readonly entityId?: string
  readonly templateId?: string
}

const fail = (reason: ChannelError["reason"]) => Effect.fail(new ChannelError({ channel: "SMS", reason }))

const Accepted = HttpClientResponse.schemaBodyJson(Schema.Struct({ id: Schema.String }))
const Refusal = HttpClientResponse.schemaBodyJson(Schema.Struct({ error: Schema.Struct({ code: Schema.String }) }))

/** What each of the gateway's codes is about. */
const because: { readonly [code: string]: Because } = {
  bad_number: "recipient",
  unsubscribed: "opted_out",
  blocked_number: "recipient",
  template_mismatch: "content",
  bad_key: "account",
  no_credit: "account"
}

const refusedWith = (code: string) => {
  const whose = Object.hasOwn(because, code) ? because[code] : undefined
  // A code we do not know is kept only if it looks like one: it could be a text with a telephone number in it.
  const providerCode = /^[a-z_]{1,40}$/.test(code) ? code : "refused"
  return new Refused({ providerCode, ...(whose === undefined ? {} : { because: whose }) })
}

/** The codes of Node with which a connection does not come about: nothing was sent. */
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
  // The gateway, or a proxy before it, broke while it worked on the request: the message may be on its way.
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

/** A message must not follow a redirect to somewhere else. */
const client = FetchHttpClient.layer.pipe(
  Layer.provideMerge(Layer.succeed(FetchHttpClient.RequestInit, { redirect: "manual" }))
)

/** SMS through a gateway that takes JSON over HTTP and reports to a webhook. */
export const make = (options: GatewaySmsOptions): Channel => {
  const bodyOf = (message: Message) => ({
    to: message.to,
    text: Redacted.value(message.text),
    from: message.options.header ?? options.sender,
    entityId: options.entityId,
    templateId: message.options.templateId ?? options.templateId,
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
    name: "SMS",
    provider: "gateway",
    supports: { identityTypes: ["MOBILE"], receipts: true },
    limits: { perSecond: 50, atOnce: 20 },
    send,
    callback: { name: "gateway", receive: receive(options.webhookSecret) }
  }
}
