import { InboundType, LeadStatus } from "@countersign/core"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { AnswerKept } from "../contract/AnswerKept.ts"
import * as answers from "../contract/answers.ts"
import { BodyHoldsPlace } from "../contract/PublicLimits.ts"
import { describe } from "../contract/describe.ts"
import { BadRequest, NotFound, ProviderFailed, TooMany, Unpaid } from "../contract/ErrorEnvelope.ts"
import { CountedId, Flag, Limit, listOf, optional, text, Timestamp } from "../contract/Field.ts"
import { Viewer, Worker, WorkerInPerson } from "../contract/Security.ts"
import { leadFields } from "../leads/contract.ts"

const Referral = Schema.Struct({
  sourceType: Schema.NullOr(Schema.String),
  sourceId: Schema.NullOr(Schema.String),
  sourceUrl: Schema.NullOr(Schema.String),
  headline: Schema.NullOr(Schema.String),
  clickId: Schema.NullOr(Schema.String)
}).annotate({ identifier: "Referral", description: "The advertisement that brought the customer" })

const inboxLeadFields = {
  ...leadFields,
  campaignId: Schema.NullOr(Schema.String.annotate({ description: "The campaign that they answered" })),
  referral: Schema.NullOr(Referral),
  lastInboundAt: Schema.NullOr(
    Timestamp.annotate({
      description: "The customer's latest message: words may be sent to them for 24 hours after it"
    })
  ),
  waitingSince: Schema.NullOr(
    Timestamp.annotate({
      description:
        "The customer's first message since your latest reply. Null when you wrote last, or the lead is closed"
    })
  ),
  createdAt: Timestamp
}

export const InboxLeadAnswer = Schema.Struct(inboxLeadFields).annotate({ identifier: "InboxLead" })
export const NewLeadAnswer = Schema.Struct(inboxLeadFields).annotate({ identifier: "NewLead", httpApiStatus: 201 })

export const InboxLeadsAnswer = Schema.Struct({
  items: Schema.Array(InboxLeadAnswer),
  nextCursor: Schema.NullOr(Schema.String),
  more: Schema.Boolean.annotate({
    description: "There are more than these: read on with `nextCursor`, or search for something longer"
  })
}).annotate({ identifier: "InboxLeads" })

export const NewLeadPayload = Schema.Struct({
  phone: Schema.String.annotate({ examples: ["+919876543210"] }),
  name: optional(Schema.String)
}).annotate({ identifier: "NewLeadRequest" })

const message = {
  id: Schema.String.annotate({ examples: ["msg_01kaj3v9c0q5w8xn2rz7t4m6hd"] }),
  direction: Schema.Literals(["IN", "OUT", "NOTE"]).annotate({
    description: "From the customer, to the customer, or a note that no customer sees"
  }),
  type: Schema.Literals(InboundType),
  text: Schema.NullOr(
    Schema.String.annotate({ description: "The words, a caption, what was pressed; null when there are none" })
  ),
  media: Schema.NullOr(
    Schema.Struct({
      id: Schema.String,
      type: Schema.NullOr(Schema.String.annotate({ examples: ["image/jpeg"] })),
      caption: Schema.NullOr(Schema.String),
      fileName: Schema.NullOr(Schema.String),
      size: Schema.NullOr(Schema.Int.annotate({ description: "In bytes, where WhatsApp says so" }))
    })
  ),
  status: Schema.NullOr(
    Schema.Literals(["PENDING", "SENT", "DELIVERED", "READ", "FAILED", "SKIPPED"]).annotate({
      description: "What became of an outgoing one; null for all others"
    })
  ),
  error: Schema.NullOr(Schema.String.annotate({ description: "Why it failed, in the provider's word or ours" })),
  sentBy: Schema.NullOr(Schema.String.annotate({ description: "Who of you wrote it" })),
  at: Timestamp.annotate({ description: "When it was written, by the customer's own time or ours" }),
  payload: Schema.NullOr(Schema.String.annotate({ description: "What a pressed button or a chosen row stands for" })),
  location: Schema.NullOr(Schema.Struct({ latitude: Schema.Finite, longitude: Schema.Finite })),
  details: Schema.NullOr(Schema.String.annotate({ description: "An order or contact cards, as JSON of WhatsApp's" })),
  template: Schema.NullOr(
    Schema.Struct({ name: Schema.String, language: Schema.String, values: Schema.Array(Schema.String) })
  ),
  forwarded: Schema.Boolean,
  edited: Schema.Boolean,
  deleted: Schema.Boolean.annotate({ description: "Its words and files were taken back" }),
  reactions: Schema.Struct({
    customer: Schema.NullOr(Schema.String.annotate({ description: "An emoji" })),
    merchant: Schema.NullOr(Schema.String)
  })
}

export const MessageAnswer = Schema.Struct(message).annotate({ identifier: "LeadMessage" })
export const NewMessageAnswer = Schema.Struct(message).annotate({ identifier: "NewLeadMessage", httpApiStatus: 201 })

