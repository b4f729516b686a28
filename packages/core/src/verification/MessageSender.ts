import { Clock, Effect, Layer, Random, Redacted } from "effect"
import { BalanceStore } from "../billing/BalanceStore.ts"
import { type Channel, Channels, isAccount, type Sent } from "../delivery/Channel.ts"
import { notSentInTime } from "../delivery/Delivery.ts"
import type { ChannelError } from "../delivery/ChannelError.ts"
import type { VerificationDelivery } from "./VerificationDelivery.ts"
import { LinkAddress } from "../delivery/LinkAddress.ts"
import type { Message } from "../delivery/Message.ts"
import { safeCode } from "../delivery/safeCode.ts"
import * as SandboxChannel from "../delivery/SandboxChannel.ts"
import * as afterSend from "../delivery/afterSend.ts"
import { Senders } from "../delivery/Senders.ts"
import * as Identifier from "../identity/Identifier.ts"
import type { Fresh } from "../outbox/Fresh.ts"
import { type JobOutcome, Jobs, type Work } from "../outbox/Jobs.ts"
import { Outbox } from "../outbox/Outbox.ts"
import type { Caller } from "../merchant/Caller.ts"
import { Merchants } from "../merchant/Merchants.ts"
import { notYoursCode } from "../number/notYours.ts"
import { Numbers } from "../number/Numbers.ts"
import { Keyring } from "../secret/Keyring.ts"
import type { Instant } from "../time/Instant.ts"
import { codeMessage } from "./codeMessage.ts"
import { codeOf } from "./codeOf.ts"
import { deliver, type DeliveryReport, type TriedInVain, triedInVain } from "./deliver.ts"
import { endOfUnsent } from "./expire.ts"
import { canFallBack, fallbackDue, isPayable } from "./fallback.ts"
import { fallbackTill, reportTill } from "./fallbackTill.ts"
import { linkMessage } from "./linkMessage.ts"
import { linkOf } from "./linkOf.ts"
import { logFailures, logGivenUp } from "./logFailures.ts"
import { untilCommitted } from "../storage/untilCommitted.ts"
import type { TemplateContent } from "../template/StoredTemplate.ts"
import { TemplateCatalogue } from "../template/TemplateCatalogue.ts"
import { settingsOf } from "./trial.ts"
import { hasCode, type Verification } from "./Verification.ts"
import { fallbackKind, gateOf, type SendPayload, sendKind } from "./verificationJobs.ts"
import { type Loaded, type Stored, VerificationStore } from "./VerificationStore.ts"

const committed: JobOutcome = { _tag: "Committed" }
const completed: JobOutcome = { _tag: "Completed" }

type News = Omit<DeliveryReport, "deliveryId">

const news = (status: News["status"], providerCode: string | null = null, providerId: string | null = null): News => ({
  status,
  providerId,
  providerCode
})

/** A send that is about to happen. */
interface Sending {
  readonly job: Work<SendPayload>
  readonly loaded: Loaded
  readonly delivery: VerificationDelivery
  /** Who would carry it; `none` as long as nobody is found. */
  readonly provider: string
}

const isLoaded = (stored: Stored | undefined, id: string): stored is Loaded => stored?.verification?.id === id

const notYet = (runAt: Instant): JobOutcome => ({ _tag: "Later", runAt, reason: "the window was restarted" })

/** Sends the message of a `send` job and records what became of it; looks after a silent channel for a `fallback` job. */
export const layer: Layer.Layer<
  never,
  never,
  | Jobs
  | VerificationStore
  | BalanceStore
  | Outbox
  | Channels
  | Senders
  | Keyring
  | Merchants
  | Numbers
  | LinkAddress
  | TemplateCatalogue
