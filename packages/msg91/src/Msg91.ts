import { type Channel, ChannelError, type InvalidOptions, type Message, Refused } from "@countersign/core/channel"
import { type Answered, ask, field, json, type Outcome, tell } from "@countersign/provider-http"
import { Effect, Redacted } from "effect"
import { type Account, check, type Options, provider } from "./Options.ts"
import * as Webhook from "./Webhook.ts"

export type { Options } from "./Options.ts"

/** A request for one recipient, because a report about several would not name the recipient. */
const bodyOf = ({ codeVariable, templateId }: Account, { options: { header }, reference, to }: Message, code: string) =>
  JSON.stringify({
    template_id: templateId,
    short_url: "0",
    // MSG91 returns this value in reports, which identifies the message.
    CRQID: reference,
    ...(header === undefined ? {} : { sender: header }),
    recipients: [{ mobiles: to.replace("+", ""), [codeVariable]: code, CRQID: reference }]
  })

const codeOf = (body: unknown): string => {
  const code = field(body, "code")
  const text = typeof code === "number" || typeof code === "string" ? String(code) : ""
  return /^\d{1,5}$/.test(text) ? text : "error"
}

/** Reads the body before the status, because MSG91 also reports errors with status 200. */
const read = (answer: Answered): Outcome | undefined => {
  if (answer.status === 408 || answer.status === 429 || answer.status >= 500) return undefined
  const body = json(answer)
  const type = field(body, "type")
  // The message is free text and repeats the number, so the subject of a refusal stays unknown.
  if (type === "error" || field(body, "hasError") === true) return new Refused({ providerCode: codeOf(body) })
  const id = field(body, "message") ?? field(body, "request_id")
  return answer.status === 200 && type === "success" && typeof id === "string" && /^\w{1,64}$/.test(id)
    ? { providerId: id }
    : undefined
}

/** Core sends only codes to this channel, but other callers might send other kinds. */
const unsupported = Effect.fail(
  new ChannelError({ channel: "SMS", reason: new Refused({ providerCode: "unsupported", because: "content" }) })
)

const channelOf = (account: Account): Channel => ({
  name: "SMS",
  provider,
  supports: { identityTypes: ["MOBILE"], receipts: account.webhookSecret !== null, kinds: ["Code"] },
  ...(account.perSecond === null ? {} : { limits: { perSecond: account.perSecond } }),
  send: (message) => {
    if (message._tag !== "Code") return unsupported
    return ask({
      url: `${account.apiUrl}/api/v5/flow`,
      headers: {
        authkey: Redacted.value(account.authKey),
        "content-type": "application/json",
        accept: "application/json"
      },
      body: bodyOf(account, message, Redacted.value(message.code))
    }).pipe(Effect.flatMap((reply) => tell("SMS", reply, read)))
  },
  ...(account.webhookSecret === null ? {} : { callback: Webhook.make(account.webhookSecret) })
})

/**
 * SMS through MSG91's Flow API, for India and elsewhere. The text is that of the template registered with MSG91; only the
 * code is sent. Links are not supported, because their URLs would have to be registered too.
 *
 * MSG91 does not sign its reports. With a `webhookSecret`, which the panel's webhook sends in a header, reports come to
 * `{publicUrl}/v1/callbacks/msg91`. Without it, the channel has no receipts.
 *
 * @example
 * ```ts
 * import { Msg91 } from "@countersign/msg91"
 * import { Redacted } from "effect"
 *
 * const sms = Msg91.make({ authKey: Redacted.make("your authkey"), templateId: "6501a2b3d6fc0512ab34cd56" })
 * ```
 */
export const make = (options: Options): Effect.Effect<Channel, InvalidOptions> =>
  Effect.map(Effect.fromResult(check(options)), channelOf)
