import { Context, Effect, Layer } from "effect"
import { lowJobs } from "../../account/billing/balanceLow.ts"
import type { Reference } from "../../message/sending/Reference.ts"
import { sendPolicies } from "../../foundation/delivery/SendPolicy.ts"
import { Outbox } from "../../foundation/outbox/Outbox.ts"
import { DeliveryRunner } from "../../message/sending/DeliveryRunner.ts"
import type { Deliveries } from "../../message/sending/recordDeliveries.ts"
import type { Contended } from "../../foundation/storage/Contended.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { advanceRecipient } from "./advanceRecipient.ts"
import type { Campaign, CampaignChannel } from "./Campaign.ts"
import { CampaignStore } from "./CampaignStore.ts"
import { erasedRecipient, isErased } from "./erasedRecipient.ts"
import { deliveryIdOf, numberIn, type Recipient, recipientBookings } from "./Recipient.ts"

const erasedAtOnce = 100

/** A recipient with the channel of its campaign, which its bookings need. */
interface Addressed {
  readonly channel: CampaignChannel
  readonly recipient: Recipient
}

/** A reference that carries the campaign's channel, so that the campaign is not loaded for each recipient. */
interface CampaignReference extends Reference {
  readonly channel?: CampaignChannel
}

/** The reference of a recipient's delivery. */
export const referenceOf = (
  { channel }: Pick<Campaign, "channel">,
  recipient: Pick<Recipient, "campaignId" | "environment" | "number">
): CampaignReference => ({
  environment: recipient.environment,
  ownerId: recipient.campaignId,
  deliveryId: deliveryIdOf(recipient),
  channel
})

const numberOf = ({ deliveryId, ownerId }: Reference): number | null => {
  const number = numberIn(deliveryId)
  return deliveryIdOf({ campaignId: ownerId, number }) === deliveryId ? number : null
}

/**
 * Records the outcomes of campaign messages. Each recipient has its own version, so thousands of receipts per second
 * never wait for a shared row.
 */
export class CampaignReceipts extends Context.Service<
  CampaignReceipts,
  Deliveries<Addressed, Recipient> & {
    /** Erases a person's data from their recipients and keeps the outcomes of their messages. */
    readonly erase: (environment: string, phone: string) => Effect.Effect<void, Contended | StoreError>
  }
>()("@countersign/core/campaign/CampaignReceipts") {
  static readonly layer: Layer.Layer<CampaignReceipts, never, CampaignStore | DeliveryRunner | Outbox> = Layer.effect(
    CampaignReceipts,
    Effect.gen(function* () {
      const commit = yield* Outbox.committer(CampaignStore)
      const runner = yield* DeliveryRunner
      const store = yield* CampaignStore

      const load = Effect.fnUntraced(function* (reference: CampaignReference) {
        const { environment, ownerId } = reference
        const number = numberOf(reference)
        if (number === null) return null
        const channel = reference.channel ?? (yield* store.get(environment, ownerId))?.channel
        const recipient = channel === undefined ? null : yield* store.recipient(environment, ownerId, number)
        return channel === undefined || recipient === null ? null : { channel, recipient }
      })

      const deliveries = yield* runner.own<Addressed, Recipient>({
        prefix: "cmp",
        policy: sendPolicies.campaign,
        load,
        deliveryOf: ({ recipient }) => recipient,
        channelOf: ({ channel }) => channel,
        phoneOf: ({ recipient }) => Effect.succeed(isErased(recipient) ? null : recipient.phone),
        handedAtOf: ({ handedAt }) => handedAt,
        advance: advanceRecipient,
        commit: ({ after, at, before, held, budget }) => {
          const booked = recipientBookings(held.channel, before, after, at)
          const change = CampaignStore.change({ recipients: [after], booked, jobs: lowJobs(budget, booked, at) })
          return Effect.as(commit(change), null)
        },
        // The step logs one line instead: a list may contain ten thousand dead numbers.
        logFailure: () => Effect.void
      })

      const eraseOne = Effect.fnUntraced(function* (recipient: Recipient) {
        const { campaignId, environment, phone } = recipient
        // A campaign that is still being created has no stored channel. Any channel works here, because no money has
        // moved for it.
        const channel = (yield* store.get(environment, campaignId))?.channel ?? "SMS"
        yield* deliveries.change(referenceOf({ channel }, recipient), (stored) =>
          stored.phone === phone ? erasedRecipient(stored) : null
        )
      })

      return CampaignReceipts.of({
        ...deliveries,
        erase: Effect.fnUntraced(function* (environment, phone) {
          for (;;) {
            // The lookup uses the phone number, so it does not return erased recipients again.
            const page = yield* store.ofPerson(environment, phone, { after: null, limit: erasedAtOnce })
            yield* Effect.forEach(page, eraseOne, { concurrency: "unbounded", discard: true })
            if (page.length < erasedAtOnce) return
          }
        })
      })
    })
  )
}