export const EntryAnswer = Schema.Struct({
  at: Timestamp,
  by: Schema.NullOr(Schema.String.annotate({ description: "Who did it; null for what happened by itself" })),
  kind: Schema.Literals(["CREATED", "ASSIGNED", "TEAM", "CLOSED", "REOPENED"]),
  from: Schema.NullOr(Schema.String.annotate({ description: "The agent's e-mail address or the team's name before" })),
  to: Schema.NullOr(Schema.String)
}).annotate({ identifier: "LeadHistoryEntry" })

export const ReplyPayload = Schema.Struct({
  text: optional(
    Schema.String.annotate({
      description: "Within 24 hours of the customer's latest message. Either this or `template`"
    })
  ),
  template: optional(
    Schema.String.annotate({
      description: "The name of an approved template, or `name/language`",
      examples: ["order_ready/en"]
    })
  ),
  values: optional(Schema.Array(Schema.String).annotate({ description: "What fills its places, in its order" }))
}).annotate({ identifier: "ReplyRequest" })

export const NotePayload = Schema.Struct({ text: Schema.String }).annotate({ identifier: "NoteRequest" })

const savedReply = {
  id: Schema.String.annotate({ examples: ["srp_01kaj3v9c0q5w8xn2rz7t4m6hd"] }),
  name: Schema.String,
  text: Schema.String,
  createdAt: Timestamp
}

export const SavedReplyAnswer = Schema.Struct(savedReply).annotate({ identifier: "SavedReply" })
export const NewSavedReplyAnswer = Schema.Struct(savedReply).annotate({
  identifier: "NewSavedReply",
  httpApiStatus: 201
})
export const NewSavedReplyPayload = Schema.Struct({ name: Schema.String, text: Schema.String }).annotate({
  identifier: "NewSavedReplyRequest"
})
export const ChangeSavedReplyPayload = Schema.Struct({
  name: optional(Schema.String),
  text: optional(Schema.String)
}).annotate({ identifier: "ChangeSavedReplyRequest" })

export const LookingPayload = Schema.Struct({
  typing: optional(Schema.Boolean.annotate({ description: "Whether they are writing an answer" })),
  gone: optional(Schema.Boolean.annotate({ description: "They have closed it: they are forgotten at once" }))
}).annotate({ identifier: "LookingRequest" })

export const LookingAnswer = Schema.Struct({
  others: Schema.Array(
    Schema.Struct({
      agentId: Schema.Int,
      email: Schema.String,
      typing: Schema.Boolean,
      since: Timestamp.annotate({ description: "When they opened it" })
    })
  )
}).annotate({ identifier: "Looking" })

const part = { cursor: Schema.optionalKey(Schema.String), limit: Schema.optionalKey(Limit) }

export const InboxLeadsQuery = {
  status: Schema.optionalKey(text({ enum: LeadStatus })),
  assignedTo: Schema.optionalKey(Schema.String.annotate({ description: "The e-mail address of an agent" })),
  unassignedOnly: Schema.optionalKey(Flag),
  waitingOnly: Schema.optionalKey(
    Flag.annotate({
      description:
        "Only open leads that wait for a reply. A part may hold fewer than `limit`, even none, and still have a `nextCursor`"
    })
  ),
  team: Schema.optionalKey(Schema.String.annotate({ description: "A team's name, in any case" })),
  search: Schema.optionalKey(
    Schema.String.annotate({
      description:
        "The beginnings of words of a name, two letters or more, or the last four digits or more of a number. It stands alone"
    })
  ),
  ...part
}

const id = { id: CountedId }
const file = { id: CountedId, mid: Schema.String }
const changed = { params: id, success: InboxLeadAnswer, error: [...answers.command, NotFound] }

