import { Clock, Context, Effect, Exit, Layer } from "effect"
import { BalanceStore } from "../billing/BalanceStore.ts"
import { lowJobs } from "../billing/balanceLow.ts"
import { isRevived, payRevived } from "../billing/bookingsOf.ts"
import { loadTill, noPrices } from "../billing/Till.ts"
import { type Owner, Receipts } from "../delivery/Receipts.ts"
import type { Reference } from "../delivery/Reference.ts"
import { Merchants } from "../merchant/Merchants.ts"
import { Outbox } from "../outbox/Outbox.ts"
import { sendPolicies } from "../delivery/SendPolicy.ts"
import type { Contended } from "../storage/Contended.ts"
import type { StoreError } from "../storage/StoreError.ts"
import { untilCommitted } from "../storage/untilCommitted.ts"
import { type Instant, seconds } from "../time/Instant.ts"
import { stopwatch } from "../time/steadyTime.ts"
import { advanceRecipient } from "./advanceRecipient.ts"
import type { CampaignChannel } from "./Campaign.ts"
import { campaignChange, CampaignStore } from "./CampaignStore.ts"
import { erasedRecipient, isErased } from "./erasedRecipient.ts"
import { deliveryIdOf, numberIn, type Recipient, recipientBookings } from "./Recipient.ts"

const erasedAtOnce = 100
/** A provider may have given up on a receipt that took longer than this to record. */
const longestRecording = seconds(5)

/** Which recipient, of a campaign of which channel. */
export interface RecipientKey extends Pick<Recipient, "environment" | "campaignId" | "number"> {
  readonly channel: CampaignChannel
}

/**
 * Puts down what became of messages of campaigns: each recipient by its own version, so that thousands of receipts a
 * second wait for no row that they share.
 */
export class CampaignReceipts extends Context.Service<
  CampaignReceipts,
  {
    /** Commits the next state of a recipient, decided on the one that is stored now; null changes nothing. */
    readonly change: (
      key: RecipientKey,
      decide: (stored: Recipient) => Recipient | null
    ) => Effect.Effect<void, Contended | StoreError>
    /**
     * From when on this process has recorded all that it heard: it was there, and storage took each answer and each
     * receipt in time. A message of before then may have arrived without a trace.
     */
    readonly heardSince: Effect.Effect<Instant>
    /** Leaves of a person nothing but what became of their messages. */
    readonly erase: (environment: string, phone: string) => Effect.Effect<void, Contended | StoreError>
  }
>()("@countersign/core/campaign/CampaignReceipts") {
  static readonly layer: Layer.Layer<
    CampaignReceipts,
    never,
    BalanceStore | CampaignStore | Merchants | Outbox | Receipts
  > = Layer.effect(
    CampaignReceipts,
    Effect.gen(function* () {
      const balances = yield* BalanceStore
      const store = yield* CampaignStore
      const commit = yield* Outbox.door(CampaignStore)
      const merchants = yield* Merchants

      const tillOf = (environment: string, now: Instant) =>
        Effect.flatMap(merchants.environment(environment), (found) =>
          found === null ? Effect.succeed(noPrices) : loadTill(balances, found, now)
        )

      let heardSince = yield* Clock.currentTimeMillis
      const notHeard = Effect.map(Clock.currentTimeMillis, (now) => {
        heardSince = now
      })
      /** Moves `heardSince` forward where something could not be recorded, or took long. */
      const watched = <A, E>(record: Effect.Effect<A, E>): Effect.Effect<A, E> =>
        Effect.flatMap(stopwatch, (elapsed) =>
          Effect.onExit(record, (exit) =>
            Exit.isFailure(exit) || elapsed() >= longestRecording ? notHeard : Effect.void
          )
        )

      const change = (
        { campaignId, channel, environment, number }: RecipientKey,
        decide: (stored: Recipient) => Recipient | null
      ) =>
        watched(
          untilCommitted(
            Effect.gen(function* () {
              const before = yield* store.recipient(environment, campaignId, number)
              const decided = before === null ? null : decide(before)
              if (before === null || decided === null) return
              const now = yield* Clock.currentTimeMillis
              const revived = isRevived(before, decided, sendPolicies.campaign)
              const till = revived ? yield* tillOf(environment, now) : noPrices
              const after = revived ? payRevived(decided, till) : decided
              const booked = recipientBookings(channel, before, after, now)
              yield* commit(campaignChange({ recipients: [after], booked, jobs: lowJobs(till, booked, now) }))
            })
          )
        )

      const numberOf = ({ deliveryId, ownerId }: Reference): number | null => {
        const number = numberIn(deliveryId)
        return deliveryIdOf({ campaignId: ownerId, number }) === deliveryId ? number : null
      }

      const take: Owner = (reference, reported) =>
        Effect.gen(function* () {
          const { environment, ownerId } = reference
          const number = numberOf(reference)
          if (number === null) return
          const campaign = yield* Effect.tapError(store.get(environment, ownerId), () => notHeard)
          if (campaign === null) return
          const key = { environment, campaignId: ownerId, number, channel: campaign.channel }
          const now = yield* Clock.currentTimeMillis
          yield* change(key, (stored) => advanceRecipient(stored, reported, now))
        })

      const phoneOf = Effect.fnUntraced(function* (reference: Reference) {
        const number = numberOf(reference)
        if (number === null) return null
        const recipient = yield* store.recipient(reference.environment, reference.ownerId, number)
        return recipient === null || isErased(recipient) ? null : recipient.phone
      })

      yield* (yield* Receipts).own("cmp", take, phoneOf)

      const eraseOne = Effect.fnUntraced(function* ({ campaignId, environment, number, phone }: Recipient) {
        const campaign = yield* store.get(environment, campaignId)
        // Of one that was not made yet, only the channel is not known: no money has moved for it.
        const key = { environment, campaignId, number, channel: campaign?.channel ?? "SMS" }
        yield* change(key, (stored) => (stored.phone === phone ? erasedRecipient(stored) : null))
      })

      return CampaignReceipts.of({
        change,
        heardSince: Effect.sync(() => heardSince),
        erase: Effect.fnUntraced(function* (environment, phone) {
          for (;;) {
            // They are found by their number, so what is done is not found again.
            const page = yield* store.ofPerson(environment, phone, { after: null, limit: erasedAtOnce })
            yield* Effect.forEach(page, eraseOne, { concurrency: "unbounded", discard: true })
            if (page.length < erasedAtOnce) return
          }
        })
      })
    })
  )
}