> = Layer.effectDiscard(
  Effect.gen(function* () {
    const jobs = yield* Jobs
    const store = yield* VerificationStore
    const commit = yield* Outbox.door(VerificationStore)
    const channels = yield* Channels
    const sandbox = yield* SandboxChannel.Sandbox
    const senders = yield* Senders
    const keyring = yield* Keyring
    const merchants = yield* Merchants
    const billing = { balances: yield* BalanceStore, merchants }
    const numbers = yield* Numbers
    const { base } = yield* LinkAddress
    const templates = yield* TemplateCatalogue

    const channelOf = (kind: Caller["kind"], delivery: VerificationDelivery) =>
      kind === "test" ? sandbox.find(delivery.channel) : channels.find(delivery.channel)

    /** Commits news on what is loaded now, and again on what others made of it meanwhile. */
    const record = ({ delivery, job, loaded: hint, provider }: Sending, reports: ReadonlyArray<News>) => {
      let known: Loaded | null = hint
      return untilCommitted(
        Effect.gen(function* () {
          const loaded = known ?? (yield* store.load(job.environment, hint.verification.id))
          known = null
          if (loaded === null) return completed
          const now = yield* Clock.currentTimeMillis
          const till = yield* reportTill(billing, loaded.verification, delivery.id, reports, now)
          const { change, outcome } = deliver(
            loaded,
            reports.map((report) => ({ ...report, deliveryId: delivery.id })),
            { eventId: Identifier.make("evt", now), deliveryId: Identifier.make("dlv", now) },
            till,
            job,
            now
          )
          if (change === null) return completed
          yield* commit(change)
          if (outcome._tag === "Advanced") yield* logFailures(loaded.verification, outcome.verification, () => provider)
          return committed
        })
      )
    }

    /** Records what the provider answered, and keeps it until that is done. */
    const kept = (sending: Sending, reports: ReadonlyArray<News>) => sending.job.untilRecorded(record(sending, reports))

    /** What the delivery brings: a code or a link. Or why there is none: the key that makes it was taken off the ring. */
    const messageOf = (
      verification: Verification,
      delivery: VerificationDelivery,
      content: TemplateContent | null,
      { kind, settings }: Pick<Caller, "kind" | "settings">,
      now: Instant
    ): Message | "key_retired" | "no_public_url" => {
      if (hasCode(verification)) {
        const code = codeOf(keyring, kind, verification)
        return code === null
          ? "key_retired"
          : codeMessage(verification, delivery, Redacted.make(code), content, settings, now)
      }
      const token = linkOf(keyring, verification)
      if (token === null) return "key_retired"
      // Its link was asked for when the address was configured, and the process that sends it has none.
      return base === null
        ? "no_public_url"
        : linkMessage(verification, delivery, { base, token }, content, settings, now)
    }

    /** Given up without a word of its provider's. */
    const failed = (sending: Sending, providerCode: string) =>
      record(sending, [{ ...news("FAILED", providerCode), isOurs: true }])

    /** Nobody knows what became of it, and it is not tried again. */
    const givenUp = ({ delivery: { channel }, loaded, provider }: Sending, providerCode: string) =>
      Effect.as(
        logGivenUp({ channel, provider, providerCode: safeCode(providerCode), requestId: loaded.verification.id }),
        completed
      )

    /** Remembers a try in vain. What may be on its way is sent once more, and not called unsent when its code expires. */
    const noteTry = ({ delivery, job, loaded: { verification } }: Sending, tried: Omit<TriedInVain, "deliveryId">) =>
      untilCommitted(
        Effect.gen(function* () {
          const loaded = yield* store.load(job.environment, verification.id)
          const now = yield* Clock.currentTimeMillis
          const change = loaded === null ? null : triedInVain(loaded, { ...tried, deliveryId: delivery.id }, now).change
          if (change !== null) yield* commit(change)
        })
      )

    const afterError = Effect.fnUntraced(function* (sending: Sending, error: ChannelError) {
      const verdict = afterSend.afterError(
        error,
        { failures: sending.job.failures, isUnanswered: sending.delivery.unanswered === true },
        yield* Random.next,
        yield* Clock.currentTimeMillis,
        sending.loaded.verification.expiresAt
      )
      if (verdict._tag === "Failed") return yield* kept(sending, [news("FAILED", verdict.providerCode)])
      const { providerCode } = error.reason
      const again = verdict._tag === "Again" ? verdict.at : null
      yield* sending.job.untilRecorded(noteTry(sending, { providerCode, again, isUnanswered: verdict.isUnanswered }))
      if (verdict._tag === "LeftOpen") return yield* givenUp(sending, providerCode)
      const outcome: JobOutcome = { _tag: "Retry", runAt: verdict.at, reason: verdict.providerCode }
      return outcome
    })

    /** Whether it can go out on the other channel, and that is paid, with what this message gives back among the rest. */
    const hasOtherWay = ({ delivery, loaded }: Sending, now: Instant) =>
      canFallBack(loaded.verification, now)
        ? Effect.map(fallbackTill(billing, loaded.verification, now), (till) =>
            isPayable(loaded.verification, till, delivery)
          )
        : Effect.succeed(false)

    /** Nothing was sent. What has another way goes it at once; the others wait until the provider is asked again. */
    const afterRest = Effect.fnUntraced(function* (sending: Sending, until: Instant) {
      const { delivery, loaded } = sending
      const now = yield* Clock.currentTimeMillis
      if (yield* hasOtherWay(sending, now)) return yield* failed(sending, "provider_resting")
      const runAt = afterSend.afterRest(until, yield* Random.next, now)
      if (runAt >= loaded.verification.expiresAt) {
        return yield* delivery.unanswered === true
          ? givenUp(sending, "provider_resting")
          : failed(sending, "provider_resting")
      }
      const outcome: JobOutcome = {
        _tag: "Later",
        runAt,
        reason: "provider_resting",
        gate: gateOf(loaded.verification, delivery, false)
      }
      return outcome
    })

    const afterSent = (sending: Sending, { delivered, providerId }: Sent) =>
      kept(sending, [
        news("SENT", null, providerId),
        ...(delivered === true ? [news("DELIVERED", null, providerId)] : [])
      ])

    const attempt = Effect.fnUntraced(function* (sending: Sending, channel: Channel, message: Message) {
      const outcome = yield* senders.send(channel, message)
      switch (outcome._tag) {
        case "Sent":
          return yield* afterSent(sending, outcome.sent)
        case "Failed":
          return yield* afterError(sending, outcome.error)
        case "Resting":
          return yield* afterRest(sending, outcome.until)
      }
    })

    const send = Effect.fnUntraced(function* (job: Sending["job"], fresh: Fresh) {
      const { deliveryId, verificationId } = job.payload
      const stored = fresh.of(VerificationStore)
      const loaded = isLoaded(stored, verificationId) ? stored : yield* store.load(job.environment, verificationId)
      const delivery = loaded?.verification.deliveries.find(({ id }) => id === deliveryId)
      if (loaded === null || delivery?.status !== "PENDING") return completed
      const sending: Sending = { job, loaded, delivery, provider: "none" }
      const { verification } = loaded
      const now = yield* Clock.currentTimeMillis
      const end = endOfUnsent(verification, delivery, now)
      if (end === "SKIPPED" || end === "SENT") return yield* record(sending, [news(end)])
      if (end === "FAILED") return yield* failed(sending, notSentInTime)
      if (end === "PENDING") return yield* givenUp(sending, "unanswered")
      const environment = yield* merchants.environment(job.environment)
      if (environment === null) return yield* failed(sending, "merchant_suspended")
      const channel = channelOf(environment.kind, delivery)
      if (channel === undefined) return yield* failed(sending, "no_provider")
      const gate = gateOf(verification, delivery, canFallBack(verification, now))
      if (gate !== undefined && job.gate !== gate.gate) {
        // It is from a version that knew no gates: nobody has kept the provider's pace for it.
        const outcome: JobOutcome = { _tag: "Later", runAt: now, reason: "passes a gate", gate }
        return outcome
      }
      const carried: Sending = { ...sending, provider: channel.provider }
      const { text } = delivery
      const content = text === undefined ? null : yield* templates.content(job.environment, text)
      if (text !== undefined && content === null) return yield* failed(carried, "template_gone")
      const message = messageOf(
        verification,
        delivery,
        content,
        { kind: environment.kind, settings: settingsOf(verification.trial, environment.settings) },
        now
      )
      if (typeof message === "string") return yield* failed(carried, message)
      const { wabaId } = message.options
      const isOwnTemplate = channel.name === "WHATSAPP" && "template" in message
      if (isOwnTemplate && !(yield* numbers.maySendTemplates(job.environment, wabaId ?? null))) {
        return yield* failed(carried, notYoursCode)
      }
      if (!isAccount(channel, wabaId)) return yield* attempt(carried, channel, message)
      const account = yield* numbers.accountOf(job.environment, wabaId)
      return account === null
        ? yield* failed(carried, "number_disconnected")
        : yield* attempt(carried, channel, { ...message, account })
    })

    const fallback = (job: Work<{ readonly verificationId: string }>) =>
      untilCommitted(
        Effect.gen(function* () {
          const loaded = yield* store.load(job.environment, job.payload.verificationId)
          const environment = yield* merchants.environment(job.environment)
          if (loaded === null || environment === null) return completed
          const now = yield* Clock.currentTimeMillis
          const { change, outcome } = fallbackDue(
            loaded,
            (delivery) => channelOf(environment.kind, delivery)?.supports.receipts ?? true,
            { deliveryId: Identifier.make("dlv", now) },
            yield* fallbackTill(billing, loaded.verification, now),
            job,
            now
          )
          if (change === null) return outcome._tag === "NotYet" ? notYet(outcome.dueAt) : completed
          yield* commit(change)
          return committed
        })
      )

    yield* jobs.handle(sendKind, send)
    yield* jobs.handle(fallbackKind, fallback)
  })
)
