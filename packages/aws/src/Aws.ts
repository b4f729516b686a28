import { type Channel, ChannelError, type InvalidOptions, type ProviderCheck, Refused } from "@countersign/core/channel"
import { checked, tell } from "@countersign/provider-http"
import { Effect } from "effect"
import { type Asked, askSigned } from "./askSigned.ts"
import * as Email from "./email.ts"
import * as Events from "./Events.ts"
import { type Account, check, isAddress, type Options, provider } from "./Options.ts"
import * as Sms from "./sms.ts"

export type { Options } from "./Options.ts"

const limitsOf = ({ perSecond }: Account) => (perSecond === null ? {} : { limits: { perSecond } })

/** An empty request: AWS checks its signature first and then reports missing parameters, so nothing is sent. */
const checkOf = (account: Account, asked: Asked): ProviderCheck =>
  Effect.flatMap(askSigned(account.credentials, asked), (reply) =>
    checked(reply, {
      host: new URL(asked.url).host,
      credentials: "the access key and its secret",
      console: "IAM, including the key's permissions",
      refuses: ({ status }) => status === 401 || status === 403,
      misses: ({ status }) => status === 400
    })
  )

const smsOf = (account: Account, sms: NonNullable<Account["sms"]>): Channel => ({
  name: "SMS",
  provider,
  supports: { identityTypes: ["MOBILE"], receipts: false, kinds: ["Code", "Link", "Text"] },
  ...limitsOf(account),
  check: checkOf(account, Sms.nothing(account.snsUrl)),
  send: (message) =>
    Effect.flatMap(askSigned(account.credentials, Sms.publish(account.snsUrl, sms, message)), (reply) =>
      tell("SMS", reply, Sms.read)
    )
})

const refused = (providerCode: string, because: "recipient" | "content") =>
  Effect.fail(new ChannelError({ channel: "EMAIL", reason: new Refused({ providerCode, because }) }))

const emailOf = (account: Account, email: NonNullable<Account["email"]>): Channel => ({
  name: "EMAIL",
  provider,
  supports: { identityTypes: ["EMAIL"], receipts: account.topicArn !== null, kinds: ["Code", "Link", "Notice"] },
  ...limitsOf(account),
  check: checkOf(account, Email.nothing(account.sesUrl)),
  send: (message) => {
    if (message._tag === "Media" || message._tag === "Template" || message._tag === "Text")
      return refused("unsupported", "content")
    if (!isAddress(message.to)) return refused("bad_address", "recipient")
    return Effect.flatMap(askSigned(account.credentials, Email.sendEmail(account.sesUrl, email, message)), (reply) =>
      tell("EMAIL", reply, Email.read)
    )
  },
  ...(account.topicArn === null ? {} : { callback: Events.make(account.topicArn, account.snsUrl) })
})

/**
 * SMS through Amazon SNS, e-mail through Amazon SES, or both: one channel per configured sender.
 *
 * SNS has no trustworthy reports for SMS, so that channel has no receipts. SES reports through an SNS topic: subscribe
 * `{publicUrl}/v1/callbacks/aws` to the topic of `topicArn` to get receipts.
 *
 * @example
 * ```ts
 * import { Aws } from "@countersign/aws"
 * import { Redacted } from "effect"
 *
 * const channels = Aws.make({
 *   accessKeyId: "AKIAIOSFODNN7EXAMPLE",
 *   secretAccessKey: Redacted.make("your secret access key"),
 *   region: "ap-south-1",
 *   smsFrom: "ACMEIN",
 *   emailFrom: "Acme <codes@acme.example>"
 * })
 * ```
 */
export const make = (options: Options): Effect.Effect<ReadonlyArray<Channel>, InvalidOptions> =>
  Effect.map(Effect.fromResult(check(options)), (account) => [
    ...(account.sms === null ? [] : [smsOf(account, account.sms)]),
    ...(account.email === null ? [] : [emailOf(account, account.email)])
  ])
