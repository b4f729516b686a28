import { Clock, Context, Effect, Layer } from "effect"
import * as RequestKey from "../../foundation/outbox/RequestKey.ts"
import { BalanceStore } from "../../account/billing/BalanceStore.ts"
import { Currency } from "../../account/billing/Currency.ts"
import { Channels } from "../../foundation/delivery/Channels.ts"
import type { ChannelError } from "../../foundation/delivery/ChannelError.ts"
import { type InvalidField, invalidField } from "../../foundation/identity/InvalidField.ts"
import * as Problem from "../../foundation/identity/Problem.ts"
import type { Caller } from "../../account/merchant/Caller.ts"
import { Numbers } from "../../account/number/Numbers.ts"
import { OptOuts } from "../optOut/OptOuts.ts"
import { Outbox } from "../../foundation/outbox/Outbox.ts"
import { Keyring } from "../../foundation/secret/Keyring.ts"
import type { Conflict } from "../../foundation/storage/Conflict.ts"
import type { Limits } from "../../foundation/limit/Limits.ts"
import type { RateLimited } from "../../foundation/limit/RateLimited.ts"
import { makeLookUp } from "../../account/merchant/makeLookUp.ts"
import type { Contended } from "../../foundation/storage/Contended.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { untilCommitted } from "../../foundation/storage/untilCommitted.ts"
import { TemplateCatalogue } from "../../message/template/TemplateCatalogue.ts"
import type { Attachment } from "./Attachment.ts"
import { autoAssign } from "./autoAssign.ts"
import * as change from "./changeLead.ts"
import { relabel, type Relabelling } from "./changeLead.ts"
import type { ReplyRequest } from "./checkReply.ts"
import { makeConversations } from "./conversations.ts"
import { newPhone } from "../../foundation/identity/customerPhone.ts"
import { canonicalName, checkEmail, checkText, checkWord } from "./inboxFields.ts"
import { fromIso } from "../../foundation/time/Instant.ts"
import { BulkAction, type BulkResult, checkIds, inBulk, TooManyLabels } from "./inBulk.ts"
import type { Lead, LeadEntry } from "./Lead.ts"
import { UnknownAgent } from "../../auth/staff/StaffError.ts"
import { type Label, LabelStore, mostLabels, mostLabelsOfLead } from "./Label.ts"
import { UnknownLabel, type UnknownLead, type UnknownMessage, UnknownTeam } from "./LeadError.ts"
import { makeLeadLists } from "./leadLists.ts"
import type {
  Found,
  LabelRequest,
  LeadBulkRequest,
  LeadListRequest,
  LeadPageRequest,
  LeadReference,
  LeadSearchRequest,
  LeadRefused,
  ReplyRefused,
  Waiting,
  MessageMedia,
  PartRequest
} from "./LeadRequest.ts"
import { unchanged, byOf, type StepActor, withEntry, type LeadStep } from "./LeadStep.ts"
import { StaffStore } from "../../auth/staff/StaffStore.ts"
import { LeadStore } from "./LeadStore.ts"
import type { LeadRow, LeadView, MessageView, Part } from "./LeadView.ts"
import { counting, allocating } from "./Allocation.ts"
import { fetchAllocation } from "./fetchAllocation.ts"

const longestName = 256
const longestTeamName = 100

/**
 * The inbox: leads, their owners and their conversations.
 *
 * Every method acts for one `Caller`, who sees only their own environment.
 *
 * @example
 * ```ts
 * import { type Caller, Leads } from "@countersign/core"
 * import { Effect } from "effect"
 *
 * const takeOver = Effect.fn(function* (caller: Caller, agentEmail: string) {
 *   const leads = yield* Leads
 *   const [first] = yield* leads.page(caller, { unassignedOnly: true, size: 1 })
 *   return first === undefined ? null : yield* leads.assign(caller, { leadId: first.lead.id }, agentEmail)
 * })
 * ```
 */
