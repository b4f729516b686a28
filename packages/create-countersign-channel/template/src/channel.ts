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

/** 1. What the provider gave you, and what you choose. Secrets are `Redacted`, so that no log shows them. */
export interface Options {
  readonly apiKey: Redacted.Redacted
  readonly from: string
  /** Signs what the provider reports. Without it there are no receipts. */
  readonly webhookSecret?: Redacted.Redacted | undefined
  /** Where the provider reaches this service, for receipts. */
  readonly publicUrl?: string | undefined
  /** For proxies and tests. */
  readonly apiUrl?: string | undefined
}

/** 2. What speaks against each option; null when nothing does. All are told at once, and no value is repeated. */
const check = (options: Options) =>
  checkOptions("{{provider}}", options, {
    apiKey: ({ apiKey }) => (isVisible(apiKey) ? null : "must be visible ASCII without spaces"),
    from: ({ from }) => (/^[^\r\n]{1,100}$/.test(from) ? null : "must be a sender that the provider knows"),
    webhookSecret: ({ webhookSecret }) =>
      webhookSecret === undefined || isVisible(webhookSecret) ? null : "must be visible ASCII without spaces",
    publicUrl: ({ publicUrl }) => publicUrlProblem(publicUrl),
    apiUrl: ({ apiUrl }) => apiUrlProblem(apiUrl)
  })

/** 3. One message, as the provider wants it. The reference comes back in its reports. */
const questionOf = ({ apiKey, apiUrl = "https://api.{{provider}}.example", from }: Options, message: Message) => ({
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

/** 4. What each of the provider's codes is about. Core decides by these words and never reads a code. */
const because: ReadonlyMap<unknown, Because> = new Map([
  ["bad_recipient", "recipient"],
  ["unsubscribed", "opted_out"],
  ["filtered", "content"],
  ["no_credit", "account"]
])

/**
 * 5. What an answer says. Nothing where its status has to do: 429 and 503 mean later, 408 and other 5xx that the message
 * may be on its way, 3xx and 4xx no.
 */
const read = (answer: Answered): Outcome | undefined => {
  const id = field(json(answer), "id")
  if (answer.status === 201 && typeof id === "string") return { providerId: id }
  const code = field(json(answer), "error", "code")
  const whose = because.get(code)
  return answer.status === 400 && typeof code === "string" && whose !== undefined
    ? new Refused({ providerCode: code, because: whose })
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
      send: (message) => Effect.flatMap(ask(questionOf(checked, message)), (reply) => tell("{{channel}}", reply, read)),
      ...(reports ? { callback: receipts(webhookSecret) } : {})
    }
  })
