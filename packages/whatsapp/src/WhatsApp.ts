import {
  type Channel,
  ChannelError,
  type InvalidOptions,
  type Message,
  Refused,
  type Sent,
  Unavailable
} from "@countersign/core/channel"
import { Clock, Effect, Schedule, type Scope } from "effect"
import type { HttpClient } from "effect/http"
import { checkNumbers } from "./checkNumbers.ts"
import { connect } from "./connect.ts"
import * as Graph from "./Graph.ts"
import { healthFields, healthOf } from "./healthOf.ts"
import { media } from "./media.ts"
import { Numbers } from "./Numbers.ts"
import { check, isId, isToken, type Options } from "./Options.ts"
import { boundedTo, type Outcome, outcomeOf } from "./outcome.ts"
import { kindsOf, payloadOf, problemOf } from "./payload.ts"
import { templates } from "./templates.ts"
import { upload } from "./upload.ts"
import * as WhatsAppCallback from "./WhatsAppCallback.ts"

export { ensureTemplate, type EnsuredTemplate, type TemplateStatus } from "./ensureTemplate.ts"
export type { Options } from "./Options.ts"
export { parseTemplate, type TemplateName } from "./TemplateName.ts"

const fail = (reason: ChannelError["reason"]) => Effect.fail(new ChannelError({ channel: "WHATSAPP", reason }))

/** How many numbers are checked concurrently. */
const checksAtOnce = 4

const isSent = (result: Outcome["result"]): result is Sent => !("_tag" in result)

/**
 * A problem of the sending number is not a refusal of the message while another number is healthy: core retries, and then
 * uses that number. Without another number, the wait is as long as the number rests.
 */
const reconsider = ({ lesson, result }: Outcome, elsewhere: boolean, restsForSeconds: number): Outcome["result"] => {
  if (isSent(result) || result._tag === "OutcomeUnknown") return result
  const { providerCode } = result
  if (result._tag === "Refused") return lesson === "down" && elsewhere ? new Unavailable({ providerCode }) : result
  if (lesson !== "spam" || elsewhere || result.retryAfterSeconds !== undefined) return result
  const retryAfterSeconds = restsForSeconds
  return new Unavailable({
    providerCode,
    retryAfterSeconds,
    ...(result.because === undefined ? {} : { because: result.because })
  })
}

/** The message with a reference that only receipts from this number may contain. */
const signedBy = (id: string, message: Message): Message => ({
  ...message,
  reference: message.referenceFrom?.(id) ?? message.reference
})

/** The number and token that a message is sent with. */
interface Sender {
  readonly id: string
  readonly graph: Graph.Graph
  /** The state of the operator's numbers, or of merchants' own numbers. */
  readonly numbers: Numbers
  /** Whether a retry may use another number. */
  readonly isChosen: boolean
}

const unusable = (providerCode: string) => new Refused({ providerCode, because: "account" })

/** Monotonic time, so that a clock that is set back does not extend a rest. */
const steadyMillis = Effect.map(Clock.monotonicTimeNanos, (nanos) => Number(nanos / 1_000_000n))

/**
 * WhatsApp through Meta's Cloud API. Codes use an approved AUTHENTICATION template, links an approved UTILITY template,
 * other templates their name. Free text is possible within 24 hours of the customer's last message. Receipts come to
 * `/v1/callbacks/whatsapp`.
 *
 * With several numbers it sends from the healthy one that has been idle longest. Errors reveal unhealthy numbers; with
 * `refreshEvery` it also checks with Meta, until the scope closes. A message with an `account` is sent from that number with
 * that token, and its errors do not affect other numbers.
 *
 * One send is one request, whatever the answer. It succeeds when Meta accepts the message. Whether the recipient has
 * WhatsApp is known only from the receipt.
 *
 * @example
 * ```ts
 * import { Channels } from "@countersign/core/channel"
 * import { WhatsApp } from "@countersign/whatsapp"
 * import { Effect, Layer, Redacted } from "effect"
 * import { FetchHttpClient } from "effect/http"
 *
 * const whatsapp = WhatsApp.make({
 *   accessToken: Redacted.make("EAAG…"),
 *   phoneNumberIds: ["106540352242922"],
 *   appSecret: Redacted.make("…"),
 *   verifyToken: Redacted.make("…"),
 *   template: { name: "login_code", language: "en" },
 *   refreshEvery: "5 minutes"
 * })
 *
 * const channels = Layer.unwrap(Effect.map(whatsapp, (channel) => Channels.layer([channel]))).pipe(
 *   Layer.provide(FetchHttpClient.layer)
 * )
 * ```
 */
