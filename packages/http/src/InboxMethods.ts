import type { Caller } from "@countersign/core"
import { Context, Effect, Predicate, Schema, Stream } from "effect"
import {
  ChangeAgentPayload,
  ChangeTeamPayload,
  NewAgentPayload,
  NewTeamPayload,
  type StaffAnswer,
  type StaffTeamAnswer
} from "./agents/contract.ts"
import * as agentHandlers from "./agents/handlers.ts"
import { CountedIdNumber } from "./contract/Field.ts"
import {
  ChangeSavedReplyPayload,
  type EntryAnswer,
  type InboxLeadAnswer,
  type InboxLeadsAnswer,
  InboxLeadsQuery,
  type MessageAnswer,
  NewLeadPayload,
  NewSavedReplyPayload,
  NotePayload,
  PartQuery,
  ReplyPayload,
  type SavedReplyAnswer
} from "./inbox/contract.ts"
import * as inboxHandlers from "./inbox/handlers.ts"
import {
  type AgentAnswer,
  AssignByPhonePayload,
  AssignPayload,
  type LeadAnswer,
  LeadsQuery,
  type TeamAnswer,
  TeamByPhonePayload,
  TeamPayload
} from "./leads/contract.ts"
import * as leadHandlers from "./leads/handlers.ts"
import { ConnectPayload, type NumberAnswer } from "./numbers/contract.ts"
import * as numberHandlers from "./numbers/handlers.ts"
import type { Failure } from "./wire.ts"

const leadsQuery = Schema.toType(Schema.Struct(LeadsQuery))
const inboxQuery = Schema.toType(Schema.Struct(InboxLeadsQuery))
const partQuery = Schema.toType(PartQuery)
const leadId = { leadId: CountedIdNumber }
const assignById = Schema.Struct({ ...leadId, ...AssignPayload.fields })
const teamById = Schema.Struct({ ...leadId, ...TeamPayload.fields })
const counted = { id: CountedIdNumber }
const named = { id: Schema.String }

interface Items<Answer> {
  readonly items: ReadonlyArray<Answer>
  readonly nextCursor: string | null
}

type Part = typeof partQuery.Type

/** Leads as the merchant's programs share them out: `/v1/whatsapp/leads`. */
export interface LeadMethods {
  /** The most recently active first, a page at a time. */
  readonly list: (query?: typeof leadsQuery.Type) => Promise<ReadonlyArray<typeof LeadAnswer.Type>>
  readonly agents: () => Promise<ReadonlyArray<typeof AgentAnswer.Type>>
  readonly teams: () => Promise<ReadonlyArray<typeof TeamAnswer.Type>>
  /** Gives a lead, named by its id or the customer's number, to an agent; without one it is nobody's. */
  readonly assign: (
    request: typeof assignById.Type | typeof AssignByPhonePayload.Type
  ) => Promise<typeof LeadAnswer.Type>
  /** Moves it to a team; without one it leaves its team. */
  readonly moveToTeam: (
    request: typeof teamById.Type | typeof TeamByPhonePayload.Type
  ) => Promise<typeof LeadAnswer.Type>
}

/** Conversations, for people: `/v1/dashboard/leads`. */
export interface InboxMethods {
  readonly list: (query?: typeof inboxQuery.Type) => Promise<typeof InboxLeadsAnswer.Type>
  /** Enters a customer who has not written yet. */
  readonly create: (request: typeof NewLeadPayload.Type) => Promise<typeof InboxLeadAnswer.Type>
  readonly get: (id: number) => Promise<typeof InboxLeadAnswer.Type>
  readonly close: (id: number) => Promise<typeof InboxLeadAnswer.Type>
  readonly reopen: (id: number) => Promise<typeof InboxLeadAnswer.Type>
  readonly read: (id: number) => Promise<typeof InboxLeadAnswer.Type>
  readonly unread: (id: number) => Promise<typeof InboxLeadAnswer.Type>
  readonly reply: (id: number, request: typeof ReplyPayload.Type) => Promise<typeof MessageAnswer.Type>
  readonly note: (id: number, request: typeof NotePayload.Type) => Promise<typeof MessageAnswer.Type>
  readonly messages: (id: number, query?: Part) => Promise<Items<typeof MessageAnswer.Type>>
  /** The file of a message, with the headers that make it harmless: a route of yours can answer with it. */
  readonly media: (id: number, messageId: string) => Promise<Response>
  readonly history: (id: number, query?: Part) => Promise<Items<typeof EntryAnswer.Type>>
  readonly savedReplies: {
    readonly list: () => Promise<Items<typeof SavedReplyAnswer.Type>>
    readonly create: (request: typeof NewSavedReplyPayload.Type) => Promise<typeof SavedReplyAnswer.Type>
    readonly change: (id: string, request: typeof ChangeSavedReplyPayload.Type) => Promise<typeof SavedReplyAnswer.Type>
    readonly remove: (id: string) => Promise<void>
  }
}

