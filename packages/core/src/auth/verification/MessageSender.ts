import { Clock, Effect, Layer, Redacted } from "effect"
import { BalanceStore } from "../../account/billing/BalanceStore.ts"
import { type Budget, loadBudget, noPrices } from "../../account/billing/Budget.ts"
import { carries } from "../../foundation/delivery/carries.ts"
import { failedByUs } from "../../message/sending/afterSend.ts"
import { Channels } from "../../foundation/delivery/Channels.ts"
import { carrierOf, chooseCarrier } from "../../foundation/delivery/chooseCarrier.ts"
import { notSentInTime, unanswered } from "../../foundation/delivery/Delivery.ts"
import { type CountedSend, uncounted } from "../../foundation/limit/SendCounts.ts"
import { LinkAddress } from "../../foundation/delivery/LinkAddress.ts"
import { Guard } from "./Guard.ts"
import type { Message } from "../../foundation/delivery/Message.ts"
import { safeCode } from "../../message/sending/safeCode.ts"
import { sendPolicies } from "../../foundation/delivery/SendPolicy.ts"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import type { Caller } from "../../account/merchant/Caller.ts"
import type { Settings } from "../../account/merchant/Settings.ts"
import { Merchants } from "../../account/merchant/Merchants.ts"
import type { JustCommitted } from "../../foundation/outbox/JustCommitted.ts"
import { type JobOutcome, Jobs, type Work } from "../../foundation/outbox/Jobs.ts"
import { Outbox } from "../../foundation/outbox/Outbox.ts"
import { Keyring } from "../../foundation/secret/Keyring.ts"
import type { DeliveryStep, Prepared, ReadyMessage, SingleOwner } from "../../message/sending/DeliveryOwner.ts"
import { DeliveryRunner } from "../../message/sending/DeliveryRunner.ts"
import { untilCommitted } from "../../foundation/storage/untilCommitted.ts"
import type { TemplateContent } from "../../message/template/StoredTemplate.ts"
import { TemplateCatalogue } from "../../message/template/TemplateCatalogue.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import { codeMessage } from "./codeMessage.ts"
import { codeOf } from "./codeOf.ts"
import { openCode } from "./relayedCode.ts"
import { advanced, afterDelivery, triedInVain } from "./deliver.ts"
import { endOfUnsent } from "./expire.ts"
import { canFallBack, fallbackDue, hasOtherCarrier, isPayable } from "./fallback.ts"
import { linkMessage } from "./linkMessage.ts"
import { linkOf } from "./linkOf.ts"
import { logFailure, logGivenUp } from "./logFailures.ts"
import { settingsOf } from "./trial.ts"
import type { Verification } from "./Verification.ts"
import type { VerificationDelivery } from "./VerificationDelivery.ts"
import { fallbackKind, gateOf, mayHaveAccount, type SendPayload, sendKind } from "./verificationJobs.ts"
import { policyOf } from "./VerificationChange.ts"
import { VerificationStore } from "./VerificationStore.ts"

const committed: JobOutcome = { _tag: "Committed" }
const completed: JobOutcome = { _tag: "Completed" }

const isLoaded = (stored: VerificationStore.Stored | undefined, id: string): stored is VerificationStore.Loaded =>
  stored?.verification?.id === id

const notYet = (runAt: Instant): JobOutcome => ({ _tag: "Later", runAt, reason: "the window was restarted" })

const fails = (providerCode: string): Prepared => ({ _tag: "Fails", providerCode })

/** Returns how a message ends that is no longer needed or is too late, or null while it must still be sent. */
const endOf = (
  { verification }: VerificationStore.Loaded,
  delivery: VerificationDelivery,
  now: Instant
): Exclude<Prepared, ReadyMessage> | null => {
  const end = endOfUnsent(verification, delivery, now)
  switch (end) {
    case null:
      return null
    case "FAILED":
      return { _tag: "Ends", news: failedByUs(notSentInTime) }
    case "PENDING":
      return { _tag: "LeftOpen", providerCode: unanswered }
    default:
      return { _tag: "Ends", news: { status: end, providerId: null, providerCode: null } }
  }
}

/** Sends codes and links, records the results, and starts the fallback when the first channel stays silent. */
export const layer: Layer.Layer<
  never,
  never,
  | BalanceStore
  | Channels
  | DeliveryRunner
  | Guard
  | Jobs
  | Keyring
  | LinkAddress
  | Merchants
  | Outbox
  | TemplateCatalogue
  | VerificationStore
