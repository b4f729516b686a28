import {
  BulkAction,
  BulkOutcome,
  EntryKind,
  InboundType,
  LabelColour,
  largestFile,
  LeadStatus
} from "@countersign/core"
import { MediaKind } from "@countersign/core/channel"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { AnswerKept } from "../contract/AnswerKept.ts"
import * as answers from "../contract/answers.ts"
import { BodyHoldsPlace, LargestBody } from "../contract/PublicLimits.ts"
import { describe } from "../contract/describe.ts"
import { BadRequest, NotFound, ProviderFailed, TooMany, Unpaid } from "../contract/ErrorEnvelope.ts"
import {
  CountedId,
  CountedIdNumber,
  Flag,
  Limit,
  listOf,
  optional,
  PersonField,
  text,
  Timestamp
} from "../contract/Field.ts"
import { Admin, Viewer, Worker, WorkerInPerson } from "../contract/Security.ts"
import { leadFields } from "../leads/contract.ts"

const Referral = Schema.Struct({
  sourceType: Schema.NullOr(Schema.String),
  sourceId: Schema.NullOr(Schema.String),
  sourceUrl: Schema.NullOr(Schema.String),
  headline: Schema.NullOr(Schema.String),
  clickId: Schema.NullOr(Schema.String)
}).annotate({ identifier: "Referral", description: "The advertisement that the customer came from" })

const label = {
  id: Schema.String.annotate({ examples: ["lbl_01kaj3v9c0q5w8xn2rz7t4m6hd"] }),
  name: Schema.String,
  colour: Schema.Literals(LabelColour)
}

const inboxLeadFields = {
  ...leadFields,
  labels: Schema.Array(Schema.Struct(label)),
  person: Schema.NullOr(PersonField).annotate({
    description: "The customer's reference as a person. Null if the customer hides the number"
  }),
  campaignId: Schema.NullOr(Schema.String.annotate({ description: "The campaign that the customer replied to" })),
  referral: Schema.NullOr(Referral),
  lastInboundAt: Schema.NullOr(
    Timestamp.annotate({
      description: "The customer's latest message. Free text may be sent for 24 hours after it"
    })
  ),
  waitingSince: Schema.NullOr(
    Timestamp.annotate({
      description:
        "The customer's first message that got no answer, or the end of a snooze. Null if each message got an answer, none is needed, or the lead is closed or snoozed"
    })
  ),
  snoozedUntil: Schema.NullOr(
    Timestamp.annotate({ description: "When a snoozed lead waits again. Null if it is not snoozed" })
  ),
  createdAt: Timestamp
}

export const InboxLeadAnswer = Schema.Struct(inboxLeadFields).annotate({ identifier: "InboxLead" })
export const NewLeadAnswer = Schema.Struct(inboxLeadFields).annotate({ identifier: "NewLead", httpApiStatus: 201 })

export const WaitingAnswer = Schema.Struct({
  count: Schema.Int.annotate({ description: "How many leads wait for an answer, at most 1,000" }),
  more: Schema.Boolean.annotate({ description: "Whether there are more than `count`" }),
  since: Schema.NullOr(Timestamp.annotate({ description: "Since when the first one waits" }))
}).annotate({ identifier: "WaitingLeads" })

export const NewLeadPayload = Schema.Struct({
  phone: Schema.String.annotate({ examples: ["+919876543210"] }),
  name: optional(Schema.String)
}).annotate({ identifier: "NewLeadRequest" })

