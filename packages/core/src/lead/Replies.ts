import { Clock, Effect, Layer, Random, Redacted } from "effect"
import { BalanceStore } from "../billing/BalanceStore.ts"
import { lowJobs } from "../billing/balanceLow.ts"
import { isRevived, payRevived } from "../billing/bookingsOf.ts"
import { loadTill, noPrices } from "../billing/Till.ts"
import { type Channel, Channels, isAccount, type Sent } from "../delivery/Channel.ts"
import { advance, type DeliveryNews, withReason } from "../delivery/advance.ts"
import { unanswered } from "../delivery/Delivery.ts"
import { sendPolicies } from "../delivery/SendPolicy.ts"
import type { ChannelError } from "../delivery/ChannelError.ts"
import type { Message } from "../delivery/Message.ts"
import { type Owner, Receipts } from "../delivery/Receipts.ts"
import * as Reference from "../delivery/Reference.ts"
import * as SandboxChannel from "../delivery/SandboxChannel.ts"
import * as afterSend from "../delivery/afterSend.ts"
import { Senders } from "../delivery/Senders.ts"
import { Merchants } from "../merchant/Merchants.ts"
import { notYoursCode } from "../number/notYours.ts"
import { Numbers } from "../number/Numbers.ts"
import { OptOuts } from "../optOut/OptOuts.ts"
import { type JobOutcome, Jobs, type Work } from "../outbox/Jobs.ts"
import { Outbox } from "../outbox/Outbox.ts"
import { untilCommitted } from "../storage/untilCommitted.ts"
import { type Instant, seconds } from "../time/Instant.ts"
import { windowEnd } from "./checkReply.ts"
import { isUnwelcome } from "./isUnwelcome.ts"
import { longestWait, type Reply, replyKind } from "./inboxJobs.ts"
import type { Lead } from "./Lead.ts"
import { isReply, type LeadMessage, replyBookings } from "./LeadMessage.ts"
import { leadChange, LeadStore } from "./LeadStore.ts"

const committed: JobOutcome = { _tag: "Committed" }
const completed: JobOutcome = { _tag: "Completed" }

/** How long a receipt is waited for, where nobody knows whether a reply left. */
const receiptWait = seconds(60)

/** A delivery is called as its message is, under its own prefix. */
const deliveryIdOf = (messageId: string) => `dlv_${messageId.slice("msg_".length)}`
const messageIdOf = (deliveryId: string) => `msg_${deliveryId.slice("dlv_".length)}`

const failure = (providerCode: string): DeliveryNews => ({
  status: "FAILED",
  providerId: null,
  providerCode,
  isOurs: true
})

const refused = (providerCode: string): DeliveryNews => ({ status: "FAILED", providerId: null, providerCode })

/** Until when a reply is of use: words as long as the customer's window is open, templates for a day. */
const endOf = (lead: Lead, message: LeadMessage): Instant =>
  message.template === null ? (windowEnd(lead) ?? message.at) : message.at + longestWait

interface Sending {
  readonly job: Work<Reply>
  readonly message: LeadMessage
  readonly lead: Lead
  readonly channel: Channel
}

/**
 * Sends replies, each at most once: before one is handed to its provider it is marked in a commit, and one that is
 * marked is not handed over again by anybody. What became of it is learned from the answer or from the receipt; without
 * either it has FAILED after a minute, until a receipt says otherwise.
 */
export const layer: Layer.Layer<
  never,
  never,
  BalanceStore | Channels | Jobs | LeadStore | Merchants | Numbers | OptOuts | Outbox | Receipts | Senders
