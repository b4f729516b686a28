import { Clock, Effect, Result, Schema } from "effect"
import { invalidField } from "../../foundation/identity/InvalidField.ts"
import * as Problem from "../../foundation/identity/Problem.ts"
import { lowJobs } from "../../account/billing/balanceLow.ts"
import type { BalanceStore } from "../../account/billing/BalanceStore.ts"
import { paymentRequired } from "../../account/billing/PaymentRequired.ts"
import { loadBudget, priceFrom } from "../../account/billing/Budget.ts"
import { carries } from "../../foundation/delivery/carries.ts"
import type { Channel } from "../../foundation/delivery/Channel.ts"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import type { Caller } from "../../account/merchant/Caller.ts"
import type { Numbers } from "../../account/number/Numbers.ts"
import type { OptOuts } from "../optOut/OptOuts.ts"
import type { Committer, Outbox } from "../../foundation/outbox/Outbox.ts"
import * as RequestKey from "../../foundation/outbox/RequestKey.ts"
import type { Keyring } from "../../foundation/secret/Keyring.ts"
import { untilCommitted } from "../../foundation/storage/untilCommitted.ts"
import { catalogueOf } from "../../message/template/choose.ts"
import type { TemplateCatalogue } from "../../message/template/TemplateCatalogue.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import { answered, takenByAnswer } from "./changeLead.ts"
import * as Attachment from "./Attachment.ts"
import { type CheckedReply, checkReply, checkWindow, type ReplyRequest } from "./checkReply.ts"
import * as Cursor from "./Cursor.ts"
import type { FileType } from "./fileType.ts"
import { checkSize, checkText } from "./inboxFields.ts"
import { isUnwelcome } from "./isUnwelcome.ts"
import { replyJob } from "./inboxJobs.ts"
import type { Lead } from "./Lead.ts"
import { UnknownMessage } from "./LeadError.ts"
import type { LeadLists } from "./leadLists.ts"
import { type LeadMessage, type Reply, replyBookings } from "./LeadMessage.ts"
import type { MessageMedia, PartRequest } from "./LeadRequest.ts"
import { byOf, unchanged } from "./LeadStep.ts"
import type { StaffStore } from "../../auth/staff/StaffStore.ts"
import { LeadStore } from "./LeadStore.ts"
import type { MessageView, Part } from "./LeadView.ts"
import { shown } from "./shown.ts"

const longestNote = 4_096
const noTemplates = catalogueOf([], [], true)

const MessageCursor = Schema.Struct({ at: Schema.Number, id: Schema.String })

/** A row that an agent or a key writes. */
const ours = (
  id: string,
  { environment, id: leadId }: Lead,
  by: string,
  now: Instant,
  more: Pick<LeadMessage, "direction" | "price" | "status"> & Partial<Pick<LeadMessage, "endedWait">> & CheckedReply
): LeadMessage => ({
  environment,
  id,
  version: 0,
  leadId,
  writer: null,
  kind: "MESSAGE",
  payload: null,
  location: null,
  details: null,
  context: null,
  referral: null,
  about: null,
  endedWait: null,
  handedAt: null,
  providerCode: null,
  sentBy: by,
  at: now,
  providerId: null,
  ...more
})

