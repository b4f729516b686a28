import { Context, type Effect } from "effect"
import type { DeliveryStatus } from "../../foundation/delivery/Delivery.ts"
import { noRecords, type Outgoing } from "../../foundation/outbox/Change.ts"
import type { Conflict } from "../../foundation/storage/Conflict.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { Campaign, Progress } from "./Campaign.ts"
import type { Room } from "./checkRoom.ts"
import type { Recipient } from "./Recipient.ts"

/** Stores campaigns and their recipients. The store loads and commits; it never decides. */
export class CampaignStore extends Context.Service<
  CampaignStore,
  {
    /**
     * Writes recipients before the commit that creates their campaign, some thousand at a time. Existing recipients
     * stay unchanged. `forget` deletes recipients that have no campaign an hour later.
     */
    readonly addRecipients: (recipients: ReadonlyArray<Recipient>) => Effect.Effect<void, StoreError>
    /**
     * Commits all parts or none. Fails with `Conflict` when a stored version differs from the version in the change, or
     * when another campaign of the environment has the same `command`. So two requests with the same idempotency key
     * create one campaign.
     */
    readonly commit: (change: CampaignStore.Change) => Effect.Effect<CampaignStore.Parts, Conflict | StoreError>
    readonly get: (environment: string, id: string) => Effect.Effect<Campaign | null, StoreError>
    /** Returns the campaign that the request with this idempotency key created. */
    readonly made: (environment: string, idempotencyKey: string) => Effect.Effect<Campaign | null, StoreError>
    /** Newest first. With `before`, only campaigns older than that id. */
    readonly list: (
      environment: string,
      page: { readonly before: string | null; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<Campaign>, StoreError>
    readonly recipient: (
      environment: string,
      campaignId: string,
      number: number
    ) => Effect.Effect<Recipient | null, StoreError>
    /** Recipients in list order, filtered by `status` when it is not null. */
    readonly recipients: (
      environment: string,
      campaignId: string,
      page: { readonly status: DeliveryStatus | null; readonly after: number; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<Recipient>, StoreError>
    /**
     * Recipients that are `PENDING`: with `handed`, those marked as sent whose outcome is unknown; otherwise those
     * never sent.
     */
    readonly open: (
      environment: string,
      campaignId: string,
      page: { readonly handed: boolean; readonly after: number; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<Recipient>, StoreError>
    /** The counts that decide whether an environment may create another campaign. */
    readonly room: (environment: string) => Effect.Effect<Room, StoreError>
    readonly progress: (environment: string, campaignId: string) => Effect.Effect<Progress, StoreError>
    /**
     * Whether a neighbour's message is known to have arrived. Neighbours are the thousand recipients before and after
     * this one that were sent at the same time or later. If so, receipts work, and a missing receipt is meaningful.
     */
    readonly isHeardOf: (recipient: Recipient) => Effect.Effect<boolean, StoreError>
    /** Recipients with this phone number, ordered by campaign and number. */
    readonly ofPerson: (
      environment: string,
      phone: string,
      page: { readonly after: CampaignStore.RecipientKey | null; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<Recipient>, StoreError>
    /** Campaigns that finished before an instant and whose `counts` are not final yet, in any order. */
    readonly uncounted: (before: Instant, limit: number) => Effect.Effect<ReadonlyArray<Campaign>, StoreError>
    /**
     * Deletes recipients whose campaign has final `counts`, and recipients without a campaign whose campaign id is
     * older than `before`. Returns how many. Safe to run concurrently.
     */
    readonly forget: (before: Instant, limit: number) => Effect.Effect<number, StoreError>
    /** Maps provider message ids to the ids of their campaigns. */
    readonly campaignsOf: (
      environment: string,
      providerIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyMap<string, string>, StoreError>
  }
>()("@countersign/core/campaign/CampaignStore") {
  /** Builds a change from its non-empty parts. */
  static readonly change = (parts: Partial<CampaignStore.Change>): CampaignStore.Change => ({
    ...noRecords,
    campaign: null,
    recipients: [],
    ...parts
  })
}

export declare namespace CampaignStore {
  /**
   * The next states of the campaign and the recipients that one decision changes, each with the version it was read at.
   */
  export interface Parts {
    readonly campaign: Campaign | null
    readonly recipients: ReadonlyArray<Recipient>
  }

  export type Change = Outgoing & Parts

  /** A page cursor among the recipients with one phone number. */
  export type RecipientKey = Pick<Recipient, "campaignId" | "number">
}