> = Layer.effectDiscard(
  Effect.gen(function* () {
    const balances = yield* BalanceStore
    const channels = yield* Channels
    const sandbox = yield* SandboxChannel.Sandbox
    const jobs = yield* Jobs
    const store = yield* LeadStore
    const commit = yield* Outbox.door(LeadStore)
    const merchants = yield* Merchants
    const numbers = yield* Numbers
    const optOuts = yield* OptOuts
    const receipts = yield* Receipts
    const senders = yield* Senders

    const log = ({ environment, id, providerCode }: LeadMessage, provider: string) =>
      Effect.logWarning("A reply was not delivered", {
        environment,
        messageId: id,
        channel: "WHATSAPP",
        provider,
        providerCode
      })

    const tillOf = (environment: string, now: Instant) =>
      Effect.flatMap(merchants.environment(environment), (found) =>
        found === null ? Effect.succeed(noPrices) : loadTill(balances, found, now)
      )

    /** Commits news on what is stored now, with the job they end. */
    const record = (
      { environment, id }: Pick<LeadMessage, "environment" | "id">,
      news: ReadonlyArray<DeliveryNews>,
      provider: string,
      done: Work<Reply> | null
    ) =>
      untilCommitted(
        Effect.gen(function* () {
          const message = yield* store.message(environment, id)
          const now = yield* Clock.currentTimeMillis
          if (message === null || !isReply(message)) return completed
          const advanced = advance(message, news.map(withReason), now)
          if (advanced === null) return completed
          const till = isRevived(message, advanced, sendPolicies.reply) ? yield* tillOf(environment, now) : noPrices
          const next = isRevived(message, advanced, sendPolicies.reply) ? payRevived(advanced, till) : advanced
          const booked = replyBookings([message], next, now)
          yield* commit(leadChange({ messages: [next], jobs: lowJobs(till, booked, now), booked, done }))
          if (next.status === "FAILED" && message.status !== "FAILED") yield* log(next, provider)
          return committed
        })
      )

    /** Marks a reply as being handed over, or takes the mark away because it was not. Conflict when others were first. */
    const mark = (message: LeadMessage, handedAt: Instant | null) =>
      Effect.map(commit(leadChange({ messages: [{ ...message, handedAt }] })), ({ messages }) => messages[0] ?? message)

    /** It was not taken by the provider, who said so: it may be handed over again. */
    const unmark = ({ environment, id, version }: LeadMessage) =>
      untilCommitted(
        Effect.gen(function* () {
          const message = yield* store.message(environment, id)
          // A later version is another process's mark, or news.
          if (message?.status === "PENDING" && message.handedAt !== null && message.version === version)
            yield* mark(message, null)
        })
      )

    const waitForReceipt = Effect.fnUntraced(function* (payload: Reply) {
      const until = (yield* Clock.currentTimeMillis) + receiptWait
      const outcome: JobOutcome = {
        _tag: "Later",
        runAt: until,
        reason: unanswered,
        payload: { messageId: payload.messageId, until }
      }
      return outcome
    })

    const afterError = Effect.fnUntraced(function* (sending: Sending, error: ChannelError) {
      const { channel, job, lead, message } = sending
      if (error.reason._tag === "OutcomeUnknown") return yield* waitForReceipt(job.payload)
      const verdict = afterSend.afterError(
        error,
        { failures: job.failures, isUnanswered: false },
        yield* Random.next,
        yield* Clock.currentTimeMillis,
        endOf(lead, message)
      )
      if (verdict._tag !== "Again") {
        return yield* job.untilRecorded(record(message, [refused(error.reason.providerCode)], channel.provider, job))
      }
      yield* job.untilRecorded(unmark(message))
      const outcome: JobOutcome = { _tag: "Retry", runAt: verdict.at, reason: verdict.providerCode }
      return outcome
    })

    /** Nothing was sent. */
    const afterRest = Effect.fnUntraced(function* ({ channel, job, lead, message }: Sending, until: Instant) {
      const runAt = afterSend.afterRest(until, yield* Random.next, yield* Clock.currentTimeMillis)
      if (runAt >= endOf(lead, message)) {
        return yield* record(message, [failure("provider_resting")], channel.provider, job)
      }
      const outcome: JobOutcome = { _tag: "Later", runAt, reason: "provider_resting" }
      return outcome
    })

    const afterSent = ({ channel, job, message }: Sending, { delivered, providerId }: Sent) => {
      const recordSent = (id: string | null) => {
        const sent: DeliveryNews = { status: "SENT", providerId: id, providerCode: null }
        const news: ReadonlyArray<DeliveryNews> = delivered === true ? [sent, { ...sent, status: "DELIVERED" }] : [sent]
        return record(message, news, channel.provider, job)
      }
      // A provider that gives two messages one id must not keep the second from being recorded: it would be sent again.
      return job.untilRecorded(Effect.catchTag(recordSent(providerId), "Contended", () => recordSent(null)))
    }

    const handOver = Effect.fnUntraced(function* (sending: Sending, words: Message) {
      const { channel } = sending
      const state = senders.state(channel, words._tag, words.account?.id ?? null, yield* Clock.currentTimeMillis)
      // No mark for what will not be tried: a long outage would write two rows at each look.
      if (state._tag === "Resting") return yield* afterRest(sending, state.until)
      const { job, message } = sending
      // Without an answer the mark may have been made. It was not handed over, and only this process knows.
      const noAnswer = job.untilRecorded(unmark({ ...message, version: message.version + 1 }))
      const marked = {
        ...sending,
        message: yield* Effect.tapErrorTag(mark(message, yield* Clock.currentTimeMillis), "StoreError", () => noAnswer)
      }
      const outcome = yield* senders.send(channel, words)
      switch (outcome._tag) {
        case "Sent":
          return yield* afterSent(marked, outcome.sent)
        case "Failed":
          return yield* afterError(marked, outcome.error)
        case "Resting":
          yield* job.untilRecorded(unmark(marked.message))
          return yield* afterRest(marked, outcome.until)
      }
    })

    /** The number that a reply goes out from: the one the customer wrote to. Otherwise why there is none. */
    const senderOf = Effect.fnUntraced(function* (
      channel: Channel,
      { environment, receiver }: Lead,
      isTemplate: boolean
    ) {
      // Who never wrote hears from the number that was connected first, or else from the channel's usual one.
      const id = receiver ?? (channel.accounts === undefined ? null : yield* numbers.firstOf(environment))
      if (isTemplate && !(yield* numbers.maySendTemplates(environment, id))) return notYoursCode
      const from: Pick<Message, "options" | "account"> = { options: id === null ? {} : { wabaId: id } }
      if (!isAccount(channel, id)) return from
      const account = yield* numbers.accountOf(environment, id)
      return account === null ? "number_disconnected" : { ...from, account }
    })

    const messageOf = Effect.fnUntraced(function* (
      { channel, lead, message }: Sending,
      { brand, locale }: { readonly brand: string; readonly locale: string }
    ) {
      const { environment, id, template, text } = message
      const from = yield* senderOf(channel, lead, template !== null)
      if (typeof from === "string") return from
      const to = lead.phone === null ? lead.userId : `+${lead.phone}`
      if (to === null) return "number_disconnected"
      const deliveryId = deliveryIdOf(id)
      const common = {
        deliveryId,
        reference: Reference.format({ environment, ownerId: `lead_${lead.id}`, deliveryId }),
        to,
        brand,
        locale,
        validForSeconds: null,
        expiresAt: null,
        ...from
      }
      const words: Message =
        template === null
          ? { ...common, _tag: "Text", text: Redacted.make(text ?? ""), answers: null }
          : {
              ...common,
              _tag: "Template",
              text: Redacted.make(""),
              name: template.name,
              language: template.language,
              values: template.values.map((value) => Redacted.make(value))
            }
      return words
    })

    const attempt = Effect.fnUntraced(function* (job: Work<Reply>) {
      const { environment, payload } = job
      const message = yield* store.message(environment, payload.messageId)
      if (message?.status !== "PENDING" || message.leadId === null) return completed
      const now = yield* Clock.currentTimeMillis
      if (message.handedAt !== null) {
        // Whoever handed it over died, or got no answer: it may be on its way.
        if (payload.until === null) return yield* waitForReceipt(payload)
        const early: JobOutcome = { _tag: "Later", runAt: payload.until, reason: unanswered }
        return now < payload.until ? early : yield* record(message, [failure(unanswered)], "none", job)
      }
      const failed = (code: string, provider = "none") => record(message, [failure(code)], provider, job)
      const lead = yield* store.get(environment, message.leadId)
      if (lead === null) return completed
      const owner = yield* merchants.environment(environment)
      if (owner === null) return yield* failed("merchant_suspended")
      const channel = owner.kind === "test" ? sandbox.find("WHATSAPP") : channels.find("WHATSAPP")
      if (channel === undefined) return yield* failed("no_provider")
      if (now >= endOf(lead, message)) return yield* failed("not_sent_in_time", channel.provider)
      const sending: Sending = { job, message, lead, channel }
      if (message.template !== null && (yield* isUnwelcome(optOuts, lead, now))) return yield* failed("opted_out")
      const words = yield* messageOf(sending, owner.settings)
      return typeof words === "string" ? yield* failed(words, channel.provider) : yield* handOver(sending, words)
    })

    yield* jobs.handle(replyKind, (job) => untilCommitted(attempt(job)))
    const messageFor = ({ deliveryId, environment, ownerId }: Reference.Reference) =>
      Effect.map(store.message(environment, messageIdOf(deliveryId)), (message) =>
        message !== null && `lead_${message.leadId}` === ownerId ? message : null
      )

    const phoneOf = Effect.fnUntraced(function* (reference: Reference.Reference) {
      const message = yield* messageFor(reference)
      const lead = message?.leadId == null ? null : yield* store.get(reference.environment, message.leadId)
      return lead?.phone == null ? null : `+${lead.phone}`
    })

    const take: Owner = (reference, reported) =>
      Effect.gen(function* () {
        const { environment, deliveryId } = reference
        const id = messageIdOf(deliveryId)
        if ((yield* messageFor(reference)) === null) return
        yield* record({ environment, id }, reported, channels.find("WHATSAPP")?.provider ?? "none", null)
      })
    yield* receipts.own("lead", take, phoneOf)
  })
)