export class Leads extends Context.Service<
  Leads,
  {
    /** A page by offset, most recently active first. A lead that becomes active in between moves to the first page. */
    readonly page: (
      caller: Caller,
      request: LeadPageRequest
    ) => Effect.Effect<ReadonlyArray<LeadView>, InvalidField | RateLimited | Contended | StoreError>
    /** Assigns a lead to an active agent, or to no agent without an address. */
    readonly assign: (
      caller: Caller,
      lead: LeadReference,
      agentEmail: string | null | undefined
    ) => Effect.Effect<LeadView, LeadRefused | UnknownAgent>
    /** Moves a lead to a team, or out of its team without a name. The owner stays. */
    readonly moveToTeam: (
      caller: Caller,
      lead: LeadReference,
      teamName: string | null | undefined
    ) => Effect.Effect<LeadView, LeadRefused | UnknownTeam>
    /**
     * A page by cursor, most recently active first. After the last lead, further pages repeat the leads that became
     * active since a minute before the first page was read. So every lead that matches throughout is listed, some
     * twice. A lead can be missed only when its message arrives more than a minute late. Waiting leads have their own
     * order: who waits longest comes first.
     */
    readonly list: (
      caller: Caller,
      request: LeadListRequest
    ) => Effect.Effect<Part<LeadRow>, InvalidField | UnknownLabel | UnknownTeam | StoreError>
    /** How many leads wait for the team, counted up to 1,000, and since when the first one waits. */
    readonly waiting: (caller: Caller) => Effect.Effect<Waiting, StoreError>
    /**
     * Searches by the start of the words in a name (two letters or more), or by the end of a number (four digits or
     * more).
     */
    readonly search: (
      caller: Caller,
      request: LeadSearchRequest
    ) => Effect.Effect<Found, InvalidField | RateLimited | Contended | StoreError>
    readonly get: (caller: Caller, leadId: number) => Effect.Effect<LeadView, UnknownLead | StoreError>
    /** Creates a lead for a customer who has not written yet. */
    readonly create: (
      caller: Caller,
      fields: { readonly phone: string; readonly name?: string | null | undefined }
    ) => Effect.Effect<LeadView, InvalidField | Contended | StoreError>
    readonly close: (caller: Caller, leadId: number) => Effect.Effect<LeadView, UnknownLead | Contended | StoreError>
    readonly reopen: (caller: Caller, leadId: number) => Effect.Effect<LeadView, UnknownLead | Contended | StoreError>
    /** Ends the wait of a lead without a message, because it needs none or was answered elsewhere. */
    readonly answered: (caller: Caller, leadId: number) => Effect.Effect<LeadView, UnknownLead | Contended | StoreError>
    /** Makes an open lead wait again, since its customer's latest message. */
    readonly unanswered: (
      caller: Caller,
      leadId: number
    ) => Effect.Effect<LeadView, UnknownLead | Contended | StoreError>
    /**
     * Snoozes an open lead until a moment within a year, in ISO 8601. It is neither listed nor counted as waiting until then, or until
     * its customer writes. At that moment it waits, even if nobody had to answer it.
     */
    readonly snooze: (caller: Caller, leadId: number, until: string) => Effect.Effect<LeadView, LeadRefused>
    /** Ends a snooze before its moment. */
    readonly unsnooze: (caller: Caller, leadId: number) => Effect.Effect<LeadView, UnknownLead | Contended | StoreError>
    /** Puts labels on a lead and takes labels off, by their ids. A repeat changes nothing. */
    readonly label: (
      caller: Caller,
      leadId: number,
      request: LabelRequest
    ) => Effect.Effect<LeadView, LeadRefused | UnknownLabel>
    /**
     * Runs one action on up to 100 leads, and returns what became of each, in the order of the ids. Each lead changes on
     * its own, as by the action on a single lead. A repeat changes nothing twice.
     */
    readonly bulk: (
      caller: Caller,
      request: LeadBulkRequest
    ) => Effect.Effect<ReadonlyArray<BulkResult>, InvalidField | UnknownAgent | UnknownLabel | StoreError>
    /** Marks the lead as read: for the agent alone, or by a key for the team. */
    readonly read: (caller: Caller, leadId: number) => Effect.Effect<LeadView, UnknownLead | Contended | StoreError>
    /** Marks the lead as unread: for the agent alone, or by a key for the team. */
    readonly unread: (caller: Caller, leadId: number) => Effect.Effect<LeadView, UnknownLead | Contended | StoreError>
    /** A lead's history, newest first. */
    readonly history: (
      caller: Caller,
      leadId: number,
      request: PartRequest
    ) => Effect.Effect<Part<LeadEntry>, InvalidField | UnknownLead | StoreError>
    /** The conversation, newest first. */
    readonly messages: (
      caller: Caller,
      leadId: number,
      request: PartRequest
    ) => Effect.Effect<Part<MessageView>, InvalidField | UnknownLead | StoreError>
    /** Streams a message's file from the provider. */
    readonly media: (
      caller: Caller,
      leadId: number,
      messageId: string
    ) => Effect.Effect<MessageMedia, UnknownLead | UnknownMessage | ChannelError | StoreError>
    /** Whether the channel can send files. */
    readonly sendsFiles: boolean
    /**
     * Uploads a file to the provider for a reply to this lead. Returns a reference for the reply; the file itself is not
     * stored.
     */
    readonly attach: (
      caller: Caller,
      leadId: number,
      bytes: Uint8Array
    ) => Effect.Effect<Attachment, InvalidField | UnknownLead | ChannelError | StoreError>
    /** Adds an internal note. */
    readonly note: (caller: Caller, leadId: number, text: string) => Effect.Effect<MessageView, LeadRefused>
    /**
     * Sends a reply to the customer. Returns once the send is committed; the message's status then shows the progress.
     */
    readonly reply: (caller: Caller, leadId: number, request: ReplyRequest) => Effect.Effect<MessageView, ReplyRefused>
  }
