import {
  Agents,
  type Assignee,
  type Caller,
  Instant,
  type Label,
  Labels,
  type LeadEntry,
  type LeadRow,
  Leads,
  type MessageView,
  People,
  Presences,
  SavedReplies,
  type SavedReply,
  seenMessage,
  seenPreview
} from "@countersign/core"
import { Effect } from "effect"
import { PersonMissing } from "../Fault.ts"
import type { Handlers } from "../Handlers.ts"
import type { errors as auth } from "../auth/errors.ts"
import type { errors as billing } from "../billing/errors.ts"
import type { errors as leadErrors } from "../leads/errors.ts"
import type { InboxApi, LabelApi, SavedReplyApi } from "./contract.ts"
import type { errors } from "./errors.ts"
import { file } from "./file.ts"
import { shownInboxLead } from "./shownInboxLead.ts"

const shownMessage = (caller: Caller) => (view: MessageView) => {
  const message = seenMessage(caller, view)
  return {
    id: message.id,
    direction: message.direction,
    type: message.type,
    text: message.text,
    media:
      message.media === null
        ? null
        : {
            id: message.media.id,
            type: message.media.mimeType,
            caption: message.text,
            fileName: message.media.fileName,
            size: message.media.size
          },
    status: message.status,
    error: message.error,
    sentBy: message.sentBy,
    at: Instant.toIso(message.at),
    payload: message.payload,
    location: message.location,
    details: message.details,
    template: message.template,
    forwarded: message.context?.forwarded ?? false,
    edited: message.edited,
    deleted: message.deleted,
    reactions: message.reactions
  }
}

const shownRow = (caller: Caller, people: People["Service"]) => (row: LeadRow) => {
  const last = row.last === null ? null : seenPreview(caller, row.last)
  return {
    ...shownInboxLead(caller, people)(row),
    lastMessage: last === null ? null : { ...last, at: Instant.toIso(last.at) }
  }
}

const shownEntry = ({ at, by, from, kind, to }: LeadEntry) => ({ at: Instant.toIso(at), by, kind, from, to })

const shownReply = ({ createdAt, id, name, text }: SavedReply) => ({
  id,
  name,
  text,
  createdAt: Instant.toIso(createdAt)
})

const shownLabel = ({ colour, createdAt, id, name }: Label) => ({
  id,
  name,
  colour,
  createdAt: Instant.toIso(createdAt)
})

const shownAssignee = ({ agent: { email, id, name }, openLeads }: Assignee) => ({
  id,
  email,
  name: name ?? null,
  openLeads
})

