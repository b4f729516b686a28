import {
  type Because,
  type Channel,
  checkOptions,
  type InvalidOptions,
  type Message,
  Refused
} from "@countersign/core/channel"
import {
  type Answered,
  apiUrlProblem,
  ask,
  callbackUrl,
  field,
  isVisible,
  json,
  type Outcome,
  publicUrlProblem,
  tell
} from "@countersign/provider-http"
import { Effect, Redacted } from "effect"
import { receipts } from "./receipts.ts"

/** 1. The options of the channel. Secrets are `Redacted`, so that no log shows them. */
export interface Options {
  readonly apiKey: Redacted.Redacted
  readonly from: string
  /** The secret that signs the provider's reports. Without it there are no receipts. */
  readonly webhookSecret?: Redacted.Redacted | undefined
  /** Where the provider reaches this service, for receipts. */
  readonly publicUrl?: string | undefined
  /** For proxies and tests. */
  readonly apiUrl?: string | undefined
}

/** 2. The problem of each option; null when it is valid. The error lists all problems, and never contains a value. */
const check = (options: Options) =>
  checkOptions("{{provider}}", options, {
    apiKey: ({ apiKey }) => (isVisible(apiKey) ? null : "must be visible ASCII without spaces"),
    from: ({ from }) => (/^[^\r\n]{1,100}$/.test(from) ? null : "must be a sender that the provider knows"),
    webhookSecret: ({ webhookSecret }) =>
      webhookSecret === undefined || isVisible(webhookSecret) ? null : "must be visible ASCII without spaces",
    publicUrl: ({ publicUrl }) => publicUrlProblem(publicUrl),
    apiUrl: ({ apiUrl }) => apiUrlProblem(apiUrl)
  })

/** 3. The request that sends one message. The provider returns the reference in its reports. */
const requestFor = ({ apiKey, apiUrl = "https://api.{{provider}}.example", from }: Options, message: Message) => ({
  url: `${apiUrl}/v1/messages`,
  headers: { authorization: `Bearer ${Redacted.value(apiKey)}`, "content-type": "application/json" },
  body: JSON.stringify({
    to: message.to,
    from: message.options.header ?? from,
    text: Redacted.value(message.text),
    subject: "subject" in message ? Redacted.value(message.subject) : "", // only EMAIL
    reference: message.reference,
    validForSeconds: message.validForSeconds
  })
})

/** 4. The reason of each provider code. Core decides by the reason, and never reads a code. */
const because: ReadonlyMap<unknown, Because> = new Map([
  ["bad_recipient", "recipient"],
  ["unsubscribed", "opted_out"],
  ["filtered", "content"],
  ["no_credit", "account"]
])

/**
 * 5. Reads the provider's answer. Return undefined to decide by its status: 429 and 503 mean "try later", 408 and other
 * 5xx mean that the message may have been sent, 3xx and 4xx mean "refused".
 */
const read = (answer: Answered): Outcome | undefined => {
  const id = field(json(answer), "id")
  if (answer.status === 201 && typeof id === "string") return { providerId: id }
  const code = field(json(answer), "error", "code")
  const reason = because.get(code)
  return answer.status === 400 && typeof code === "string" && reason !== undefined
    ? new Refused({ providerCode: code, because: reason })
    : undefined
}

/** A {{channel}} channel through {{provider}}. It fails when an option is wrong, before anything is sent. */
export const make = (options: Options): Effect.Effect<Channel, InvalidOptions> =>
  Effect.map(Effect.fromResult(check(options)), (checked) => {
    const { publicUrl, webhookSecret } = checked
    const reports = callbackUrl(publicUrl, "{{provider}}") !== null && webhookSecret !== undefined
    return {
      name: "{{channel}}",
      provider: "{{provider}}",
      supports: { identityTypes: ["{{identityType}}"], receipts: reports, kinds: ["Code", "Link"] },
      send: (message) => Effect.flatMap(ask(requestFor(checked, message)), (reply) => tell("{{channel}}", reply, read)),
      ...(reports ? { callback: receipts(webhookSecret) } : {})
    }
  })
