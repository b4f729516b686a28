import { type Because, type Callback, CallbackRefused, type Receipt } from "@countersign/core/channel"
import { ask, field, received } from "@countersign/provider-http"
import { Effect } from "effect"
import { verify } from "node:crypto"
import * as Certificates from "./Certificates.ts"
import { referenceHeader } from "./email.ts"
import { provider } from "./Options.ts"

/** The largest message of SNS. */
const largestBody = 256 * 1024
const messageTypes: ReadonlySet<string> = new Set([
  "Notification",
  "SubscriptionConfirmation",
  "UnsubscribeConfirmation"
])

/** The signed fields of a message, in this order. Absent fields are skipped. */
const signed: ReadonlyMap<unknown, ReadonlyArray<string>> = new Map([
  ["Notification", ["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"]],
  ["SubscriptionConfirmation", ["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"]]
])

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The text that SNS signed. Null for an unknown type or a field that is not text. */
const canonical = (message: unknown): string | null => {
  const names = signed.get(field(message, "Type"))
  if (names === undefined) return null
  let text = ""
  for (const name of names) {
    const value = field(message, name)
    if (value === undefined && name === "Subject") continue
    if (typeof value !== "string") return null
    text += `${name}\n${value}\n`
  }
  return text
}

const textOf = (message: unknown, ...path: ReadonlyArray<string>): string => {
  const value = field(message, ...path)
  return typeof value === "string" ? value : ""
}

const statuses: ReadonlyMap<string, Receipt["status"]> = new Map([
  ["Send", "SENT"],
  ["Delivery", "DELIVERED"],
  ["Open", "READ"],
  ["Bounce", "FAILED"],
  ["Reject", "FAILED"]
] as const)

const because: ReadonlyMap<string, Because> = new Map([
  ["Bounce", "recipient"],
  ["Reject", "content"]
] as const)

const referenceIn = (headers: unknown): string | null => {
  const header: unknown = Array.isArray(headers)
    ? headers.find((each) => textOf(each, "name").toLowerCase() === referenceHeader.toLowerCase())
    : undefined
  const value = textOf(header, "value")
  return value === "" ? null : value
}

const receiptsOf = (event: unknown): ReadonlyArray<Receipt> => {
  const kind = textOf(event, "eventType")
  const status = statuses.get(kind)
  const reference = referenceIn(field(event, "mail", "headers"))
  if (status === undefined || reference === null) return []
  const why = textOf(event, "bounce", "bounceSubType")
  const providerCode = status !== "FAILED" ? null : /^[A-Za-z]{1,40}$/.test(why) ? why : kind
  const about = because.get(kind)
  return [
    {
      reference,
      status,
      providerId: textOf(event, "mail", "messageId") || null,
      providerCode,
      ...(about === undefined ? {} : { because: about })
    }
  ]
}

const refused = Effect.suspend(() => Effect.fail(new CallbackRefused({ provider })))

const decoder = new TextDecoder()

/**
 * Accepts SES reports through an SNS topic. Anyone with an AWS account can make SNS sign a message and send it here, so a
 * signature alone proves little: the message must name the operator's own topic, which is checked first. Confirms
 * subscriptions of that topic at a URL that is built here.
 */
export const make = (topicArn: string, snsUrl: string): Callback => {
  const certificates = Certificates.make(snsUrl)

  const isGenuine = Effect.fnUntraced(function* (message: unknown) {
    const text = canonical(message)
    if (text === null || field(message, "TopicArn") !== topicArn || field(message, "SignatureVersion") !== "2") {
      return false
    }
    const key = yield* certificates.find(textOf(message, "SigningCertURL"))
    const signature = Buffer.from(textOf(message, "Signature"), "base64")
    return key !== null && verify("sha256", Buffer.from(text, "utf8"), key, signature)
  })

  const confirm = (token: string) => {
    const query = new URLSearchParams({ Action: "ConfirmSubscription", TopicArn: topicArn, Token: token })
    return Effect.flatMap(ask({ url: `${snsUrl}/?${query.toString()}`, method: "GET" }), (reply) =>
      reply._tag === "Answered" && reply.status === 200 ? Effect.succeed(received([])) : refused
    )
  }

  return {
    name: provider,
    checkHeaders: (header) => messageTypes.has(header("x-amz-sns-message-type") ?? ""),
    largestBody,
    receive: ({ body, method }) =>
      Effect.gen(function* () {
        if (method !== "POST" || body.length > largestBody) return yield* refused
        const message = parsed(decoder.decode(body))
        if (!(yield* isGenuine(message))) return yield* refused
        if (field(message, "Type") === "SubscriptionConfirmation") return yield* confirm(textOf(message, "Token"))
        return received(receiptsOf(parsed(textOf(message, "Message"))))
      })
  }
}