> = Layer.effectDiscard(
  Effect.gen(function* () {
    const balances = yield* BalanceStore
    const channels = yield* Channels
    const commit = yield* Outbox.committer(VerificationStore)
    const guard = yield* Guard
    const jobs = yield* Jobs
    const keyring = yield* Keyring
    const { base, logos } = yield* LinkAddress
    const merchants = yield* Merchants
    const runner = yield* DeliveryRunner
    const store = yield* VerificationStore
    const templates = yield* TemplateCatalogue

    /** The code of a message: derived from the verification, or opened if another system made it. Null for a link. */
    const codeFor = (kind: Caller["kind"], verification: Verification): Effect.Effect<Redacted.Redacted | null> => {
      if (verification.kind === "Relayed") return openCode(keyring, verification)
      const code = verification.kind === "Code" ? codeOf(keyring, kind, verification) : null
      return Effect.succeed(code === null ? null : Redacted.make(code))
    }

    /**
     * Builds the message with its code or link. Returns an error code if its key was removed from the keyring or the
     * server has no public URL.
     */
    const messageOf = (
      verification: Verification,
      delivery: VerificationDelivery,
      code: Redacted.Redacted | null,
      content: TemplateContent | null,
      settings: Settings,
      now: Instant
    ): Message | "key_retired" | "no_public_url" => {
      if (verification.kind === "Code" || verification.kind === "Relayed") {
        return code === null
          ? "key_retired"
          : codeMessage(verification, delivery, { code, logos }, content, settings, now)
      }
      const token = linkOf(keyring, verification)
      if (token === null) return "key_retired"
      // The process that accepted the request had a public URL. This process has none.
      return base === null
        ? "no_public_url"
        : linkMessage(verification, delivery, { base, logos, token }, content, settings, now)
    }

    const prepare: SingleOwner<VerificationStore.Loaded, VerificationDelivery>["prepare"] = (
      { verification },
      delivery,
      { environment, kind, settings },
      channel,
      now
    ) => {
      const words = settingsOf(verification, verification.trial, settings)
      const ready = (code: Redacted.Redacted | null, content: TemplateContent | null): Prepared => {
        const message = messageOf(verification, delivery, code, content, words, now)
        if (typeof message === "string") return fails(message)
        return {
          _tag: "Ready",
          message,
          sender: message.options.wabaId ?? null,
          isOwnTemplate: channel.name === "WHATSAPP" && "template" in message,
          end: verification.expiresAt,
          ...(delivery.avoid === undefined ? {} : { avoid: delivery.avoid })
        }
      }
      const { text } = delivery
      return Effect.flatMapEager(codeFor(kind, verification), (code) =>
        text === undefined
          ? Effect.succeed(ready(code, null))
          : Effect.mapEager(templates.content(environment, text), (content) =>
              content === null ? fails("template_gone") : ready(code, content)
            )
      )
    }

    /**
     * Returns the carriers that can take the recipient's messages of this kind. Empty in a sandbox, where nothing
     * leaves the machine. Also empty for a message that may have used the merchant's own number, because only that
     * number may send it.
     */
    const carriersOf = ({ verification }: VerificationStore.Loaded, delivery: VerificationDelivery) => {
      const { identity, sandbox } = verification
      const { channel, type } = delivery
      if (sandbox === true || (channels.find(channel)?.accounts !== undefined && mayHaveAccount(delivery))) return []
      const to = identity.type === "EMAIL" ? identity.canonical : `+${identity.canonical}`
      return chooseCarrier(channels.rulesOf(channel), to, () => false)
        .filter((carrier) => carries(carrier, identity.type, type === "LINK" ? "Link" : "Code"))
        .map(carrierOf)
    }

    /** Counts the fallback's message in the hourly budgets. A message by another carrier instead of a failed one is not. */
    const countFallback = (
      { environment, identity }: Verification,
      deliveryId: string,
      { settings }: Budget,
      now: Instant
    ): CountedSend =>
      identity.type === "MOBILE"
        ? guard.count(environment, { number: identity.canonical, deliveryId }, settings, now)
        : uncounted

    /** Gives a counted message back when the commit fails. After an interruption the message may be on its way. */
    const withGiveBack = <A, E>(counted: CountedSend, committing: Effect.Effect<A, E>) =>
      counted._tag === "Full" || counted === uncounted
        ? committing
        : Effect.tapError(committing, () => Effect.sync(counted.giveBack))

    const commitStep = (step: DeliveryStep<VerificationStore.Loaded, VerificationDelivery>) => {
      const { after, at, before, done, held, budget, tries } = step
      const isInVain = after.status === "PENDING" && before.status === "PENDING" && tries.length > 0
      const fresh = { eventId: Identifier.make("evt", at), deliveryId: Identifier.make("dlv", at) }
      let counted: CountedSend = uncounted
      const hasRoom = () => {
        counted = countFallback(held.verification, fresh.deliveryId, budget, at)
        return counted._tag === "Counted"
      }
      const carriers = () => carriersOf(held, after)
      const { change } = isInVain
        ? triedInVain(held, after, tries, at)
        : afterDelivery(held, after, { fresh, budget, done, tries, carriers, hasRoom }, at)
      if (change === null) return Effect.succeed(null)
      const { verification } = change
      const isFailed = after.status === "FAILED"
      return Effect.map(withGiveBack(counted, commit(change)), (stored) => {
        if (isFailed && verification !== null) guard.note(verification, at)
        return isLoaded(stored, held.verification.id) ? stored : null
      })
    }

    /**
     * Returns whether a delivery receipt can follow: from the carrier that took the message, or from the channel if no
     * carrier took it.
     */
    const reportsIn =
      (kind: Caller["kind"]) =>
      ({ carrier, channel }: VerificationDelivery): boolean => {
        const own = runner.channelOf(kind, channel)
        const took = kind === "test" ? own : channels.carriersOf(channel).find((each) => carrierOf(each) === carrier)
        return (took ?? own)?.supports.receipts ?? true
      }

    /** Loads the budget for a fallback. Skips storage when no fallback can follow. */
    const fallbackBudget = (verification: Verification, now: Instant) =>
      canFallBack(verification, now)
        ? Effect.flatMap(merchants.environment(verification.environment), (payer) =>
            payer === null ? Effect.succeed(noPrices) : loadBudget(balances, payer, now)
          )
        : Effect.succeed(noPrices)

    const deliveries = yield* runner.ownSingle<VerificationStore.Loaded, VerificationDelivery>({
      prefix: "ver",
      policy: sendPolicies.code,
      policyOf: ({ verification }) => policyOf(verification),
      load: ({ environment, ownerId }) => store.load(environment, ownerId),
      deliveryOf: ({ verification }, { deliveryId }) =>
        verification.deliveries.find(({ id }) => id === deliveryId) ?? null,
      channelOf: (_, { channel }) => channel,
      phoneOf: ({ verification: { identity } }) =>
        Effect.succeed(identity.type === "MOBILE" ? `+${identity.canonical}` : null),
      handedAtOf: ({ createdAt, sentAt }) => sentAt ?? createdAt,
      advance: advanced,
      endOf,
      prepare,
      // Another carrier or the fallback channel may replace a FAILED message.
      mayPayMore: (held, after, now) =>
        after.status === "FAILED" &&
        (canFallBack(held.verification, now) ||
          hasOtherCarrier(held.verification, after, carriersOf(held, after), now)),
      hasOtherWay: ({ verification }, delivery, now) =>
        canFallBack(verification, now)
          ? Effect.map(fallbackBudget(verification, now), (budget) => isPayable(verification, budget, delivery))
          : Effect.succeed(false),
      waitsAt: ({ verification }, delivery) => gateOf(verification, delivery, false),
      commit: commitStep,
      logFailure: ({ verification }, delivery, provider) => logFailure(verification, delivery, provider),
      logSilence: ({ verification }, { channel }, provider, providerCode) =>
        logGivenUp({ channel, provider, providerCode: safeCode(providerCode), requestId: verification.id })
    })

    const send = (job: Work<SendPayload>, fresh: JustCommitted) => {
      const { deliveryId, verificationId: ownerId } = job.payload
      const stored = fresh.of(VerificationStore)
      return deliveries.send(
        job,
        { environment: job.environment, ownerId, deliveryId },
        isLoaded(stored, ownerId) ? stored : null
      )
    }

    const fallback = (job: Work<{ readonly verificationId: string }>) =>
      untilCommitted(
        Effect.gen(function* () {
          const loaded = yield* store.load(job.environment, job.payload.verificationId)
          const environment = yield* merchants.environment(job.environment)
          if (loaded === null || environment === null) return completed
          const now = yield* Clock.currentTimeMillis
          const deliveryId = Identifier.make("dlv", now)
          const budget = yield* fallbackBudget(loaded.verification, now)
          let counted: CountedSend = uncounted
          const { change, outcome } = fallbackDue(
            loaded,
            reportsIn(environment.kind),
            { deliveryId },
            budget,
            job,
            now,
            () => {
              counted = countFallback(loaded.verification, deliveryId, budget, now)
              return counted._tag === "Counted"
            }
          )
          if (change === null) return outcome._tag === "NotYet" ? notYet(outcome.dueAt) : completed
          yield* withGiveBack(counted, commit(change))
          return committed
        })
      )

    yield* jobs.handle(sendKind, send)
    yield* jobs.handle(fallbackKind, fallback)
  })
)
