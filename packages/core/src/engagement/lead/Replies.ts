import { Effect, Layer, Redacted } from "effect"
import { lowJobs } from "../../account/billing/balanceLow.ts"
import { advance, withReason } from "../../message/sending/advance.ts"
import type { Channel } from "../../foundation/delivery/Channel.ts"
import { MediaKind, type Message } from "../../foundation/delivery/Message.ts"
import * as Reference from "../../message/sending/Reference.ts"
import { sendPolicies } from "../../foundation/delivery/SendPolicy.ts"
import type { Caller } from "../../account/merchant/Caller.ts"
import { Numbers } from "../../account/number/Numbers.ts"
import { OptOuts } from "../optOut/OptOuts.ts"
import { type JobOutcome, Jobs, type Work } from "../../foundation/outbox/Jobs.ts"
import { Outbox } from "../../foundation/outbox/Outbox.ts"
import type { Prepared } from "../../message/sending/DeliveryOwner.ts"
import { DeliveryRunner } from "../../message/sending/DeliveryRunner.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import { afterReply, decidesWait } from "./afterReply.ts"
import { windowEnd } from "./checkReply.ts"
import { type Reply as ReplyJob, replyKind } from "./inboxJobs.ts"
import { isUnwelcome } from "./isUnwelcome.ts"
import type { Lead } from "./Lead.ts"
import { isReply, type LeadMessage, type Reply, replyBookings } from "./LeadMessage.ts"
import { LeadStore } from "./LeadStore.ts"

/** Of a conversation, to find the wait that a failed reply did not end. */
const mostRead = 50

const completed: JobOutcome = { _tag: "Completed" }

/** A message and its delivery share the id after the prefix. */
const deliveryIdOf = (messageId: string) => `dlv_${messageId.slice("msg_".length)}`
const messageIdOf = (deliveryId: string) => `msg_${deliveryId.slice("dlv_".length)}`
const ownerIdOf = (leadId: number | null) => `lead_${leadId}`

const referenceOf = ({ environment, id, leadId }: LeadMessage): Reference.Reference => ({
  environment,
  ownerId: ownerIdOf(leadId),
  deliveryId: deliveryIdOf(id)
})

/** When a reply expires: plain text and files with the customer's reply window, templates after a day. */
const endOf = (lead: Lead, message: LeadMessage): Instant =>
  message.template === null ? (windowEnd(lead) ?? message.at) : message.at + sendPolicies.reply.endsAfter

const fails = (providerCode: string): Prepared => ({ _tag: "Fails", providerCode })

/** Sends replies, each at most once, and records their outcomes. */
export const layer: Layer.Layer<never, never, DeliveryRunner | Jobs | LeadStore | Numbers | OptOuts | Outbox> =
  Layer.effectDiscard(
    Effect.gen(function* () {
      const commit = yield* Outbox.committer(LeadStore)
      const jobs = yield* Jobs
      const numbers = yield* Numbers
      const optOuts = yield* OptOuts
      const runner = yield* DeliveryRunner
      const store = yield* LeadStore

      const leadOf = ({ environment, leadId }: LeadMessage) =>
        leadId === null ? Effect.succeed(null) : store.get(environment, leadId)

      const waitAfter = Effect.fnUntraced(function* (reply: Reply, now: Instant) {
        const lead = yield* leadOf(reply)
        return lead === null ? null : afterReply(lead, reply, yield* store.messages(lead, null, mostRead), now)
      })

      /** The sending number of a reply: the one the customer wrote to, otherwise the number connected first. */
      const senderOf = ({ environment, receiver }: Lead, { accounts }: Channel) =>
        receiver !== null || accounts === undefined ? Effect.succeed(receiver) : numbers.firstOf(environment)

      const wordsOf = (lead: Lead, message: Reply, sender: string | null, settings: Caller["settings"]) => {
        const { media, template, text, type } = message
        const to = lead.phone === null ? lead.userId : `+${lead.phone}`
        if (to === null) return null
        const reference = referenceOf(message)
        const common = {
          deliveryId: reference.deliveryId,
          reference: Reference.format(reference),
          to,
          brand: settings.brand,
          locale: settings.locale,
          validForSeconds: null,
          expiresAt: null,
          options: sender === null ? {} : { wabaId: sender }
        }
        const kind = MediaKind.find((each) => each === type)
        if (media !== null && kind !== undefined) {
          const { fileName, id } = media
          const file: Message = {
            ...common,
            _tag: "Media",
            text: Redacted.make(text ?? ""),
            media: { kind, id, fileName }
          }
          return file
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
      }

      const deliveries = yield* runner.ownSingle<Reply, Reply>({
        prefix: "lead",
        policy: sendPolicies.reply,
        load: ({ deliveryId, environment }) =>
          Effect.map(store.message(environment, messageIdOf(deliveryId)), (message) =>
            message !== null && isReply(message) ? message : null
          ),
        deliveryOf: (message, { ownerId }) => (ownerIdOf(message.leadId) === ownerId ? message : null),
        channelOf: () => "WHATSAPP",
        phoneOf: (message) => Effect.map(leadOf(message), (lead) => (lead?.phone == null ? null : `+${lead.phone}`)),
        handedAtOf: ({ handedAt }) => handedAt,
        advance: (message, news, now) => advance(message, news.map(withReason), now),
        prepare: Effect.fnUntraced(function* (message, _, { settings }, channel, now) {
          const lead = yield* leadOf(message)
          if (lead === null) return { _tag: "LeftOpen", providerCode: "lead_gone" }
          const end = endOf(lead, message)
          const isOwnTemplate = message.template !== null
          if (isOwnTemplate && (yield* isUnwelcome(optOuts, lead, now))) return fails("opted_out")
          const sender = yield* senderOf(lead, channel)
          const words = wordsOf(lead, message, sender, settings)
          return words === null
            ? fails("number_disconnected")
            : { _tag: "Ready", message: words, sender, isOwnTemplate, end }
        }),
        commit: Effect.fnUntraced(function* ({ after, at, before, done, budget }) {
          const booked = replyBookings([before], after, at)
          const step = decidesWait(before, after) ? yield* waitAfter(after, at) : null
          const lead = step === null ? {} : { leads: [step.lead], entries: step.entries }
          yield* commit(
            LeadStore.change({ ...lead, messages: [after], jobs: lowJobs(budget, booked, at), booked, done })
          )
          return null
        }),
        logFailure: ({ environment, id }, { providerCode }, provider) =>
          Effect.logWarning("A reply was not delivered", {
            environment,
            messageId: id,
            channel: "WHATSAPP",
            provider,
            providerCode
          }),
        logSilence: () => Effect.void
      })

      const send = Effect.fnUntraced(function* (job: Work<ReplyJob>) {
        const message = yield* store.message(job.environment, job.payload.messageId)
        return message === null || message.leadId === null || !isReply(message)
          ? completed
          : yield* deliveries.send(job, referenceOf(message), message)
      })

      yield* jobs.handle(replyKind, send)
    })
  )