const message = {
  id: Schema.String.annotate({ examples: ["msg_01kaj3v9c0q5w8xn2rz7t4m6hd"] }),
  direction: Schema.Literals(["IN", "OUT", "NOTE"]).annotate({
    description: "From the customer (IN), to the customer (OUT), or an internal note (NOTE)"
  }),
  type: Schema.Literals(InboundType),
  text: Schema.NullOr(
    Schema.String.annotate({
      description: "The text, a caption, or the label of a pressed button. Null if the message has no text"
    })
  ),
  media: Schema.NullOr(
    Schema.Struct({
      id: Schema.String,
      type: Schema.NullOr(Schema.String.annotate({ examples: ["image/jpeg"] })),
      caption: Schema.NullOr(Schema.String),
      fileName: Schema.NullOr(Schema.String),
      size: Schema.NullOr(Schema.Int.annotate({ description: "In bytes, if WhatsApp reports it" }))
    })
  ),
  status: Schema.NullOr(
    Schema.Literals(["PENDING", "SENT", "DELIVERED", "READ", "FAILED", "SKIPPED"]).annotate({
      description: "The delivery status of an outgoing message; null for others"
    })
  ),
  error: Schema.NullOr(Schema.String.annotate({ description: "Why it failed: the provider's code or one of ours" })),
  sentBy: Schema.NullOr(Schema.String.annotate({ description: "The agent who wrote it" })),
  at: Timestamp.annotate({
    description: "When it was written: WhatsApp's time for incoming messages, the server's for others"
  }),
  payload: Schema.NullOr(Schema.String.annotate({ description: "The payload of the pressed button or chosen row" })),
  location: Schema.NullOr(Schema.Struct({ latitude: Schema.Finite, longitude: Schema.Finite })),
  details: Schema.NullOr(Schema.String.annotate({ description: "An order or contact cards, as WhatsApp's JSON" })),
  template: Schema.NullOr(
    Schema.Struct({ name: Schema.String, language: Schema.String, values: Schema.Array(Schema.String) })
  ),
  forwarded: Schema.Boolean,
  edited: Schema.Boolean,
  deleted: Schema.Boolean.annotate({ description: "Whether the customer deleted it. Its text and files are removed" }),
  reactions: Schema.Struct({
    customer: Schema.NullOr(Schema.String.annotate({ description: "An emoji" })),
    merchant: Schema.NullOr(Schema.String)
  })
}

const InboxLeadRowAnswer = Schema.Struct({
  ...inboxLeadFields,
  lastMessage: Schema.NullOr(
    Schema.Struct({
      direction: message.direction,
      type: message.type,
      text: Schema.NullOr(
        Schema.String.annotate({ description: "The beginning of the text, on one line. Null if there is no text" })
      ),
      status: message.status,
      sentBy: message.sentBy,
      at: message.at,
      deleted: message.deleted
    })
  ).annotate({ description: "The latest message or note. Null before the first one" })
}).annotate({ identifier: "InboxLeadRow" })

export const InboxLeadsAnswer = Schema.Struct({
  items: Schema.Array(InboxLeadRowAnswer),
  nextCursor: Schema.NullOr(Schema.String),
  more: Schema.Boolean.annotate({
    description: "Whether there are more leads: continue with `nextCursor`, or narrow the search"
  })
}).annotate({ identifier: "InboxLeads" })

export const MessageAnswer = Schema.Struct(message).annotate({ identifier: "LeadMessage" })
export const NewMessageAnswer = Schema.Struct(message).annotate({ identifier: "NewLeadMessage", httpApiStatus: 201 })

export const EntryAnswer = Schema.Struct({
  at: Timestamp,
  by: Schema.NullOr(Schema.String.annotate({ description: "Who did it; null for automatic changes" })),
  kind: Schema.Literals(EntryKind),
  from: Schema.NullOr(
    Schema.String.annotate({
      description: "The previous agent's e-mail address, the previous team's name, or the name of a label taken off"
    })
  ),
  to: Schema.NullOr(Schema.String)
}).annotate({ identifier: "LeadHistoryEntry" })

export const ReplyPayload = Schema.Struct({
  text: optional(
    Schema.String.annotate({
      description:
        "Free text, allowed within 24 hours of the customer's latest message. Send either `text` or `template`. With `attachment`, the caption of the file, at most 1,024 characters"
    })
  ),
  attachment: optional(
    Schema.String.annotate({
      description: "A file that a team member uploaded for this lead, allowed within the same 24 hours"
    })
  ),
  fileName: optional(
    Schema.String.annotate({
      description: "The name of the file, which the customer sees if it is a document. It gets the ending of its type",
      examples: ["price-list.pdf"]
    })
  ),
  template: optional(
    Schema.String.annotate({
      description: "The name of an approved template, or `name/language`",
      examples: ["order_ready/en"]
    })
  ),
  values: optional(
    Schema.Array(Schema.String).annotate({ description: "The values of the template's placeholders, in order" })
  )
}).annotate({ identifier: "ReplyRequest" })

const FilePayload = Schema.Uint8Array.pipe(
  HttpApiSchema.asUint8Array({ contentType: "application/octet-stream" })
).annotate({ description: "The bytes of the file" })

export const NewAttachmentAnswer = Schema.Struct({
  attachment: Schema.String.annotate({
    description: "The reference for a reply to the same lead. It expires after 24 hours"
  }),
  kind: Schema.Literals(MediaKind).annotate({ description: "How WhatsApp shows the file" }),
  type: Schema.String.annotate({ description: "Found from the bytes", examples: ["application/pdf"] }),
  size: Schema.Int.annotate({ description: "In bytes" })
}).annotate({ identifier: "NewAttachment", httpApiStatus: 201 })