export const make = Effect.fnUntraced(function* (
  options: Options
): Effect.fn.Return<Channel, InvalidOptions, HttpClient.HttpClient | Scope.Scope> {
  const settings = yield* Effect.fromResult(check(options))
  const graphOf = yield* Graph.make(settings.baseUrl)
  const graph = graphOf(settings.accessToken)
  const numbers = new Numbers(settings.phoneNumberIds)
  const theirs = new Numbers([])

  /** Logs once when a number becomes unhealthy or healthy. Logs its id, but not Meta's text, which may contain secrets. */
  const noticing = Effect.fnUntraced(function* (among: Numbers, id: string, change: (now: number) => void) {
    const now = yield* steadyMillis
    const before = among.isHealthy(id, now)
    change(now)
    if (among.isHealthy(id, now) === before) return
    const log = before
      ? Effect.logWarning("A WhatsApp number became unhealthy")
      : Effect.logInfo("A WhatsApp number is healthy again")
    yield* Effect.annotateLogs(log, { phoneNumberId: id })
  })

  const refresh = Effect.forEach(
    numbers.ids,
    Effect.fnUntraced(function* (id) {
      const reply = yield* graph.get(id, { fields: healthFields })
      const health = reply._tag === "Answered" ? healthOf(reply.body) : null
      if (health !== null) yield* noticing(numbers, id, () => numbers.checked(id, health))
    }),
    { concurrency: checksAtOnce, discard: true }
  )
  if (options.refreshEvery !== undefined) {
    yield* Effect.forkScoped(Effect.repeat(refresh, Schedule.spaced(options.refreshEvery)))
  }

  const senderOf = ({ account, options: { wabaId } }: Message, now: number): Sender | Refused => {
    if (account !== undefined) {
      if (!isId(account.id)) return unusable("unknown_sender")
      if (!isToken(account.accessToken)) return unusable("unusable_token")
      return { id: theirs.meet(account.id), graph: graphOf(account.accessToken), numbers: theirs, isChosen: false }
    }
    if (wabaId === undefined) return { id: numbers.choose(now), graph, numbers, isChosen: true }
    return numbers.has(wabaId)
      ? { id: numbers.use(wabaId), graph, numbers, isChosen: false }
      : unusable("unknown_sender")
  }

  const send = Effect.fnUntraced(function* (message: Message) {
    const problem = problemOf(message, settings)
    if (problem !== null) return yield* fail(problem)
    const sender = senderOf(message, yield* steadyMillis)
    if (sender instanceof Refused) return yield* fail(sender)
    const { id, isChosen, numbers: among } = sender
    const reply = yield* sender.graph.post(`${id}/messages`, payloadOf(signedBy(id, message), settings))
    const outcome = boundedTo(message, outcomeOf(reply))
    yield* noticing(among, id, (now) => among.learn(id, outcome.lesson, now))
    const now = yield* steadyMillis
    const result = reconsider(outcome, isChosen && among.elsewhere(id, now), among.restsForSeconds(id, now))
    return isSent(result) ? result : yield* fail(result)
  }, Effect.withSpan("WhatsApp.send"))

  return {
    name: "WHATSAPP",
    provider: "whatsapp",
    supports: {
      identityTypes: ["MOBILE"],
      kinds: kindsOf(settings),
      receipts: true,
      senders: settings.phoneNumberIds
    },
    limits: { perSecond: settings.perSecond },
    send,
    check: checkNumbers(graph, settings),
    callback: WhatsAppCallback.make(settings),
    templates: templates(graphOf, settings),
    accounts: {
      connect: (account) => connect(graphOf, settings, account),
      media: (id, account) => {
        if (account === null) return media(graph, settings.baseUrl, id, null)
        return isId(account.id) && isToken(account.accessToken)
          ? media(graphOf(account.accessToken), settings.baseUrl, id, account.id)
          : fail(unusable("unusable_account"))
      },
      upload: (file, sender, account) => {
        if (account === null)
          return numbers.has(sender) ? upload(graph, sender, file) : fail(unusable("unknown_sender"))
        return isId(account.id) && account.id === sender && isToken(account.accessToken)
          ? upload(graphOf(account.accessToken), sender, file)
          : fail(unusable("unusable_account"))
      }
    }
  }
})
