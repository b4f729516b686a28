import { Effect } from "effect"
import { type Campaign, noProgress, type Progress } from "../engagement/campaign/Campaign.ts"
import type { CampaignStore } from "../engagement/campaign/CampaignStore.ts"
import type { Recipient } from "../engagement/campaign/Recipient.ts"
import * as Identifier from "../foundation/identity/Identifier.ts"
import { Conflict } from "../foundation/storage/Conflict.ts"
import { memoryKey } from "./MemoryKey.ts"
import type { MemoryOutbox } from "./MemoryOutbox.ts"
import { MemoryRows } from "./MemoryRows.ts"

const campaignKey = (environment: string, id: string) => memoryKey(environment, id)
const recipientKey = ({ campaignId, environment, number }: Pick<Recipient, "environment" | "campaignId" | "number">) =>
  memoryKey(environment, campaignId, String(number))

const byPlace = (a: CampaignStore.RecipientKey, b: CampaignStore.RecipientKey): number =>
  a.campaignId === b.campaignId ? a.number - b.number : a.campaignId < b.campaignId ? -1 : 1

/** How many sends on each side are searched for a delivered message. */
const heardAmong = 1_000

/** The campaigns of one memory storage, with their recipients. */
export const makeCampaignStore = (outbox: MemoryOutbox): CampaignStore["Service"] => {
  const campaigns = new MemoryRows<Campaign>(
    ({ environment, id }) => campaignKey(environment, id),
    ({ command, environment }) => (command === null ? [] : [memoryKey("command", environment, command)])
  )
  const recipients = new MemoryRows<Recipient>(recipientKey, () => [])

  const copies = <A>(read: () => A): Effect.Effect<A> => Effect.sync(() => structuredClone(read()))
  const of = (environment: string, campaignId: string, holds: (recipient: Recipient) => boolean = () => true) =>
    recipients
      .where((row) => row.environment === environment && row.campaignId === campaignId && holds(row))
      .sort(byPlace)

  const conflict = ({ campaign, recipients: rows }: CampaignStore.Change): string | undefined =>
    campaigns.conflict(campaign === null ? [] : [campaign]) ?? recipients.conflict(rows)

  const save = (change: CampaignStore.Change): CampaignStore.Parts => {
    const [campaign = null] = campaigns.save(change.campaign === null ? [] : [change.campaign])
    return { campaign, recipients: recipients.save(change.recipients) }
  }

  const isForgotten = ({ campaignId, environment }: Recipient, before: number): boolean => {
    const campaign = campaigns.find(campaignKey(environment, campaignId))
    return campaign === undefined ? campaignId < Identifier.first("cmp", before) : campaign.counts !== null
  }

  return {
    addRecipients: (rows) =>
      Effect.sync(() => {
        recipients.save(rows.filter((row) => recipients.find(recipientKey(row)) === undefined))
      }),
    commit: (change) =>
      Effect.suspend(() => {
        const key = conflict(change)
        return key === undefined ? outbox.write(change, () => save(change)) : Effect.fail(new Conflict({ key }))
      }),
    get: (environment, id) => copies(() => campaigns.find(campaignKey(environment, id)) ?? null),
    made: (environment, command) => copies(() => campaigns.findBy(memoryKey("command", environment, command)) ?? null),
    list: (environment, { before, limit }) =>
      copies(() =>
        campaigns
          .where((row) => row.environment === environment && (before === null || row.id < before))
          .sort((a, b) => (a.id < b.id ? 1 : -1))
          .slice(0, limit)
      ),
    recipient: (environment, campaignId, number) =>
      copies(() => recipients.find(recipientKey({ environment, campaignId, number })) ?? null),
    recipients: (environment, campaignId, { after, limit, status }) =>
      copies(() =>
        of(environment, campaignId, (row) => row.number > after && (status === null || row.status === status)).slice(
          0,
          limit
        )
      ),
    open: (environment, campaignId, { after, handed, limit }) =>
      copies(() =>
        of(
          environment,
          campaignId,
          (row) => row.number > after && row.status === "PENDING" && (row.handedAt !== null) === handed
        ).slice(0, limit)
      ),
    room: (environment) =>
      Effect.sync(() => {
        const kept = campaigns.where((row) => row.environment === environment && row.counts === null)
        const ids = new Map(kept.map(({ finishedAt, id }) => [id, finishedAt === null]))
        const unwritten = recipients.where(
          (row) =>
            row.environment === environment &&
            (row.status === "PENDING" || row.status === "SKIPPED") &&
            ids.has(row.campaignId)
        )
        const waiting = unwritten.filter((row) => row.status === "PENDING" && ids.get(row.campaignId) === true)
        return {
          campaigns: kept.filter(({ finishedAt }) => finishedAt === null).length,
          waiting: waiting.length,
          unwritten: unwritten.length
        }
      }),
    progress: (environment, campaignId) =>
      Effect.sync(() => {
        const counts: { -readonly [S in keyof Progress]: number } = { ...noProgress }
        const ofCampaign = recipients.where((row) => row.environment === environment && row.campaignId === campaignId)
        for (const { status } of ofCampaign) counts[status] += 1
        return counts
      }),
    isHeardOf: ({ campaignId, environment, handedAt, number }) =>
      Effect.sync(() =>
        of(environment, campaignId, (row) => Math.abs(row.number - number) <= heardAmong).some(
          (row) =>
            (row.status === "DELIVERED" || row.status === "READ") &&
            row.handedAt !== null &&
            row.handedAt >= (handedAt ?? 0)
        )
      ),
    ofPerson: (environment, phone, { after, limit }) =>
      copies(() =>
        recipients
          .where(
            (row) =>
              row.environment === environment && row.phone === phone && (after === null || byPlace(after, row) < 0)
          )
          .sort(byPlace)
          .slice(0, limit)
      ),
    campaignsOf: (environment, providerIds) =>
      Effect.sync(() => {
        const wantedIds = new Set(providerIds)
        const matching = recipients.where(
          (row) => row.environment === environment && row.providerId !== null && wantedIds.has(row.providerId)
        )
        return new Map(matching.map(({ campaignId, providerId }) => [providerId!, campaignId]))
      }),
    uncounted: (before, limit) =>
      copies(() =>
        campaigns
          .where(({ counts, finishedAt }) => counts === null && finishedAt !== null && finishedAt < before)
          .slice(0, limit)
      ),
    forget: (before, limit) =>
      Effect.sync(() => {
        const forgotten = recipients.where((row) => isForgotten(row, before)).slice(0, limit)
        for (const row of forgotten) recipients.remove(recipientKey(row))
        return forgotten.length
      })
  }
}