export const NotePayload = Schema.Struct({ text: Schema.String }).annotate({ identifier: "NoteRequest" })

export const SnoozePayload = Schema.Struct({
  until: Timestamp.annotate({ description: "In the future, at most a year from now" })
}).annotate({ identifier: "SnoozeRequest" })

export const BulkPayload = Schema.Struct({
  ids: Schema.Array(CountedIdNumber).annotate({ description: "1 to 100 leads", examples: [[1, 2]] }),
  action: text({ enum: BulkAction }),
  agentEmail: optional(
    Schema.String.annotate({ description: "For `ASSIGN`: the e-mail address of an ACTIVE agent; without it, no agent" })
  ),
  until: optional(Timestamp.annotate({ description: "For `SNOOZE`: in the future, at most a year from now" })),
  label: optional(Schema.String.annotate({ description: "For `LABEL` and `UNLABEL`: a label's id" }))
}).annotate({ identifier: "BulkRequest" })

export const BulkAnswer = Schema.Struct({
  items: Schema.Array(
    Schema.Struct({
      id: Schema.Int,
      outcome: Schema.Literals(BulkOutcome).annotate({
        description:
          "`DONE`: the lead is as requested, also if it was before. `CLOSED`: it is closed, so it was not snoozed. `FULL`: it has 10 labels already. `BUSY`: others kept changing it; repeat the request"
      })
    })
  )
}).annotate({ identifier: "BulkResult" })

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

const storedLabel = { ...label, createdAt: Timestamp }

export const LabelAnswer = Schema.Struct(storedLabel).annotate({ identifier: "Label" })
export const NewLabelAnswer = Schema.Struct(storedLabel).annotate({ identifier: "NewLabel", httpApiStatus: 201 })
export const NewLabelPayload = Schema.Struct({
  name: Schema.String.annotate({ description: "1 to 40 characters, unique at the merchant, ignoring case" }),
  colour: optional(text({ enum: LabelColour }).annotate({ description: "Default: GREY" }))
}).annotate({ identifier: "NewLabelRequest" })
export const ChangeLabelPayload = Schema.Struct({
  name: optional(Schema.String),
  colour: optional(text({ enum: LabelColour }))
}).annotate({ identifier: "ChangeLabelRequest" })
export const LeadLabelsPayload = Schema.Struct({
  add: optional(Schema.Array(Schema.String).annotate({ description: "Ids of labels to put on" })),
  remove: optional(Schema.Array(Schema.String).annotate({ description: "Ids of labels to take off" }))
}).annotate({ identifier: "LeadLabelsRequest" })

export const LookingPayload = Schema.Struct({
  typing: optional(Schema.Boolean.annotate({ description: "Whether the agent is typing a reply" })),
  gone: optional(Schema.Boolean.annotate({ description: "The agent has closed the lead and disappears immediately" }))
}).annotate({ identifier: "LookingRequest" })

export const LookingAnswer = Schema.Struct({
  others: Schema.Array(
    Schema.Struct({
      agentId: Schema.Int,
      email: Schema.String,
      typing: Schema.Boolean,
      since: Timestamp.annotate({ description: "When the agent opened the lead" })
    })
  )
}).annotate({ identifier: "Looking" })

export const AssigneeAnswer = Schema.Struct({
  id: Schema.Int,
  email: Schema.String,
  name: Schema.NullOr(Schema.String.annotate({ description: "The display name that the agent chose" })),
  openLeads: Schema.Int.annotate({ description: "Open leads assigned to the agent, up to 1,000" })
}).annotate({ identifier: "Assignee" })

const part = { cursor: Schema.optionalKey(Schema.String), limit: Schema.optionalKey(Limit) }

export const InboxLeadsQuery = {
  status: Schema.optionalKey(text({ enum: LeadStatus })),
  assignedTo: Schema.optionalKey(Schema.String.annotate({ description: "The e-mail address of an agent" })),
  unassignedOnly: Schema.optionalKey(Flag),
  waitingOnly: Schema.optionalKey(
    Flag.annotate({
      description: "Only leads that wait for an answer, longest waiting first"
    })
  ),
  snoozedOnly: Schema.optionalKey(
    Flag.annotate({ description: "Only snoozed leads, those that wait again first at the top" })
  ),
  team: Schema.optionalKey(Schema.String.annotate({ description: "A team's name, case-insensitive" })),
  label: Schema.optionalKey(Schema.String.annotate({ description: "A label's id, or its name, case-insensitive" })),
  search: Schema.optionalKey(
    Schema.String.annotate({
      description:
        "The first letters of words of a name (at least two), or the last digits of a number (at least four). Cannot be combined with other filters, and returns at most 100 leads"
    })
  ),
  ...part
}

