import { Clock, Context, Effect, Layer, type Result } from "effect"
import * as RequestKey from "../../foundation/outbox/RequestKey.ts"
import { AuditStore } from "../../account/audit/AuditStore.ts"
import { doneBefore } from "../../account/audit/doneBefore.ts"
import { priceOf } from "../../account/billing/charge.ts"
import { Currency } from "../../account/billing/Currency.ts"
import { PaymentRequired } from "../../account/billing/PaymentRequired.ts"
import { isBilled } from "../../account/billing/Budget.ts"
import { carries } from "../../foundation/delivery/carries.ts"
import { Channels } from "../../foundation/delivery/Channels.ts"
import type { DeliveryStatus } from "../../foundation/delivery/Delivery.ts"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import type { InvalidField } from "../../foundation/identity/InvalidField.ts"
import type { Caller } from "../../account/merchant/Caller.ts"
import { OptOuts } from "../optOut/OptOuts.ts"
import { auditEntry } from "../../foundation/outbox/AuditEntry.ts"
import { Outbox } from "../../foundation/outbox/Outbox.ts"
import { Contended } from "../../foundation/storage/Contended.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { untilCommitted } from "../../foundation/storage/untilCommitted.ts"
import { catalogueOf, problemOf } from "../../message/template/choose.ts"
import { SenderIdStore } from "../../message/template/SenderIdStore.ts"
import { TemplateStates } from "../../message/template/TemplateStates.ts"
import { TemplateStore } from "../../message/template/TemplateStore.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import { InvalidChannel, TemplateUnusable } from "../../auth/verification/VerificationError.ts"
import { type Campaign, noProgress, type Progress } from "./Campaign.ts"
import { type CampaignOver, type CsvTooLarge, InvalidCsv, UnknownCampaign } from "./CampaignError.ts"
import { CampaignStore } from "./CampaignStore.ts"
import { columnsFor, placesOf, valuesFor, wordsWith } from "./campaignText.ts"
import { type CampaignStep, cancelled, created, paused, recipientOf, resumed } from "./changeCampaign.ts"
import { checkRoom } from "./checkRoom.ts"
import { type CampaignRequest, checkCampaign, type CheckedCampaign, templateOf } from "./checkCampaign.ts"
import { type ListedRecipient, listRefusal, readRecipients, type RecipientList, sayProblem } from "./readRecipients.ts"
import type { Recipient } from "./Recipient.ts"
import { seenRecipient } from "./seenRecipient.ts"

/** Why a campaign was not created. */
export type CampaignRefused =
  | InvalidField
  | InvalidChannel
  | TemplateUnusable
  | CsvTooLarge
  | PaymentRequired
  | Contended
  | StoreError

const rowsAtOnce = 2_000
const phonesAtOnce = 500
const countedAtOnce = 4

const pagesOf = <A>(all: ReadonlyArray<A>, size: number): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, page) => all.slice(page * size, (page + 1) * size))

/** Scopes an idempotency key to the person, so that two people's keys never collide. */
const idempotencyKeyOf = ({ person }: Caller, key: string | null): string | null =>
  key === null || person === null ? key : `${person.agentId}.${key}`

/** The checked request, its template and its parsed list. */
interface Prepared {
  readonly checked: CheckedCampaign
  readonly text: Campaign["text"]
  readonly places: ReadonlyArray<string>
  readonly list: RecipientList
}

/**
 * Sends one text to many people, once to each. Creating a campaign is all or nothing: every error is reported before
 * the first message is sent.
 *
 * @example
 * ```ts
 * import { type Caller, Campaigns } from "@countersign/core"
 * import { Effect } from "effect"
 *
 * const start = Effect.fn(function* (caller: Caller) {
 *   const campaigns = yield* Campaigns
 *   const csv = "phone,first_name\n+919876543210,Asha\n"
 *   const { campaign } = yield* campaigns.create(caller, { name: "Diwali", channel: "WHATSAPP", template: "diwali", csv }, null)
 *   return yield* campaigns.get(caller, campaign.id)
 * })
 * ```
 */