/** Answers the inbox of `/v1/dashboard`. */
export const make = Effect.gen(function* () {
  const agents = yield* Agents
  const labels = yield* Labels
  const leads = yield* Leads
  const people = yield* People
  const saved = yield* SavedReplies
  const presences = yield* Presences
  const handlers: Handlers<typeof InboxApi, typeof auth | typeof errors | typeof leadErrors | typeof billing> = {
    list: Effect.fnUntraced(function* ({ caller, query: { search, ...query } }) {
      if (search === undefined) {
        const { items, nextCursor } = yield* leads.list(caller, query)
        return { items: items.map(shownRow(caller, people)), nextCursor, more: nextCursor !== null }
      }
      const { items, more } = yield* leads.search(caller, { search, ...query })
      return { items: items.map(shownRow(caller, people)), nextCursor: null, more }
    }),
    create: ({ caller, payload }) => Effect.map(leads.create(caller, payload), shownInboxLead(caller, people)),
    waiting: ({ caller }) =>
      Effect.map(leads.waiting(caller), ({ since, ...waiting }) => ({ ...waiting, since: Instant.toIsoOrNull(since) })),
    bulk: ({ caller, payload }) => Effect.map(leads.bulk(caller, payload), (items) => ({ items })),
    assignees: ({ caller }) =>
      Effect.map(agents.assignees(caller), (found) => ({ items: found.map(shownAssignee), nextCursor: null })),
    get: ({ caller, params }) => Effect.map(leads.get(caller, params.id), shownInboxLead(caller, people)),
    close: ({ caller, params }) => Effect.map(leads.close(caller, params.id), shownInboxLead(caller, people)),
    reopen: ({ caller, params }) => Effect.map(leads.reopen(caller, params.id), shownInboxLead(caller, people)),
    answered: ({ caller, params }) => Effect.map(leads.answered(caller, params.id), shownInboxLead(caller, people)),
    unanswered: ({ caller, params }) => Effect.map(leads.unanswered(caller, params.id), shownInboxLead(caller, people)),
    snooze: ({ caller, params, payload }) =>
      Effect.map(leads.snooze(caller, params.id, payload.until), shownInboxLead(caller, people)),
    unsnooze: ({ caller, params }) => Effect.map(leads.unsnooze(caller, params.id), shownInboxLead(caller, people)),
    label: ({ caller, params, payload }) =>
      Effect.map(leads.label(caller, params.id, payload), shownInboxLead(caller, people)),
    read: ({ caller, params }) => Effect.map(leads.read(caller, params.id), shownInboxLead(caller, people)),
    unread: ({ caller, params }) => Effect.map(leads.unread(caller, params.id), shownInboxLead(caller, people)),
    reply: ({ caller, params, payload }) => Effect.map(leads.reply(caller, params.id, payload), shownMessage(caller)),
    attach: ({ caller, params, payload }) =>
      Effect.map(leads.attach(caller, params.id, payload), ({ attachment, kind, mimeType, size }) => ({
        attachment,
        kind,
        type: mimeType,
        size
      })),
    looking: Effect.fnUntraced(function* ({ caller, params, payload }) {
      const { person } = caller
      if (person === null) return yield* new PersonMissing()
      const others = yield* presences.look({ ...caller, person }, params.id, payload)
      return {
        others: others.map(({ agentId, email, since, typing }) => ({
          agentId,
          email,
          typing,
          since: Instant.toIso(since)
        }))
      }
    }),
    note: ({ caller, params, payload }) =>
      Effect.map(leads.note(caller, params.id, payload.text), shownMessage(caller)),
    messages: ({ caller, params, query }) =>
      Effect.map(leads.messages(caller, params.id, query), ({ items, nextCursor }) => ({
        items: items.map(shownMessage(caller)),
        nextCursor
      })),
    media: ({ caller, params }) => Effect.map(leads.media(caller, params.id, params.mid), file),
    history: ({ caller, params, query }) =>
      Effect.map(leads.history(caller, params.id, query), ({ items, nextCursor }) => ({
        items: items.map(shownEntry),
        nextCursor
      }))
  }
  const savedReplies: Handlers<typeof SavedReplyApi, typeof errors> = {
    list: ({ caller }) =>
      Effect.map(saved.list(caller), (found) => ({ items: found.map(shownReply), nextCursor: null })),
    create: ({ caller, payload }) => Effect.map(saved.create(caller, payload), shownReply),
    update: ({ caller, params, payload }) => Effect.map(saved.change(caller, params.id, payload), shownReply),
    delete: ({ caller, params }) => saved.remove(caller, params.id)
  }
  const labelHandlers: Handlers<typeof LabelApi, typeof errors> = {
    list: ({ caller }) =>
      Effect.map(labels.list(caller), (found) => ({ items: found.map(shownLabel), nextCursor: null })),
    create: ({ caller, payload }) => Effect.map(labels.create(caller, payload), shownLabel),
    update: ({ caller, params, payload }) => Effect.map(labels.change(caller, params.id, payload), shownLabel),
    delete: ({ caller, params }) => labels.remove(caller, params.id)
  }
  return { inbox: handlers, savedReplies, labels: labelHandlers }
})
