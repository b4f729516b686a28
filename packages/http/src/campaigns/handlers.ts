import { type Caller, Campaigns, Instant } from "@countersign/core"
import type { Recipient } from "@countersign/core/storage"
import { Effect } from "effect"
import type { errors as auth } from "../auth/errors.ts"
import type { errors as billing } from "../billing/errors.ts"
import type { Handlers } from "../Handlers.ts"
import { page } from "../page.ts"
import { prefersCsv } from "../csv/csv.ts"
import { type Columns, csvFile, pagesOf } from "../csv/csvFile.ts"
import { makeExports } from "../csv/makeExports.ts"
import type { CampaignApi } from "./contract.ts"
import type { errors } from "./errors.ts"

const pageSize = 50
/** A small page, because counting the messages of a campaign takes longer the more recipients it has. */
const campaignsShown = 20

const shown = ({ campaign, progress }: Campaigns.View) => {
  const { DELIVERED, FAILED, PENDING, READ, SENT, SKIPPED } = progress
  return {
    id: campaign.id,
    name: campaign.name,
    channel: campaign.channel,
    template: campaign.text.id,
    templateVersion: campaign.text.version,
    status: campaign.status,
    pausedFor: campaign.pausedFor,
    problem: campaign.problem,
    total: campaign.total,
    skippedLines: campaign.skippedLines ?? 0,
    pending: PENDING,
    sent: SENT + DELIVERED + READ,
    delivered: DELIVERED + READ,
    read: READ,
    failed: FAILED,
    skipped: SKIPPED,
    startAt: Instant.toIso(campaign.startAt),
    createdAt: Instant.toIso(campaign.createdAt),
    finishedAt: Instant.toIsoOrNull(campaign.finishedAt)
  }
}

const shownDryRun = ({
  cost,
  currency,
  duplicates,
  invalid,
  invalidLines,
  invalidTotal,
  optedOut,
  segments,
  skippable,
  total,
  unused
}: Campaigns.DryRun) => ({
  total,
  duplicates,
  invalid,
  invalidTotal,
  invalidLines,
  skippable,
  unused,
  optedOut,
  segments,
  cost,
  currency
})

const shownRecipient = ({
  carrier,
  handedAt,
  number,
  phone,
  providerCode,
  providerId,
  status,
  values
}: Recipient.Recipient) => ({
  number,
  phone,
  values,
  status,
  problem: providerCode,
  carrier: carrier ?? null,
  providerId,
  handedAt: Instant.toIsoOrNull(handedAt)
})

const rowsAtOnce = 1_000

const columns: Columns<ReturnType<typeof shownRecipient>> = {
  number: ({ number }) => number,
  phone: ({ phone }) => phone,
  status: ({ status }) => status,
  problem: ({ problem }) => problem,
  carrier: ({ carrier }) => carrier,
  providerId: ({ providerId }) => providerId,
  handedAt: ({ handedAt }) => handedAt,
  values: ({ values }) => values.join(" | ")
}

/** Answers campaigns. */
export const make = Effect.gen(function* () {
  const campaigns = yield* Campaigns
  const exports = yield* makeExports

  const file = Effect.fnUntraced(function* (
    caller: Caller,
    id: string,
    query: { readonly status?: Recipient.Recipient["status"] }
  ) {
    const { status = null } = query
    const { campaign } = yield* campaigns.get(caller, id)
    const load = (after = 0) =>
      Effect.map(campaigns.recipients(caller, campaign.id, { status, after, limit: rowsAtOnce }), (found) => ({
        items: found.map(shownRecipient),
        nextCursor: found.length < rowsAtOnce ? null : (found.at(-1)?.number ?? null)
      }))
    yield* exports.recorded(caller, "recipients", query, { of: campaign.id })
    return csvFile(`recipients-${campaign.id}`, columns, pagesOf(load))
  })

  const handlers: Handlers<typeof CampaignApi, typeof errors | typeof auth | typeof billing> = {
    list: ({ caller, query: { cursor = null, limit = campaignsShown } }) =>
      Effect.map(campaigns.list(caller, { before: cursor, limit: limit + 1 }), (found) => page(found, limit, shown)),
    create: ({ caller, idempotencyKey, payload, query }) =>
      query.dryRun === true
        ? Effect.map(campaigns.dryRun(caller, payload, { problems: query.problems }), shownDryRun)
        : Effect.map(campaigns.create(caller, payload, idempotencyKey), shown),
    get: ({ caller, params }) => Effect.map(campaigns.get(caller, params.id), shown),
    recipients: Effect.fnUntraced(function* ({ accept = null, caller, params, query }) {
      const { cursor = 0, limit = pageSize, status = null } = query
      if (prefersCsv(accept)) return yield* file(caller, params.id, query)
      const found = yield* campaigns.recipients(caller, params.id, { status, after: cursor, limit: limit + 1 })
      const items = found.slice(0, limit).map(shownRecipient)
      return { items, nextCursor: found.length > limit ? String(items.at(-1)!.number) : null }
    }),
    pause: ({ caller, params }) => Effect.map(campaigns.pause(caller, params.id), shown),
    resume: ({ caller, params }) => Effect.map(campaigns.resume(caller, params.id), shown),
    cancel: ({ caller, params }) => Effect.map(campaigns.cancel(caller, params.id), shown)
  }
  return handlers
})