export class Campaigns extends Context.Service<
  Campaigns,
  {
    /**
     * Creates a campaign. `key` is the request's idempotency key or null: repeating a request with the same key returns
     * the same campaign.
     */
    readonly create: (
      caller: Caller,
      request: CampaignRequest,
      key: string | null
    ) => Effect.Effect<Campaigns.View, CampaignRefused | InvalidCsv>
    /**
     * Returns the recipient count and the cost of a campaign without creating it. Errors in the list are part of the
     * result, not a failure: the first hundred, or the first `problems`.
     */
    readonly dryRun: (
      caller: Caller,
      request: CampaignRequest,
      options?: { readonly problems?: number | undefined }
    ) => Effect.Effect<Campaigns.DryRun, CampaignRefused>
    /** Newest first, one page at a time. */
    readonly list: (
      caller: Caller,
      page: { readonly before: string | null; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<Campaigns.View>, StoreError>
    readonly get: (caller: Caller, id: string) => Effect.Effect<Campaigns.View, UnknownCampaign | StoreError>
    /** In list order, masked as the caller's role requires. */
    readonly recipients: (
      caller: Caller,
      id: string,
      page: { readonly status: DeliveryStatus | null; readonly after: number; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<Recipient>, UnknownCampaign | StoreError>
    readonly pause: (caller: Caller, id: string) => Effect.Effect<Campaigns.View, ChangeRefused>
    readonly resume: (caller: Caller, id: string) => Effect.Effect<Campaigns.View, ChangeRefused>
    readonly cancel: (caller: Caller, id: string) => Effect.Effect<Campaigns.View, ChangeRefused>
  }
>()("@countersign/core/campaign/Campaigns") {
  static readonly layerNoDeps: Layer.Layer<
    Campaigns,
    never,
    AuditStore | CampaignStore | Channels | Currency | OptOuts | Outbox | SenderIdStore | TemplateStates | TemplateStore
  > = Layer.effect(
    Campaigns,
    Effect.gen(function* () {
      const store = yield* CampaignStore
      const commit = yield* Outbox.committer(CampaignStore)
      const audit = yield* AuditStore
      const channels = yield* Channels
      const { code: currency } = yield* Currency
      const optOuts = yield* OptOuts
      const senderIds = yield* SenderIdStore
      const states = yield* TemplateStates
      const templates = yield* TemplateStore

      const checkChannel = ({ kind }: Caller, name: Campaign["channel"]) => {
        const channel = channels.find(name)
        const carried = channel !== undefined && carries(channel, "MOBILE", name === "SMS" ? "Text" : "Template")
        // The test environment offers every channel.
        return kind === "test" || carried
          ? Effect.void
          : Effect.fail(new InvalidChannel({ problem: `${name} is not enabled on this server for campaigns` }))
      }

      /**
       * Returns the template with its text if it can be sent now. Asks the provider for its state, at most once a
       * minute.
       */
      const findTemplate = Effect.fnUntraced(function* (
        { environment, kind, settings }: Caller,
        checked: CheckedCampaign
      ) {
        const { channel } = checked
        const heads = yield* templates.heads(environment)
        const headers = yield* senderIds.list(environment)
        const catalogue = catalogueOf(
          heads,
          headers.map(({ header }) => header),
          channel !== "WHATSAPP" || (yield* states.ownsOwn(environment))
        )
        const head = yield* Effect.flatMap(
          Effect.fromResult(templateOf(checked, catalogue, settings)),
          states.refreshed
        )
        const problem = problemOf(head, catalogue, settings)
        if (problem !== null) return yield* new TemplateUnusable({ channel, ...problem })
        if (
          kind === "live" &&
          channel === "WHATSAPP" &&
          (yield* states.accountOf(environment, head.numberId)) === undefined
        ) {
          const problem = "template: its WhatsApp number is no longer connected; connect it again"
          return yield* new TemplateUnusable({ channel, fault: "INVALID", problem })
        }
        const { id, version } = head
        const content = yield* templates.content(environment, id, version)
        if (content === null) {
          const problem = "template: it was removed in the meantime"
          return yield* new TemplateUnusable({ channel, fault: "NOT_FOUND", problem })
        }
        return { text: { id, version }, body: content.body }
      })

      const prepare = Effect.fnUntraced(function* (
        caller: Caller,
        request: CampaignRequest,
        now: Instant,
        problems?: number
      ): Effect.fn.Return<Prepared, CampaignRefused> {
        const checked = yield* checkCampaign(request, now)
        const { channel, csv } = checked
        yield* checkChannel(caller, channel)
        const { body, text } = yield* findTemplate(caller, checked)
        const places = placesOf(channel, body)
        const list = yield* readRecipients(csv, {
          channel,
          places: columnsFor(places),
          body: body === null ? null : wordsWith(body, caller.settings),
          defaultCountry: caller.settings.defaultCountry,
          problems
        })
        return { checked, text, places, list }
      })

      /**
       * Rejects a channel without a price, because such a campaign could never start. The balance is checked while the
       * campaign runs.
       */
      const checkPrice = (caller: Caller, channel: Campaign["channel"]) =>
        isBilled(caller) && priceOf(caller.settings.prices, channel, "") === null
          ? Effect.fail(new PaymentRequired({ channel, why: "NO_PRICE", amounts: null, requestId: null }))
          : Effect.void

      const viewOf = (campaign: Campaign): Effect.Effect<Campaigns.View, StoreError> =>
        campaign.counts === null
          ? Effect.map(store.progress(campaign.environment, campaign.id), (progress) => ({ campaign, progress }))
          : Effect.succeed({ campaign, progress: campaign.counts })

      const find = Effect.fnUntraced(function* ({ environment }: Caller, id: string) {
        const campaign = Identifier.is("cmp", id) ? yield* store.get(environment, id) : null
        return campaign ?? (yield* new UnknownCampaign())
      })

      const write = Effect.fnUntraced(function* (caller: Caller, { campaign, deed, jobs }: CampaignStep, now: Instant) {
        const audited = yield* RequestKey.marked([auditEntry(caller, deed, now)])
        const stored = yield* commit(CampaignStore.change({ campaign, jobs, audited }))
        return stored.campaign ?? campaign
      })

      const make = Effect.fnUntraced(function* (
        caller: Caller,
        { checked, list, places, text }: Prepared,
        idempotencyKey: string | null,
        now: Instant
      ) {
        const { environment, settings } = caller
        const { recipients } = list
        const id = Identifier.make("cmp", now)
        const rowOf = ({ line, phone, values }: ListedRecipient) =>
          recipientOf({ environment, id }, { line, phone, values: valuesFor(places, values, settings) })
        // These recipients are invisible until the commit below, and are deleted if it never happens.
        for (const page of pagesOf(recipients, rowsAtOnce)) {
          yield* store.addRecipients(page.map(rowOf))
          yield* Effect.yieldNow
        }
        const total = recipients.length
        const skipped = list.invalidLines === 0 ? {} : { skippedLines: list.invalidLines }
        const campaign = yield* write(
          caller,
          created(checked, { environment, id, command: idempotencyKey, text, total, ...skipped }, now),
          now
        )
        return { campaign, progress: { ...noProgress, PENDING: total } }
      })

      const create = Effect.fnUntraced(function* (
        caller: Caller,
        request: CampaignRequest,
        key: string | null
      ): Effect.fn.Return<Campaigns.View, CampaignRefused | InvalidCsv> {
        const idempotencyKey = idempotencyKeyOf(caller, key)
        const madeBefore = Effect.suspend(() =>
          idempotencyKey === null ? Effect.succeed(null) : store.made(caller.environment, idempotencyKey)
        )
        const existing = yield* madeBefore
        if (existing !== null) return yield* viewOf(existing)
        const now = yield* Clock.currentTimeMillis
        const prepared = yield* prepare(caller, request, now)
        const first = listRefusal(prepared.list, prepared.checked.skipInvalid)
        if (first !== null) {
          return yield* new InvalidCsv({ problem: sayProblem(first), more: prepared.list.invalidTotal - 1 })
        }
        yield* checkPrice(caller, prepared.checked.channel)
        const full = checkRoom(yield* store.room(caller.environment), prepared.list.recipients.length)
        if (full !== null) return yield* full
        return yield* make(caller, prepared, idempotencyKey, now).pipe(
          // A concurrent request with the same key created the campaign first: return that one.
          Effect.catchTag("Conflict", () =>
            Effect.flatMap(
              madeBefore,
              (made): Effect.Effect<Campaigns.View, Contended | StoreError> =>
                made === null ? Effect.fail(new Contended()) : viewOf(made)
            )
          )
        )
      })

      const dryRun = Effect.fnUntraced(function* (
        caller: Caller,
        request: CampaignRequest,
        { problems }: { readonly problems?: number | undefined } = {}
      ) {
        const { environment, settings } = caller
        const { checked, list } = yield* prepare(caller, request, yield* Clock.currentTimeMillis, problems)
        const { recipients, ...rest } = list
        if (list.invalidTotal === 0) yield* checkPrice(caller, checked.channel)
        let optedOut = 0
        let cost: number | null = 0
        for (const page of pagesOf(recipients, phonesAtOnce)) {
          const unwilling = yield* optOuts.among(
            environment,
            page.map(({ phone }) => phone)
          )
          optedOut += unwilling.size
          for (const { phone } of page) {
            const price = unwilling.has(phone) ? 0 : priceOf(settings.prices, checked.channel, phone)
            cost = price === null || cost === null ? null : cost + price
          }
          yield* Effect.yieldNow
        }
        return { ...rest, total: recipients.length, optedOut, cost, currency }
      })

      const change = (
        caller: Caller,
        id: string,
        step: (campaign: Campaign, now: Instant) => Result.Result<CampaignStep | null, CampaignOver>
      ) =>
        Effect.gen(function* () {
          const campaign = yield* find(caller, id)
          const now = yield* Clock.currentTimeMillis
          const change = Effect.gen(function* () {
            const next = yield* Effect.fromResult(step(campaign, now))
            return next === null ? campaign : yield* write(caller, next, now)
          })
          // An earlier try of this request may have changed the campaign after it was read above.
          const changedBefore = Effect.flatMap(doneBefore(audit, caller.merchantId), (entry) =>
            entry === null ? Effect.succeed(null) : find(caller, id)
          )
          return yield* RequestKey.once(changedBefore, change)
        }).pipe(untilCommitted, Effect.flatMap(viewOf))

      return Campaigns.of({
        create,
        dryRun,
        list: ({ environment }, page) =>
          Effect.flatMap(store.list(environment, page), (campaigns) =>
            Effect.forEach(campaigns, viewOf, { concurrency: countedAtOnce })
          ),
        get: (caller, id) => Effect.flatMap(find(caller, id), viewOf),
        recipients: Effect.fnUntraced(function* (caller, id, page) {
          yield* find(caller, id)
          const recipients = yield* store.recipients(caller.environment, id, page)
          return recipients.map((recipient) => seenRecipient(caller, recipient))
        }),
        pause: (caller, id) => change(caller, id, paused),
        resume: (caller, id) => change(caller, id, resumed),
        cancel: (caller, id) => change(caller, id, cancelled)
      })
    })
  )
}

/** Why a campaign was not changed. */
export type ChangeRefused = UnknownCampaign | CampaignOver | Contended | StoreError

export declare namespace Campaigns {
  /** A campaign with its progress. */
  export interface View {
    readonly campaign: Campaign
    readonly progress: Progress
  }

  /** The result of a dry run, which writes nothing. */
  export interface DryRun extends Omit<RecipientList, "recipients"> {
    /** The number of recipients, without duplicates and faulty lines. */
    readonly total: number
    /** How many recipients have opted out and would be skipped. */
    readonly optedOut: number
    /** The cost of all messages to the other recipients; null when the channel has no price. */
    readonly cost: number | null
    readonly currency: string
  }
}