const id = { id: CountedId }
const file = { id: CountedId, mid: Schema.String }
const changed = { params: id, success: InboxLeadAnswer, error: [...answers.command, NotFound] }

/** The inbox: agents read and answer conversations. */
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
          "Most recently active first; with `waitingOnly`, longest waiting first; with `snoozedOnly`, the next to wait again first. A lead must match all filters. Reading all pages with `nextCursor` returns every lead that matched all the time; leads that become active meanwhile may appear twice."
        )
      ),
    HttpApiEndpoint.post("create", "/leads", {
      payload: NewLeadPayload,
      success: NewLeadAnswer,
      error: answers.post
    })
      .middleware(Worker)
      .annotateMerge(describe("Create a lead", "For a customer who has not written yet.")),
    HttpApiEndpoint.get("waiting", "/leads/waiting", { success: WaitingAnswer, error: answers.read })
      .middleware(Viewer)
      .annotateMerge(describe("Count waiting leads", "How many customers wait for an answer, and since when.")),
    HttpApiEndpoint.post("bulk", "/leads/bulk", {
      payload: BulkPayload,
      success: BulkAnswer,
      error: [...answers.post, NotFound]
    })
      .middleware(Worker)
      .annotateMerge(
        describe(
          "Change several leads",
          "Runs one action on each lead, as the endpoint for a single lead does. The leads change one by one, and the answer has the outcome of each, in the order of `ids`. You may repeat the request: it changes nothing twice."
        )
      ),
    HttpApiEndpoint.get("assignees", "/assignees", { success: listOf(AssigneeAnswer), error: answers.read })
      .middleware(Viewer)
      .annotateMerge(
        describe("List assignees", "The ACTIVE agents, oldest first, with the number of their open leads.")
      ),
    HttpApiEndpoint.get("get", "/leads/:id", {
      params: id,
      success: InboxLeadAnswer,
      error: [BadRequest, ...answers.lookup]
    }).middleware(Viewer),
    HttpApiEndpoint.post("close", "/leads/:id/close", changed)
      .middleware(Worker)
      .annotateMerge(describe("Close a lead", "The customer's next message opens it again.")),
    HttpApiEndpoint.post("reopen", "/leads/:id/reopen", changed).middleware(Worker),
    HttpApiEndpoint.post("answered", "/leads/:id/answered", changed)
      .middleware(Worker)
      .annotateMerge(
        describe(
          "Mark a lead as answered",
          "Ends the wait without a message: none is needed, or you answered elsewhere. The customer's next message starts a new wait."
        )
      ),
    HttpApiEndpoint.post("unanswered", "/leads/:id/unanswered", changed)
      .middleware(Worker)
      .annotateMerge(
        describe(
          "Mark a lead as unanswered",
          "It waits again, since the customer's latest message. Nothing changes if the lead is closed or its customer never wrote."
        )
      ),
    HttpApiEndpoint.post("snooze", "/leads/:id/snooze", {
      params: id,
      payload: SnoozePayload,
      success: InboxLeadAnswer,
      error: [...answers.post, NotFound]
    })
      .middleware(Worker)
      .annotateMerge(
        describe(
          "Snooze a lead",
          "It is neither listed nor counted as waiting until the given time, or until its customer writes. Then it waits. Nothing changes if the lead is closed."
        )
      ),
    HttpApiEndpoint.post("unsnooze", "/leads/:id/unsnooze", changed)
      .middleware(Worker)
      .annotateMerge(
        describe(
          "End a snooze",
          "The lead waits again if its customer's message is unanswered. A lead that came back stays."
        )
      ),
    HttpApiEndpoint.post("label", "/leads/:id/labels", {
      params: id,
      payload: LeadLabelsPayload,
      success: InboxLeadAnswer,
      error: [...answers.post, NotFound]
    })
      .middleware(Worker)
      .annotateMerge(
        describe(
          "Label a lead",
          "Puts labels on and takes labels off, by their ids. A lead has at most 10 labels. A repeat changes nothing."
        )
      ),
    HttpApiEndpoint.post("read", "/leads/:id/read", changed)
      .middleware(Worker)
      .annotateMerge(
        describe(
          "Mark a lead as read",
          "Its `unreadCount` is 0 until the customer writes again: for the signed-in agent alone, or with a key for the team."
        )
      ),
    HttpApiEndpoint.post("unread", "/leads/:id/unread", changed)
      .middleware(Worker)
      .annotateMerge(
        describe(
          "Mark a lead as unread",
          "Sets `unreadCount` to at least 1: for the signed-in agent alone, or with a key for the team."
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
        describe(
          "Reply to a customer",
          "The message is queued when this call returns. Its `status` shows the delivery."
        )
      ),
    HttpApiEndpoint.post("attach", "/leads/:id/media", {
      params: id,
      payload: FilePayload,
      success: NewAttachmentAnswer,
      error: [...answers.post, NotFound, ProviderFailed]
    })
      .middleware(WorkerInPerson)
      .annotate(LargestBody, largestFile)
      .annotateMerge(
        describe(
          "Upload a file for a reply",
          "The file goes to WhatsApp immediately and is not stored. Pictures (JPEG, PNG) may have 5 MB; videos (MP4, 3GP), recordings and documents (PDF, Word, Excel, PowerPoint, plain text) 16 MB. The type is found from the bytes. For signed-in agents only."
        )
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
          "Show that you have a lead open",
          "Returns the other agents who have it open. Repeat it every 15 seconds: you disappear 40 seconds after the last call. For signed-in agents only."
        )
      ),
    HttpApiEndpoint.post("note", "/leads/:id/notes", {
      params: id,
      payload: NotePayload,
      success: NewMessageAnswer,
      error: [...answers.post, NotFound]
    })
      .middleware(Worker)
      .annotateMerge(describe("Write a note", "The note appears in the conversation. Customers never see it.")),
    HttpApiEndpoint.get("messages", "/leads/:id/messages", {
      params: id,
      query: part,
      success: listOf(MessageAnswer),
      error: [BadRequest, ...answers.lookup]
    })
      .middleware(Viewer)
      .annotateMerge(describe("List a lead's messages", "Newest first, in both directions, including notes.")),
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
          "Download a message's file",
          "Files are not masked, so a signed-in agent needs at least the role AGENT. The file is streamed from WhatsApp and not stored. PNG, JPEG, WebP and GIF are shown inline; everything else is a download."
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
      .annotateMerge(describe("List a lead's history", "Every change of owner, team and status, newest first."))
  )
  .prefix("/v1/dashboard")
  .annotateMerge(
    OpenApi.annotations({
      title: "Inbox",
      description: "Conversations on WhatsApp: messages, replies, notes, files, and which agents have a lead open."
    })
  ) {}

