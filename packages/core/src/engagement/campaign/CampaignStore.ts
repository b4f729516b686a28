import { Context, type Effect } from "effect"
import type { DeliveryStatus } from "../../foundation/delivery/Delivery.ts"
import { leavesNothing, type Outgoing } from "../../foundation/outbox/Change.ts"
import type { Conflict } from "../../foundation/storage/Conflict.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { Campaign, Progress } from "./Campaign.ts"
import type { Room } from "./checkRoom.ts"
import type { Recipient } from "./Recipient.ts"

/** Campaigns and their recipients. It loads and commits; it never decides. */
export class CampaignStore extends Context.Service<
  CampaignStore,
  {
    /**
     * Writes recipients of a campaign that is not there yet, some thousand at a time; those that are there already stay.
     * The campaign is made by the commit that follows, and whoever belongs to none an hour later is forgotten.
     */
    readonly addRecipients: (recipients: ReadonlyArray<Recipient>) => Effect.Effect<void, StoreError>
    /**
     * All of it or nothing; `Conflict` when one of the states is not at the version that the change carries, or when another
     * campaign of the environment has the `command`: of two requests with one idempotency key one makes a campaign.
     */
    readonly commit: (change: CampaignStore.Change) => Effect.Effect<CampaignStore.Parts, Conflict | StoreError>
    readonly get: (environment: string, id: string) => Effect.Effect<Campaign | null, StoreError>
    /** The one that a request made, by its idempotency key. */
    readonly made: (environment: string, command: string) => Effect.Effect<Campaign | null, StoreError>
    /** The newest first, before an id where one is given. */
    readonly list: (
      environment: string,
      page: { readonly before: string | null; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<Campaign>, StoreError>
    readonly recipient: (
      environment: string,
      campaignId: string,
      number: number
    ) => Effect.Effect<Recipient | null, StoreError>
    /** Those in one of these states, or in any, by their number. */
    readonly recipients: (
      environment: string,
      campaignId: string,
      page: { readonly status: DeliveryStatus | null; readonly after: number; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<Recipient>, StoreError>
    /** Those who are `PENDING` and were never handed over, or (`handed`) were and nobody knows what became of it. */
    readonly open: (
      environment: string,
      campaignId: string,
      page: { readonly handed: boolean; readonly after: number; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<Recipient>, StoreError>
    /** What decides whether an environment may make another campaign. */
    readonly room: (environment: string) => Effect.Effect<Room, StoreError>
    readonly progress: (environment: string, campaignId: string) => Effect.Effect<Progress, StoreError>
    /**
     * Whether it is known of one of those around this one, a thousand to each side by number, who were handed over when
     * this one was or later, that the message arrived: then receipts come, and silence means something.
     */
    readonly isHeardOf: (recipient: Recipient) => Effect.Effect<boolean, StoreError>
    /** Every recipient with this number, by campaign and number. */
    readonly ofPerson: (
      environment: string,
      phone: string,
      page: { readonly after: CampaignStore.RecipientKey | null; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<Recipient>, StoreError>
    /** Campaigns that had finished before a moment and whose `counts` are not final yet, in any order. */
    readonly uncounted: (before: Instant, limit: number) => Effect.Effect<ReadonlyArray<Campaign>, StoreError>
    /**
     * Forgets recipients that belong to a campaign with `counts`, or to one that nobody made although its id is older
     * than a moment; says how many. It does no harm when several do it at once.
     */
    readonly forget: (before: Instant, limit: number) => Effect.Effect<number, StoreError>
    /** The campaigns of messages, by the provider's names of them. */
    readonly campaignsOf: (
      environment: string,
      providerIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyMap<string, string>, StoreError>
  }
>()("@countersign/core/campaign/CampaignStore") {
  /** A change, from the parts of it that are not empty. */
  static readonly change = (parts: Partial<CampaignStore.Change>): CampaignStore.Change => ({
    ...leavesNothing,
    campaign: null,
    recipients: [],
    ...parts
  })
}

export declare namespace CampaignStore {
  /** The next states of what one decision about a campaign touches, each with the version it was read at. */
  export interface Parts {
    readonly campaign: Campaign | null
    readonly recipients: ReadonlyArray<Recipient>
  }

  export type Change = Outgoing & Parts

  /** A place among the recipients of one number of a person: those after it. */
  export type RecipientKey = Pick<Recipient, "campaignId" | "number">
}