/** The people who answer, or their teams: `/v1/dashboard/agents`, `/v1/dashboard/teams`. */
export interface StaffMethods<Answer, New, Change> {
  readonly list: () => Promise<Items<Answer>>
  readonly create: (request: New) => Promise<Answer>
  readonly get: (id: number) => Promise<Answer>
  readonly change: (id: number, request: Change) => Promise<Answer>
  readonly remove: (id: number) => Promise<void>
}

/** The numbers that customers write to: `/v1/dashboard/whatsapp`. */
export interface NumberMethods {
  readonly connect: (request: typeof ConnectPayload.Type) => Promise<typeof NumberAnswer.Type>
  readonly list: () => Promise<Items<typeof NumberAnswer.Type>>
  readonly disconnect: (id: string) => Promise<void>
}

export interface AllInboxMethods {
  readonly leads: LeadMethods
  readonly inbox: InboxMethods
  readonly agents: StaffMethods<typeof StaffAnswer.Type, typeof NewAgentPayload.Type, typeof ChangeAgentPayload.Type>
  readonly teams: StaffMethods<typeof StaffTeamAnswer.Type, typeof NewTeamPayload.Type, typeof ChangeTeamPayload.Type>
  readonly numbers: NumberMethods
}

/** Checks what was given as if it came over HTTP, and runs a handler for the environment. */
export type CallHandler = <S extends Schema.Codec<unknown>, A>(
  schema: S,
  given: unknown,
  run: (input: S["Type"], caller: Caller) => Effect.Effect<A, Failure>
) => Promise<A>

const nothing = Schema.Struct({})
const rest = { payload: undefined, query: undefined, params: undefined, idempotencyKey: null, clientAddress: null }

/** What each method runs. */
export const handlers = Effect.all({
  leads: leadHandlers.make,
  inbox: inboxHandlers.make,
  agents: agentHandlers.make,
  numbers: numberHandlers.make
})