/** Texts that agents reuse in replies. */
export class SavedReplyApi extends HttpApiGroup.make("savedReplies")
  .add(
    HttpApiEndpoint.get("list", "/saved-replies", {
      success: listOf(SavedReplyAnswer),
      error: answers.read
    })
      .middleware(Viewer)
      .annotateMerge(describe("List saved replies", "Oldest first.")),
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
      description: "Texts that agents reuse in replies."
    })
  ) {}

/** The labels that agents put on leads. */
export class LabelApi extends HttpApiGroup.make("labels")
  .add(
    HttpApiEndpoint.get("list", "/labels", { success: listOf(LabelAnswer), error: answers.read })
      .middleware(Viewer)
      .annotateMerge(describe("List labels", "Oldest first. All environments of a merchant share them.")),
    HttpApiEndpoint.post("create", "/labels", {
      payload: NewLabelPayload,
      success: NewLabelAnswer,
      error: answers.post
    })
      .middleware(Admin)
      .annotateMerge(describe("Create a label", "A merchant has at most 50.")),
    HttpApiEndpoint.patch("update", "/labels/:id", {
      params: { id: Schema.String },
      payload: ChangeLabelPayload,
      success: LabelAnswer,
      error: [...answers.change, NotFound]
    })
      .middleware(Admin)
      .annotateMerge(describe("Change a label", "Leads have the label's id, so each of them shows the new name.")),
    HttpApiEndpoint.delete("delete", "/labels/:id", {
      params: { id: Schema.String },
      success: HttpApiSchema.NoContent,
      error: answers.lookup
    })
      .middleware(Admin)
      .annotateMerge(describe("Delete a label", "It goes from every lead. The histories of leads keep its name."))
  )
  .prefix("/v1/dashboard")
  .annotateMerge(
    OpenApi.annotations({
      title: "Labels",
      description: "Words with a colour that agents put on leads, to find them again."
    })
  ) {}
