import type { Channel, InvalidOptions, Message, ProviderCheck } from "@countersign/core/channel"
import { type Answered, ask, checked, field, json, type Outcome, tell } from "@countersign/provider-http"
import { Clock, Effect, Redacted } from "effect"
import { SignJWT } from "jose"
import { randomUUID } from "node:crypto"
import { refusal } from "./errors.ts"
import { type Account, check, type Credentials, type Options, provider } from "./Options.ts"
import * as StatusWebhook from "./StatusWebhook.ts"

/** A token is for one request. The time allows for clock differences. */
const livesSeconds = 15 * 60

/** The value of `Authorization` for one request. */
const authorization = (credentials: Credentials): Effect.Effect<string> => {
  if (credentials._tag === "Account") {
    const { apiKey, apiSecret } = credentials
    return Effect.succeed(`Basic ${Buffer.from(`${apiKey}:${Redacted.value(apiSecret)}`, "utf8").toString("base64")}`)
  }
  const { id, key } = credentials
  return Effect.flatMap(Clock.currentTimeMillis, (millis) => {
    const now = Math.floor(millis / 1000)
    const token = new SignJWT({ application_id: id })
      .setProtectedHeader({ alg: "RS256", typ: "JWT" })
      .setJti(randomUUID())
      .setIssuedAt(now)
      .setExpirationTime(now + livesSeconds)
    return Effect.map(
      Effect.promise(() => token.sign(key)),
      (signed) => `Bearer ${signed}`
    )
  })
}

export type { Options } from "./Options.ts"

const shortestLife = 20
const longestLife = 604_800

/** How long a message may wait at Vonage: only as long as its code or link is valid. */
const ttlOf = ({ validForSeconds }: Message) =>
  validForSeconds === null ? {} : { ttl: Math.min(longestLife, Math.max(shortestLife, Math.floor(validForSeconds))) }

/** The DLT ids, which Vonage passes to Indian carriers. */
const registrationOf = ({ entityId }: Account, { options: { templateId } }: Message) => {
  const sms = {
    ...(entityId === null ? {} : { entity_id: entityId }),
    ...(templateId === undefined ? {} : { content_id: templateId })
  }
  return Object.keys(sms).length === 0 ? {} : { sms }
}

const bodyOf = (account: Account, message: Message) =>
  JSON.stringify({
    channel: "sms",
    message_type: "text",
    to: message.to.replace("+", ""),
    from: message.options.header ?? account.from,
    text: Redacted.value(message.text),
    // Vonage returns this value in the signed part of its reports.
    client_ref: message.reference,
    ...ttlOf(message),
    ...registrationOf(account, message),
    ...(account.receipts === null ? {} : { webhook_url: account.receipts.url, webhook_version: "v1" })
  })

const read = (answer: Answered): Outcome | undefined => {
  const id = field(json(answer), "message_uuid")
  return answer.status < 300 && typeof id === "string" && /^[\w-]{1,64}$/.test(id)
    ? { providerId: id }
    : refusal(answer)
}

const askWith = Effect.fnUntraced(function* ({ apiUrl, credentials }: Account, body: string) {
  const headers = {
    authorization: yield* authorization(credentials),
    "content-type": "application/json",
    accept: "application/json"
  }
  return yield* ask({ url: `${apiUrl}/v1/messages`, headers, body })
})

/** Checks credentials with an empty message, which Vonage refuses only after authentication. */
const checkOf = (account: Account): ProviderCheck =>
  Effect.flatMap(askWith(account, "{}"), (reply) =>
    checked(reply, {
      host: new URL(account.apiUrl).host,
      credentials:
        account.credentials._tag === "Account" ? "the API key and its secret" : "the application and its private key",
      console: "Vonage's dashboard",
      refuses: ({ status }) => status === 401 || status === 403,
      misses: ({ status }) => status === 400 || status === 422
    })
  )

const channelOf = (account: Account): Channel => ({
  name: "SMS",
  provider,
  supports: { identityTypes: ["MOBILE"], receipts: account.receipts !== null, kinds: ["Code", "Link", "Text"] },
  ...(account.perSecond === null ? {} : { limits: { perSecond: account.perSecond } }),
  check: checkOf(account),
  send: (message) => Effect.flatMap(askWith(account, bodyOf(account, message)), (reply) => tell("SMS", reply, read)),
  ...(account.receipts === null ? {} : { callback: StatusWebhook.make(account.receipts.secret) })
})

/**
 * SMS through Vonage's Messages API. With a `publicUrl` that Vonage can reach and the account's `signatureSecret`, signed
 * reports come to `{publicUrl}/v1/callbacks/vonage`. Otherwise the channel has no receipts.
 *
 * @example
 * ```ts
 * import { Vonage } from "@countersign/vonage"
 * import { Redacted } from "effect"
 *
 * const sms = Vonage.make({
 *   apiKey: "abcd1234",
 *   apiSecret: Redacted.make("your API secret"),
 *   signatureSecret: Redacted.make("your signature secret"),
 *   from: "Acme",
 *   publicUrl: "https://verify.example.com"
 * })
 * ```
 */
export const make = (options: Options): Effect.Effect<Channel, InvalidOptions> =>
  Effect.map(Effect.fromResult(check(options)), channelOf)