/** The inbox as methods that answer promises. */
export const makeInboxMethods = (
  { agents, inbox, leads, numbers }: Effect.Success<typeof handlers>,
  call: CallHandler
): AllInboxMethods => {
  const part = Schema.toType(Schema.Struct({ ...counted, ...PartQuery.fields }))
  const ofLead = (run: (typeof inbox)["get"], id: number): Promise<typeof InboxLeadAnswer.Type> =>
    call(Schema.Struct(counted), { id }, (params, caller) => run({ ...rest, caller, params }))
  return {
    leads: {
      list: (query = {}) => call(leadsQuery, query, (query, caller) => leads.list({ ...rest, caller, query })),
      agents: () => call(nothing, {}, (_, caller) => leads.agents({ ...rest, caller })),
      teams: () => call(nothing, {}, (_, caller) => leads.teams({ ...rest, caller })),
      assign: (request) =>
        Predicate.hasProperty(request, "leadId")
          ? call(assignById, request, ({ leadId, ...payload }, caller) =>
              leads.assign({ ...rest, caller, params: { leadId }, payload })
            )
          : call(AssignByPhonePayload, request, (payload, caller) => leads.assignByPhone({ ...rest, caller, payload })),
      moveToTeam: (request) =>
        Predicate.hasProperty(request, "leadId")
          ? call(teamById, request, ({ leadId, ...payload }, caller) =>
              leads.team({ ...rest, caller, params: { leadId }, payload })
            )
          : call(TeamByPhonePayload, request, (payload, caller) => leads.teamByPhone({ ...rest, caller, payload }))
    },
    inbox: {
      list: (query = {}) => call(inboxQuery, query, (query, caller) => inbox.list({ ...rest, caller, query })),
      create: (request) =>
        call(NewLeadPayload, request, (payload, caller) => inbox.create({ ...rest, caller, payload })),
      get: (id) => ofLead(inbox.get, id),
      close: (id) => ofLead(inbox.close, id),
      reopen: (id) => ofLead(inbox.reopen, id),
      read: (id) => ofLead(inbox.read, id),
      unread: (id) => ofLead(inbox.unread, id),
      reply: (id, request) =>
        call(Schema.Struct({ ...counted, ...ReplyPayload.fields }), { ...request, id }, ({ id, ...payload }, caller) =>
          inbox.reply({ ...rest, caller, params: { id }, payload })
        ),
      note: (id, request) =>
        call(Schema.Struct({ ...counted, ...NotePayload.fields }), { ...request, id }, ({ id, ...payload }, caller) =>
          inbox.note({ ...rest, caller, params: { id }, payload })
        ),
      messages: (id, query) =>
        call(part, { ...query, id }, ({ id, ...query }, caller) =>
          inbox.messages({ ...rest, caller, params: { id }, query })
        ),
      media: (id, mid) =>
        call(Schema.Struct({ ...counted, mid: Schema.String }), { id, mid }, (params, caller) =>
          Effect.map(
            inbox.media({ ...rest, caller, params }),
            ({ body, headers }) => new Response(Stream.toReadableStreamWith(body, Context.empty()), { headers })
          )
        ),
      history: (id, query) =>
        call(part, { ...query, id }, ({ id, ...query }, caller) =>
          inbox.history({ ...rest, caller, params: { id }, query })
        ),
      savedReplies: {
        list: () => call(nothing, {}, (_, caller) => inbox.savedReplies({ ...rest, caller })),
        create: (request) =>
          call(NewSavedReplyPayload, request, (payload, caller) => inbox.saveReply({ ...rest, caller, payload })),
        change: (id, request) =>
          call(
            Schema.Struct({ ...named, ...ChangeSavedReplyPayload.fields }),
            { ...request, id },
            ({ id, ...payload }, caller) => inbox.changeSavedReply({ ...rest, caller, params: { id }, payload })
          ),
        remove: (id) =>
          call(Schema.Struct(named), { id }, (params, caller) => inbox.removeSavedReply({ ...rest, caller, params }))
      }
    },
    agents: {
      list: () => call(nothing, {}, (_, caller) => agents.list({ ...rest, caller })),
      create: (request) =>
        call(NewAgentPayload, request, (payload, caller) => agents.create({ ...rest, caller, payload })),
      get: (id) => call(Schema.Struct(counted), { id }, (params, caller) => agents.get({ ...rest, caller, params })),
      change: (id, request) =>
        call(
          Schema.Struct({ ...counted, ...ChangeAgentPayload.fields }),
          { ...request, id },
          ({ id, ...payload }, caller) => agents.change({ ...rest, caller, params: { id }, payload })
        ),
      remove: (id) =>
        call(Schema.Struct(counted), { id }, (params, caller) => agents.remove({ ...rest, caller, params }))
    },
    teams: {
      list: () => call(nothing, {}, (_, caller) => agents.teams({ ...rest, caller })),
      create: (request) =>
        call(NewTeamPayload, request, (payload, caller) => agents.createTeam({ ...rest, caller, payload })),
      get: (id) => call(Schema.Struct(counted), { id }, (params, caller) => agents.team({ ...rest, caller, params })),
      change: (id, request) =>
        call(
          Schema.Struct({ ...counted, ...ChangeTeamPayload.fields }),
          { ...request, id },
          ({ id, ...payload }, caller) => agents.changeTeam({ ...rest, caller, params: { id }, payload })
        ),
      remove: (id) =>
        call(Schema.Struct(counted), { id }, (params, caller) => agents.removeTeam({ ...rest, caller, params }))
    },
    numbers: {
      connect: (request) =>
        call(ConnectPayload, request, (payload, caller) => numbers.connect({ ...rest, caller, payload })),
      list: () => call(nothing, {}, (_, caller) => numbers.list({ ...rest, caller })),
      disconnect: (id) =>
        call(Schema.Struct(named), { id }, (params, caller) => numbers.disconnect({ ...rest, caller, params }))
    }
  }
}
