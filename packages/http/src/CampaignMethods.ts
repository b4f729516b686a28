import { type Effect, Schema } from "effect"
import {
  type CampaignAnswer,
  type DryRunAnswer,
  NewCampaignPayload,
  type RecipientAnswer,
  RecipientsQuery
} from "./campaigns/contract.ts"
import * as campaignHandlers from "./campaigns/handlers.ts"
import type { CallHandler } from "./InboxMethods.ts"

interface Items<Answer> {
  readonly items: ReadonlyArray<Answer>
  readonly nextCursor: string | null
}

type Campaign = typeof CampaignAnswer.Type

const page = Schema.Struct({ cursor: Schema.optionalKey(Schema.String), limit: Schema.optionalKey(Schema.Int) })
const named = Schema.Struct({ id: Schema.String })
const recipientsOf = Schema.toType(Schema.Struct({ ...named.fields, ...RecipientsQuery }))

type RecipientsPage = Omit<typeof recipientsOf.Type, "id" | "cursor"> & { readonly cursor?: string }

/** One text to many people: `/v1/dashboard/campaigns`. */
export interface CampaignMethods {
  /** Starts one. All of it is checked before anybody is written to. */
  readonly create: (
    request: typeof NewCampaignPayload.Type,
    options?: { readonly idempotencyKey?: string }
  ) => Promise<Campaign>
  /** What one would come to. Nothing is made. */
  readonly dryRun: (request: typeof NewCampaignPayload.Type) => Promise<typeof DryRunAnswer.Type>
  /** The newest first, a page at a time. */
  readonly list: (query?: typeof page.Type) => Promise<Items<Campaign>>
  readonly get: (id: string) => Promise<Campaign>
  /** In the order of its list, all or those in one state. */
  readonly recipients: (id: string, query?: RecipientsPage) => Promise<Items<typeof RecipientAnswer.Type>>
  readonly pause: (id: string) => Promise<Campaign>
  readonly resume: (id: string) => Promise<Campaign>
  /** For good. */
  readonly cancel: (id: string) => Promise<Campaign>
}

const rest = { payload: undefined, query: undefined, params: undefined, idempotencyKey: null, clientAddress: null }

/** What each method runs. */
export const handlers = campaignHandlers.make

/** Campaigns as methods that answer promises. */
export const makeCampaignMethods = (
  { create, ...handlers }: Effect.Success<typeof campaignHandlers.make>,
  call: CallHandler
): CampaignMethods => ({
  create: (request, { idempotencyKey = null }: { readonly idempotencyKey?: string | null } = {}) =>
    call(NewCampaignPayload, request, (payload, caller) =>
      create({ ...rest, caller, payload, query: {}, idempotencyKey })
    ) as Promise<Campaign>,
  dryRun: (request) =>
    call(NewCampaignPayload, request, (payload, caller) =>
      create({ ...rest, caller, payload, query: { dryRun: true } })
    ) as Promise<typeof DryRunAnswer.Type>,
  list: (query = {}) => call(page, query, (query, caller) => handlers.list({ ...rest, caller, query })),
  get: (id) => call(named, { id }, (params, caller) => handlers.get({ ...rest, caller, params })),
  recipients: (id, { cursor, ...query } = {}) =>
    call(
      recipientsOf,
      { ...query, id, ...(cursor === undefined ? {} : { cursor: Number(cursor) }) },
      ({ id, ...query }, caller) => handlers.recipients({ ...rest, caller, params: { id }, query })
    ),
  pause: (id) => call(named, { id }, (params, caller) => handlers.pause({ ...rest, caller, params })),
  resume: (id) => call(named, { id }, (params, caller) => handlers.resume({ ...rest, caller, params })),
  cancel: (id) => call(named, { id }, (params, caller) => handlers.cancel({ ...rest, caller, params }))
})