>()("@countersign/core/lead/Leads") {
  static readonly layerNoDeps: Layer.Layer<
    Leads,
    never,
    | BalanceStore
    | Channels
    | Currency
    | Keyring
    | LabelStore
    | LeadStore
    | Limits
    | Numbers
    | OptOuts
    | Outbox
    | StaffStore
    | TemplateCatalogue
  > = Layer.effect(
    Leads,
    Effect.gen(function* () {
      const channels = yield* Channels
      const keyring = yield* Keyring
      const numbers = yield* Numbers
      const store = yield* LeadStore
      const labelStore = yield* LabelStore
      const staffStore = yield* StaffStore
      const commit = yield* Outbox.committer(LeadStore)
      const lists = makeLeadLists(store, staffStore, labelStore, keyring, yield* makeLookUp)
      const conversations = makeConversations({
        store,
        staffStore,
        balances: yield* BalanceStore,
        currency: (yield* Currency).code,
        outbox: yield* Outbox,
        keyring,
        numbers,
        commit,
        lists,
        channel: channels.find("WHATSAPP"),
        optOuts: yield* OptOuts,
        templates: yield* TemplateCatalogue
      })

      const actor = (caller: Caller): Effect.Effect<StepActor> =>
        Effect.map(Clock.currentTimeMillis, (now) => ({ by: byOf(caller), now }))

      /** Commits a step. Without a step the lead stays unchanged. */
      const save = Effect.fnUntraced(function* (
        caller: Caller,
        lead: Lead,
        step: LeadStep | null,
        staff: StaffStore.Staff
      ): Effect.fn.Return<LeadView, Conflict | StoreError> {
        if (step === null) return yield* lists.view(caller, lead, staff)
        const isNewlyAssigned = step.lead.assignedTo !== lead.assignedTo && step.lead.assignedTo !== null
        const active = isNewlyAssigned ? [{ id: step.lead.assignedTo!, merchantId: caller.merchantId }] : []
        const stored = yield* commit(LeadStore.change({ leads: [step.lead], entries: step.entries, active }))
        return yield* lists.view(caller, stored.leads[0] ?? step.lead, staff)
      })

      const assign = Effect.fnUntraced(function* (caller: Caller, reference: LeadReference, agentEmail: string) {
        const canonical = agentEmail === "" ? null : yield* checkEmail("agentEmail", agentEmail)
        return yield* untilCommitted(
          Effect.gen(function* () {
            const lead = yield* lists.find(caller, reference)
            const staff = yield* staffStore.staff(caller.merchantId)
            const agent = canonical === null ? null : (staff.agents.find((one) => one.canonical === canonical) ?? null)
            if (canonical !== null && agent?.status !== "ACTIVE") return yield* new UnknownAgent()
            return yield* save(caller, lead, change.assign(unchanged(lead), agent, staff, yield* actor(caller)), staff)
          })
        )
      })

      const moveToTeam = Effect.fnUntraced(function* (caller: Caller, reference: LeadReference, teamName: string) {
        if (teamName.length > longestTeamName) {
          return yield* invalidField("teamName", Problem.of("TOO_LONG", { max: longestTeamName }))
        }
        const canonical = canonicalName(teamName.trim())
        return yield* untilCommitted(
          Effect.gen(function* () {
            const lead = yield* lists.find(caller, reference)
            const staff = yield* staffStore.staff(caller.merchantId)
            const team = staff.teams.find((one) => one.canonical === canonical) ?? null
            if (canonical !== "" && team === null) return yield* new UnknownTeam()
            return yield* save(
              caller,
              lead,
              change.moveToTeam(unchanged(lead), team, staff, yield* actor(caller)),
              staff
            )
          })
        )
      })

      /** Loads, decides and commits one lead's change. */
      const changed = (
        caller: Caller,
        leadId: number,
        decide: (lead: Lead, staff: StaffStore.Staff, actor: StepActor) => Effect.Effect<LeadStep | null, StoreError>
      ) =>
        untilCommitted(
          Effect.gen(function* () {
            const lead = yield* lists.byId(caller, leadId)
            const staff = yield* staffStore.staff(caller.merchantId)
            return yield* save(caller, lead, yield* decide(lead, staff, yield* actor(caller)), staff)
          })
        )

      const snooze = Effect.fnUntraced(function* (caller: Caller, leadId: number, text: string) {
        const until = fromIso(text)
        if (until === null || !change.canSnoozeUntil(until, yield* Clock.currentTimeMillis))
          return yield* invalidField("until", Problem.of("SNOOZE_TIME"))
        return yield* changed(caller, leadId, (lead, _, actor) => Effect.succeed(change.snooze(lead, until, actor)))
      })

      /** Records how far an agent has read a lead, for themselves only. */
      const saveRead = Effect.fnUntraced(function* (
        caller: Caller,
        agentId: number,
        leadId: number,
        isUnread: boolean
      ) {
        const lead = yield* lists.byId(caller, leadId)
        const { environment } = caller
        yield* store.saveRead({ environment, leadId, agentId, seen: lead.received, isUnread })
        return yield* lists.view(caller, lead)
      })

      /** A lead that an agent reopens is assigned as if the customer had written. */
      const reopened = Effect.fnUntraced(function* (lead: Lead, staff: StaffStore.Staff, actor: StepActor) {
        const step = change.reopen(lead, actor)
        if (step === null) return null
        const systemActor: StepActor = { ...actor, by: null }
        const { needs, allocation } = counting()
        autoAssign(step, staff, allocation, systemActor)
        const fetched = yield* fetchAllocation(store, lead.environment, needs)
        return autoAssign(step, staff, allocating({ ...fetched, eventId: () => "" }), systemActor)
      })

      const close = (caller: Caller, leadId: number) =>
        changed(caller, leadId, (lead, _, actor) => Effect.succeed(change.close(lead, actor)))
      const reopen = (caller: Caller, leadId: number) => changed(caller, leadId, reopened)
      const unsnooze = (caller: Caller, leadId: number) =>
        changed(caller, leadId, (lead, _, actor) => Effect.succeed(change.unsnooze(lead, actor)))

      const relabelled = (caller: Caller, leadId: number, change: Relabelling, all: ReadonlyArray<Label>) =>
        untilCommitted(
          Effect.gen(function* () {
            const { merchantId } = caller
            const lead = yield* lists.byId(caller, leadId)
            // A label that is not in `all` was removed, or created after `all` was read: then it must stay.
            const isAll = lead.labels.every((id) => all.some((one) => one.id === id))
            const known = isAll ? all : yield* labelStore.list(merchantId)
            const staff = yield* staffStore.staff(merchantId)
            const step = relabel(lead, change, known, yield* actor(caller))
            if (step === "Full") return yield* new TooManyLabels()
            return yield* save(caller, lead, step, staff)
          })
        )

      const label = Effect.fnUntraced(function* (caller: Caller, leadId: number, request: LabelRequest) {
        const { add, remove } = { add: request.add ?? [], remove: request.remove ?? [] }
        if (add.length > mostLabelsOfLead)
          return yield* invalidField("add", Problem.of("TOO_MANY", { max: mostLabelsOfLead }))
        if (remove.length > mostLabels)
          return yield* invalidField("remove", Problem.of("TOO_MANY", { max: mostLabels }))
        const all = yield* labelStore.list(caller.merchantId)
        const known = add.flatMap((id) => all.find((one) => one.id === id) ?? [])
        if (known.length < add.length) return yield* new UnknownLabel()
        return yield* Effect.catchTag(relabelled(caller, leadId, { add: known, remove }, all), "TooManyLabels", () =>
          Effect.fail(invalidField("add", Problem.of("LABELS_FULL", { max: mostLabelsOfLead })))
        )
      })

      /** The only fields of a bulk request that belong to one action. */
      const actionOfField = { agentEmail: ["ASSIGN"], until: ["SNOOZE"], label: ["LABEL", "UNLABEL"] } as const

      const bulk = Effect.fnUntraced(function* (caller: Caller, request: LeadBulkRequest) {
        const ids = yield* checkIds(request.ids)
        const action = yield* checkWord("action", BulkAction, request.action, "CLOSE")
        for (const field of ["agentEmail", "until", "label"] as const) {
          const actions: ReadonlyArray<BulkAction> = actionOfField[field]
          if (request[field] != null && !actions.includes(action))
            return yield* invalidField(field, Problem.of("ACTION_ONLY", { action: actions.join(", ") }))
        }
        const { agentEmail, until } = request
        const all = action === "LABEL" || action === "UNLABEL" ? yield* labelStore.list(caller.merchantId) : []
        const chosen = all.filter(({ id }) => id === request.label)
        if (chosen.length === 0 && (action === "LABEL" || action === "UNLABEL")) return yield* new UnknownLabel()
        const run = (
          leadId: number
        ): Effect.Effect<
          LeadView,
          InvalidField | TooManyLabels | UnknownAgent | UnknownLead | Contended | StoreError
        > => {
          switch (action) {
            case "ASSIGN":
              return assign(caller, { leadId }, agentEmail ?? "")
            case "CLOSE":
              return close(caller, leadId)
            case "REOPEN":
              return reopen(caller, leadId)
            case "SNOOZE":
              return snooze(caller, leadId, until ?? "")
            case "UNSNOOZE":
              return unsnooze(caller, leadId)
            case "LABEL":
              return relabelled(caller, leadId, { add: chosen, remove: [] }, all)
            case "UNLABEL":
              return relabelled(caller, leadId, { add: [], remove: chosen.map(({ id }) => id) }, all)
          }
        }
        return yield* inBulk(ids, action, run)
      })

      const create = Effect.fnUntraced(function* (
        caller: Caller,
        fields: { readonly phone: string; readonly name?: string | null | undefined }
      ) {
        const phone = yield* Effect.fromResult(newPhone(fields.phone, caller.settings.defaultCountry))
        const name = fields.name == null ? null : yield* checkText("name", fields.name.trim(), longestName)
        const { environment } = caller
        return yield* untilCommitted(
          Effect.gen(function* () {
            const { lead: existing } = yield* store.known(environment, { phone, userId: null }, [])
            if (existing !== null && (yield* RequestKey.isRepeatOf(existing.createdAt))) {
              return yield* lists.view(caller, existing)
            }
            if (existing !== null) return yield* invalidField("phone", Problem.of("LEAD_KNOWN", { id: existing.id }))
            const id = yield* store.next(environment, "lead")
            const stepActor = yield* actor(caller)
            const step = withEntry(unchanged(entry(environment, id, phone, name, stepActor)), {}, stepActor, "CREATED")
            return yield* save(caller, step.lead, step, { agents: [], teams: [] })
          })
        )
      })

      return Leads.of({
        ...lists.calls,
        ...conversations,
        assign: (caller, lead, agentEmail) => assign(caller, lead, agentEmail ?? ""),
        moveToTeam: (caller, lead, teamName) => moveToTeam(caller, lead, teamName ?? ""),
        create,
        bulk,
        label,
        close,
        reopen,
        answered: (caller, id) => changed(caller, id, (lead, _, actor) => Effect.succeed(change.settle(lead, actor))),
        unanswered: (caller, id) =>
          changed(caller, id, (lead, _, actor) => Effect.succeed(change.unsettle(lead, actor))),
        snooze,
        unsnooze,
        read: (caller, id) =>
          caller.person === null
            ? changed(caller, id, (lead) => Effect.succeed(change.read(lead)))
            : saveRead(caller, caller.person.agentId, id, false),
        unread: (caller, id) =>
          caller.person === null
            ? changed(caller, id, (lead) => Effect.succeed(change.unread(lead)))
            : saveRead(caller, caller.person.agentId, id, true)
      })
    })
  )
}

/** A lead that a user creates for a customer who has not written yet. */
const entry = (environment: string, id: number, phone: string, name: string | null, { now }: StepActor): Lead => ({
  environment,
  id,
  version: 0,
  contact: phone,
  phone,
  userId: null,
  name,
  // The customer's own profile name always replaces a name that a user entered.
  namedAt: null,
  status: "OPEN",
  assignedTo: null,
  teamId: null,
  labels: [],
  origin: "LEAD",
  campaignId: null,
  referral: null,
  lastMessageAt: null,
  lastInboundAt: null,
  unansweredSince: null,
  snoozedUntil: null,
  receiver: null,
  unreadCount: 0,
  received: 0,
  entries: 0,
  createdAt: now
})
