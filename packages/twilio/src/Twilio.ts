import {
  type Channel,
  ChannelError,
  type InvalidOptions,
  type Message,
  type MessageKind,
  OutcomeUnknown,
  Refused,
  type Sent,
  Unavailable
} from "@countersign/core/channel"
import { unavailable } from "@countersign/provider-http"
import { Effect, Redacted } from "effect"
import { check as checkAccount } from "./check.ts"
import { meaningOf } from "./ErrorTable.ts"
import * as Messages from "./Messages.ts"
import { type Account, callbackName, check, type Options, type Sender } from "./Options.ts"
import * as StatusCallback from "./StatusCallback.ts"

export { lineInfo, type LookupOptions } from "./Lookup.ts"
export { callbackName, type Options } from "./Options.ts"

const shortestLife = 5
const longestLife = 36_000

/** How long a message may wait at Twilio: only as long as its code or link is valid. */
const validityOf = ({ validForSeconds }: Message): number =>
  Math.min(longestLife, Math.max(shortestLife, Math.floor(validForSeconds ?? longestLife)))

const fail = (channel: Channel["name"], reason: ChannelError["reason"]) =>
  Effect.fail(new ChannelError({ channel, reason }))

/** Reports a reply to core, which decides about retries. */
const told = (channel: Channel["name"], reply: Messages.Reply): Effect.Effect<Sent, ChannelError> => {
  if (reply._tag === "Taken") return Effect.succeed({ providerId: reply.sid })
  if (reply._tag === "NotReached") return fail(channel, new Unavailable({ providerCode: reply.why }))
  if (reply._tag === "Lost") return fail(channel, new OutcomeUnknown({ providerCode: reply.why }))
  const { code, retryAfterSeconds, status } = reply
  const { means, template } = meaningOf(status, code)
  const providerCode = code === null ? `http_${status}` : String(code)
  if (means === "unknown") return fail(channel, new OutcomeUnknown({ providerCode }))
  if (means === "later") return fail(channel, unavailable(providerCode, { retryAfterSeconds }))
  if (means === "limit") return fail(channel, unavailable(providerCode, { retryAfterSeconds }, means))
  return fail(channel, new Refused({ providerCode, because: means, ...(template === undefined ? {} : { template }) }))
}

/** The differences between SMS and RCS. */
interface Route {
  readonly name: "SMS" | "RCS"
  readonly kinds: ReadonlyArray<MessageKind>
  readonly to: (message: Message) => string
  readonly sender: (message: Message) => Sender
}

/** Twilio takes a DLT header as the sender, and has no parameter for the DLT template id. */
const smsRoute = (sender: Sender): Route => ({
  name: "SMS",
  kinds: ["Code", "Link", "Text"],
  to: ({ to }) => to,
  sender: ({ options: { header } }) => (header === undefined ? sender : { from: header })
})

/** Without a Messaging Service, through which Twilio might silently send an SMS instead of RCS. */
const rcsRoute = (rcsSender: string): Route => ({
  name: "RCS",
  kinds: ["Code"],
  to: ({ to }) => `rcs:${to}`,
  sender: () => ({ from: rcsSender })
})

/** The parts that all channels of one account share. */
type Shared = Required<Pick<Channel, "callback" | "check">>

const channelOf = (route: Route, account: Account, messages: Messages.Messages, shared: Shared): Channel => {
  const { callbackUrl, choices, perSecond } = account
  const parametersOf = (message: Message): Messages.Parameters => ({
    to: route.to(message),
    ...(callbackUrl === null ? {} : { statusCallback: StatusCallback.urlFor(callbackUrl, message.reference) }),
    validityPeriod: validityOf(message),
    ...choices,
    ...route.sender(message),
    body: Redacted.value(message.text)
  })
  return {
    name: route.name,
    provider: callbackName,
    supports: { identityTypes: ["MOBILE"], receipts: callbackUrl !== null, kinds: route.kinds },
    ...(perSecond === null ? {} : { limits: { perSecond } }),
    send: (message) => Effect.flatMap(messages.create(parametersOf(message)), (reply) => told(route.name, reply)),
    ...shared
  }
}

const channelsOf = (account: Account): ReadonlyArray<Channel> => {
  const messages = Messages.make(account)
  const shared = { callback: StatusCallback.make(account.authToken), check: checkAccount(messages) }
  const routes = [
    ...(account.sms === null ? [] : [smsRoute(account.sms)]),
    ...(account.rcsSender === null ? [] : [rcsRoute(account.rcsSender)])
  ]
  return routes.map((route) => channelOf(route, account, messages, shared))
}

/**
 * SMS and RCS through one Twilio account: one channel per configured sender.
 *
 * Receipts come to `{publicUrl}/v1/callbacks/twilio`. If Twilio cannot reach that URL, the channels have no receipts, and a
 * message that Twilio accepted counts as delivered.
 *
 * @example
 * ```ts
 * import { Twilio } from "@countersign/twilio"
 * import { Redacted } from "effect"
 *
 * const channels = Twilio.make({
 *   accountSid: "AC00000000000000000000000000000001",
 *   authToken: Redacted.make("your auth token"),
 *   from: "+15005550006",
 *   publicUrl: "https://verify.example.com"
 * })
 * ```
 */
export const make = (options: Options): Effect.Effect<ReadonlyArray<Channel>, InvalidOptions> =>
  Effect.map(Effect.fromResult(check(options)), channelsOf)