/** What people do with leads: read and answer conversations. */
export class InboxApi extends HttpApiGroup.make("inbox")
  .add(
    HttpApiEndpoint.get("list", "/leads", {
      query: InboxLeadsQuery,
      success: InboxLeadsAnswer,
      error: [...answers.search, NotFound, TooMany]
    })
      .middleware(Viewer)
      .annotateMerge(
        describe(
          "List leads",
          "The most recently active first. All filters must hold. Read on with `nextCursor` to its end, and you have seen every lead that fitted all the time, recently active ones twice."
        )
      ),
    HttpApiEndpoint.post("create", "/leads", {
      payload: NewLeadPayload,
      success: NewLeadAnswer,
      error: answers.post
    })
      .middleware(Worker)
      .annotateMerge(describe("Enter a customer", "One who has not written yet.")),
    HttpApiEndpoint.get("get", "/leads/:id", {
      params: id,
      success: InboxLeadAnswer,
      error: [BadRequest, ...answers.lookup]
    }).middleware(Viewer),
    HttpApiEndpoint.post("close", "/leads/:id/close", changed)
      .middleware(Worker)
      .annotateMerge(describe("Close a lead", "The customer's next message opens it again.")),
    HttpApiEndpoint.post("reopen", "/leads/:id/reopen", changed).middleware(Worker),
    HttpApiEndpoint.post("read", "/leads/:id/read", changed)
      .middleware(Worker)
      .annotateMerge(describe("Mark a lead as read", "Its `unreadCount` is 0 until the customer writes again.")),
    HttpApiEndpoint.post("unread", "/leads/:id/unread", changed)
      .middleware(Worker)
      .annotateMerge(
        describe(
          "Mark a lead as unread",
          "Its `unreadCount` is 1, or stays what it is. Whoever reads it later sees it."
        )
      ),
    HttpApiEndpoint.post("reply", "/leads/:id/reply", {
      params: id,
      payload: ReplyPayload,
      success: NewMessageAnswer,
      error: [...answers.post, Unpaid, NotFound]
    })
      .middleware(Worker)
      .annotateMerge(
        describe("Answer a customer", "The message is on its way with this answer, and shows what becomes of it.")
      ),
    HttpApiEndpoint.post("looking", "/leads/:id/looking", {
      params: id,
      payload: LookingPayload,
      success: LookingAnswer,
      error: [...answers.post, NotFound]
    })
      .middleware(WorkerInPerson)
      .annotate(AnswerKept, false)
      .annotateMerge(
        describe(
          "Say that you have a lead open",
          "And hear who else has. Say it every 15 seconds: you are forgotten 40 seconds after the last time. For people alone."
        )
      ),
    HttpApiEndpoint.post("note", "/leads/:id/notes", {
      params: id,
      payload: NotePayload,
      success: NewMessageAnswer,
      error: [...answers.post, NotFound]
    })
      .middleware(Worker)
      .annotateMerge(describe("Write a note", "It stands in the conversation, and no customer sees it.")),
    HttpApiEndpoint.get("messages", "/leads/:id/messages", {
      params: id,
      query: part,
      success: listOf(MessageAnswer),
      error: [BadRequest, ...answers.lookup]
    })
      .middleware(Viewer)
      .annotateMerge(describe("The conversation", "Newest first, in both directions, with your notes.")),
    HttpApiEndpoint.get("media", "/leads/:id/messages/:mid/media", {
      params: file,
      success: HttpApiSchema.WithHeaders(HttpApiSchema.StreamUint8Array({ contentType: "*/*" }), {
        "content-type": Schema.String,
        "content-length": Schema.optionalKey(Schema.String),
        "content-disposition": Schema.String,
        "content-security-policy": Schema.String,
        "cross-origin-resource-policy": Schema.String,
        "x-content-type-options": Schema.Literal("nosniff")
      }),
      error: [BadRequest, ...answers.lookup, ProviderFailed]
    })
      .middleware(Worker)
      .annotateMerge(
        describe(
          "The file of a message",
          "A file has no mask: whoever is signed in must be at least an AGENT. From WhatsApp as it is read; nothing of it is kept here. All but PNG, JPEG, WebP and GIF is a download."
        )
      )
      .annotate(BodyHoldsPlace, false),
    HttpApiEndpoint.get("history", "/leads/:id/history", {
      params: id,
      query: part,
      success: listOf(EntryAnswer),
      error: [BadRequest, ...answers.lookup]
    })
      .middleware(Viewer)
      .annotateMerge(describe("What happened to a lead", "Newest first: every change of owner, team and status."))
  )
  .prefix("/v1/dashboard")
  .annotateMerge(
    OpenApi.annotations({
      title: "Inbox",
      description: "Conversations on WhatsApp: messages, replies, notes, files, and who is looking."
    })
  ) {}

/** Replies that are written more than once. */
export class SavedReplyApi extends HttpApiGroup.make("savedReplies")
  .add(
    HttpApiEndpoint.get("list", "/saved-replies", {
      success: listOf(SavedReplyAnswer),
      error: answers.read
    })
      .middleware(Viewer)
      .annotateMerge(describe("List saved replies", "The oldest first.")),
    HttpApiEndpoint.post("create", "/saved-replies", {
      payload: NewSavedReplyPayload,
      success: NewSavedReplyAnswer,
      error: answers.post
    }).middleware(Worker),
    HttpApiEndpoint.patch("update", "/saved-replies/:id", {
      params: { id: Schema.String },
      payload: ChangeSavedReplyPayload,
      success: SavedReplyAnswer,
      error: [...answers.change, NotFound]
    }).middleware(Worker),
    HttpApiEndpoint.delete("delete", "/saved-replies/:id", {
      params: { id: Schema.String },
      success: HttpApiSchema.NoContent,
      error: answers.lookup
    }).middleware(Worker)
  )
  .prefix("/v1/dashboard")
  .annotateMerge(
    OpenApi.annotations({
      title: "Saved replies",
      description: "Replies that are written more than once."
    })
  ) {}