/** Reads and continues conversations for a caller. */
export const makeConversations = (on: {
  readonly store: LeadStore["Service"]
  readonly staffStore: StaffStore["Service"]
  readonly balances: BalanceStore["Service"]
  readonly currency: string
  readonly outbox: Outbox["Service"]
  readonly keyring: Keyring["Service"]
  readonly numbers: Numbers["Service"]
  readonly commit: Committer<LeadStore["Service"]>
  readonly lists: LeadLists
  readonly channel: Channel | undefined
  readonly optOuts: OptOuts["Service"]
  readonly templates: TemplateCatalogue["Service"]
}) => {
  const {
    balances,
    channel,
    commit,
    currency,
    keyring,
    lists,
    numbers,
    optOuts,
    outbox,
    staffStore,
    store,
    templates
  } = on

  const messages = Effect.fnUntraced(function* (caller: Caller, leadId: number, request: PartRequest) {
    const limit = yield* checkSize("limit", request.limit)
    const lead = yield* lists.byId(caller, leadId)
    const name = `messages:${lead.environment}:${lead.id}`
    const after = request.cursor == null ? null : yield* lists.cursorOf(name, MessageCursor, request.cursor)
    const rows = yield* store.messages(lead, after, limit)
    const providerIds = rows.flatMap(({ providerId }) => providerId ?? [])
    const amendments = providerIds.length === 0 ? [] : yield* store.amendments(lead, providerIds)
    const last = rows.length < limit ? undefined : rows.at(-1)
    const part: Part<MessageView> = {
      items: rows.map((row) => shown(row, amendments, lead)),
      nextCursor: last === undefined ? null : Cursor.write(keyring, name, { at: last.at, id: last.id })
    }
    return part
  })

  /** The account for a lead's files; null for the channel's own number. Undefined for a disconnected number. */
  const accountOf = Effect.fnUntraced(function* ({ environment, receiver }: Lead, { supports }: Channel) {
    const account = receiver === null ? null : yield* numbers.accountOf(environment, receiver)
    if (account !== null) return account
    // A disconnected number has no token any more, and the server's own token must not be used for its files.
    const isOurs = receiver === null || supports.senders === undefined || supports.senders.includes(receiver)
    return isOurs ? null : undefined
  })

  const media = Effect.fnUntraced(function* (caller: Caller, leadId: number, id: string) {
    const lead = yield* lists.byId(caller, leadId)
    const row = Identifier.is("msg", id) ? yield* store.message(caller.environment, id) : null
    if (row === null || row.leadId !== lead.id) return yield* new UnknownMessage()
    // A deleted message is hidden, and so is its file. A reply has no provider's id until it is sent.
    const amendments = row.providerId === null ? [] : yield* store.amendments(lead, [row.providerId])
    const file = shown(row, amendments, lead).media
    // A test environment calls no provider.
    if (file === null || caller.kind === "test" || channel?.accounts === undefined) return yield* new UnknownMessage()
    const account = yield* accountOf(lead, channel)
    if (account === undefined) return yield* new UnknownMessage()
    const content = yield* Effect.catchTag(channel.accounts.media(file.id, account), "MediaGone", () =>
      Effect.fail(new UnknownMessage())
    )
    const media: MessageMedia = { ...content, fileName: file.fileName }
    return media
  })

  /** Undefined if the channel sends no files. */
  const upload = channel !== undefined && carries(channel, "MOBILE", "Media") ? channel.accounts?.upload : undefined

  /** The provider's id of an uploaded file. A test environment calls no provider. */
  const uploaded = Effect.fnUntraced(function* (
    caller: Caller,
    lead: Lead,
    { endings: [ending], mimeType }: FileType,
    bytes: Uint8Array
  ) {
    if (caller.kind === "test") return `test-${yield* RequestKey.textFor("attachment", 16)}`
    if (channel === undefined || upload === undefined) {
      return yield* invalidField("file", Problem.of("FILES_OFF"))
    }
    const account = yield* accountOf(lead, channel)
    const sender = lead.receiver
    if (account === undefined || sender === null) {
      return yield* invalidField("file", Problem.of("FILE_NUMBER_GONE"))
    }
    return yield* upload({ bytes, mimeType, ending }, sender, account)
  })

  const attach = Effect.fnUntraced(function* (caller: Caller, leadId: number, bytes: Uint8Array) {
    const lead = yield* lists.byId(caller, leadId)
    const now = yield* Clock.currentTimeMillis
    yield* checkWindow("file", lead, now)
    const type = yield* Attachment.checkFile(bytes)
    const id = yield* uploaded(caller, lead, type, bytes)
    return Attachment.write(keyring, lead, type, { id, size: bytes.length }, now)
  })

  /** The row that an earlier try of this request wrote, in its current state. */
  const writtenBefore = Effect.fnUntraced(function* (lead: Lead, id: string) {
    const row = yield* store.message(lead.environment, id)
    if (row === null) return null
    return shown(row, row.providerId === null ? [] : yield* store.amendments(lead, [row.providerId]), lead)
  })

  const note = Effect.fnUntraced(function* (caller: Caller, leadId: number, rawText: string) {
    const text = yield* checkText("text", rawText, longestNote)
    const lead = yield* lists.byId(caller, leadId)
    const now = yield* Clock.currentTimeMillis
    const id = yield* RequestKey.idFor("msg", now)
    const row = ours(id, lead, byOf(caller), now, {
      direction: "NOTE",
      status: null,
      type: "text",
      text,
      template: null,
      media: null
    })
    const write = Effect.as(commit(LeadStore.change({ messages: [row] })), shown(row, [], lead))
    return yield* untilCommitted(RequestKey.once(writtenBefore(lead, id), write))
  })

  /** The lead after an answer. Only an agent's answer reads the staff. */
  const answer = Effect.fnUntraced(function* (caller: Caller, lead: Lead, now: Instant) {
    const step = unchanged(answered(lead, now))
    if (caller.person === null || !caller.settings.answerAssigns) return step
    return takenByAnswer(step, caller, yield* staffStore.staff(caller.merchantId), { by: byOf(caller), now })
  })

  const send = Effect.fnUntraced(function* (
    caller: Caller,
    lead: Lead,
    id: string,
    request: ReplyRequest,
    now: Instant
  ) {
    // Plain text needs no templates.
    const catalogue = request.template == null ? noTemplates : yield* templates.of(caller.environment)
    const checked = yield* checkReply(lead, request, { keyring, catalogue, settings: caller.settings }, now)
    if (checked.template !== null) yield* checkTemplateUse(lead, now)
    const budget = yield* loadBudget(balances, caller, now)
    const priced = priceFrom(budget, "WHATSAPP", lead.phone ?? lead.userId ?? "")
    if (Result.isFailure(priced)) {
      const jobs = lowJobs(budget, [], now)
      if (jobs.length > 0) yield* outbox.addMissing({ jobs, done: null })
      const to = { channel: "WHATSAPP", identity: lead.phone ?? "", requestId: null } as const
      return yield* paymentRequired(priced.failure, budget, to, currency)
    }
    const price = priced.success === null ? {} : { price: priced.success }
    const endedWait = lead.status === "OPEN" ? lead.unansweredSince : null
    const row: Reply = {
      ...ours(id, lead, byOf(caller), now, { direction: "OUT", status: "PENDING", endedWait, ...price, ...checked }),
      status: "PENDING"
    }
    const booked = replyBookings([], row, now)
    const job = replyJob(lead.environment, row.id, caller.kind === "test" ? null : "WHATSAPP", now)
    const jobs = [job, ...lowJobs(budget, booked, now)]
    const step = yield* answer(caller, lead, now)
    const isTaken = step.lead.assignedTo !== lead.assignedTo && step.lead.assignedTo !== null
    const active = isTaken ? [{ id: step.lead.assignedTo!, merchantId: caller.merchantId }] : []
    yield* commit(
      LeadStore.change({ leads: [step.lead], entries: step.entries, active, messages: [row], jobs, booked })
    )
    return shown(row, [], lead)
  })

  /** Whether this customer may receive a template now from the number that would send it. */
  const checkTemplateUse = Effect.fnUntraced(function* (lead: Lead, now: Instant) {
    const number = lead.receiver ?? (yield* numbers.firstOf(lead.environment))
    if (!(yield* numbers.maySendTemplates(lead.environment, number)))
      return yield* invalidField("template", Problem.of("TEMPLATE_NOT_YOURS"))
    if (yield* isUnwelcome(optOuts, lead, now)) {
      return yield* invalidField("template", Problem.of("REPLY_OPTED_OUT"))
    }
  })

  const reply = (caller: Caller, leadId: number, request: ReplyRequest) =>
    untilCommitted(
      Effect.gen(function* () {
        const lead = yield* lists.byId(caller, leadId)
        const now = yield* Clock.currentTimeMillis
        const id = yield* RequestKey.idFor("msg", now)
        return yield* RequestKey.once(writtenBefore(lead, id), send(caller, lead, id, request, now))
      })
    )

  return { attach, messages, media, note, reply, sendsFiles: upload !== undefined }
}
