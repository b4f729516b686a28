import { Clock, Effect, Schema } from "effect"
import type { Caller } from "../../account/merchant/Caller.ts"
import { seesIdentities } from "../../account/merchant/seesIdentities.ts"
import type { Keyring } from "../../foundation/secret/Keyring.ts"
import type { LookUp } from "../../account/merchant/makeLookUp.ts"
import { InvalidField, invalidField } from "../../foundation/identity/InvalidField.ts"
import * as Problem from "../../foundation/identity/Problem.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { labelsOf, ownerOf, teamOf } from "./changeLead.ts"
import * as Cursor from "./Cursor.ts"
import { customerPhone } from "../../foundation/identity/customerPhone.ts"
import { canonicalName, checkEmail, checkPage, checkSize, checkWord } from "./inboxFields.ts"
import type { LabelStore } from "./Label.ts"
import { type Lead, type LeadEntry, LeadStatus, snoozedUntil, waitingSince, waitsFrom } from "./Lead.ts"
import { UnknownLabel, UnknownLead, UnknownTeam } from "./LeadError.ts"
import type {
  Found,
  LeadListRequest,
  LeadPageRequest,
  LeadReference,
  LeadSearchRequest,
  PartRequest,
  Waiting
} from "./LeadRequest.ts"
import { unreadOf } from "./LeadRead.ts"
import type { StaffStore } from "../../auth/staff/StaffStore.ts"
import type { LeadStore } from "./LeadStore.ts"
import type { LeadRow, LeadView, Part } from "./LeadView.ts"
import { shown } from "./shown.ts"
import { searchWords } from "./searchWords.ts"
import { minutes } from "../../foundation/time/Instant.ts"

/** The largest possible lead id. */
const greatestId = 2_147_483_647
const mostFound = 100
/** Waiting leads beyond this many are not counted. */
const mostWaiting = 1_000
const leastLetters = 2
const leastDigits = 4
/** How many leading digits of a number in a name the mask shows. */
const mostShown = 2
/** The number of digits of a whole number without its country code. */
const fullNumberDigits = 10

/**
 * A lead moves to the time its customer wrote, a few seconds in the past. So it may land between the start of the list
 * and the reader's position. Moved leads are therefore looked up from this long before the list's first lead. A message
 * that arrives later than that may move its lead past the reader.
 */
const mostLate = minutes(1)

const LeadCursor = Schema.Struct({
  /** From where on to look up the leads that moved since the first page was read. */
  began: Schema.Struct({ at: Schema.Number, id: Schema.Number }),
  at: Schema.NullOr(Schema.Number),
  id: Schema.Number,
  /** Whether the reader has passed the end and now reads the moved leads. */
  moved: Schema.Boolean
})
type LeadCursor = typeof LeadCursor.Type

const Place = Schema.Struct({ at: Schema.Number, id: Schema.Number })

const digitsIn = (text: string): number => text.normalize("NFKC").match(/\p{N}/gu)?.length ?? 0

const nobody: StaffStore.Staff = { agents: [], teams: [] }

/** Reads leads for a caller: pages, lists, searches, and a single lead by id or number. */
export const makeLeadLists = (
  store: LeadStore["Service"],
  staffStore: StaffStore["Service"],
  labelStore: LabelStore["Service"],
  keyring: Keyring["Service"],
  lookUp: LookUp
) => {
  const views = Effect.fnUntraced(function* (
    { environment, merchantId, person }: Caller,
    leads: ReadonlyArray<Lead>,
    staff?: StaffStore.Staff
  ) {
    const loadedStaff = leads.length === 0 ? nobody : (staff ?? (yield* staffStore.staff(merchantId)))
    const ids = leads.map(({ id }) => id)
    const labels = leads.every((lead) => lead.labels.length === 0) ? [] : yield* labelStore.list(merchantId)
    const reads = person === null || leads.length === 0 ? [] : yield* store.reads(environment, person.agentId, ids)
    const readOf = new Map(reads.map((read) => [read.leadId, read]))
    const now = yield* Clock.currentTimeMillis
    return leads.map(
      (lead): LeadView => ({
        lead,
        assignedTo: ownerOf(lead, loadedStaff),
        teamName: teamOf(lead, loadedStaff)?.name ?? null,
        labels: labelsOf(lead, labels),
        unreadCount: unreadOf(lead, readOf.get(lead.id)),
        waitingSince: waitingSince(lead, now),
        snoozedUntil: snoozedUntil(lead, now)
      })
    )
  })

  /** Leads for a list: with the latest message of each one, as the conversation shows it. */
  const listRows = Effect.fnUntraced(function* (caller: Caller, leads: ReadonlyArray<Lead>) {
    if (leads.length === 0) return []
    const ids = leads.map(({ id }) => id)
    const [all, found] = yield* Effect.all([views(caller, leads), store.latest(caller.environment, ids)], {
      concurrency: 2
    })
    const messages = new Map(found.flatMap((row) => (row.kind === "MESSAGE" ? [[row.leadId, row] as const] : [])))
    const amendments = found.filter(({ kind }) => kind !== "MESSAGE")
    return all.map((one): LeadRow => {
      const message = messages.get(one.lead.id)
      return { ...one, last: message === undefined ? null : shown(message, amendments, one.lead) }
    })
  })

  const view = (caller: Caller, lead: Lead, staff?: StaffStore.Staff) =>
    Effect.map(views(caller, [lead], staff), ([one]) => one!)

  const byId = Effect.fnUntraced(function* ({ environment }: Caller, id: number) {
    const lead = Number.isInteger(id) && id >= 1 && id <= greatestId ? yield* store.get(environment, id) : null
    return lead ?? (yield* new UnknownLead())
  })

  const phoneOf = ({ settings }: Caller, phone: string) =>
    Effect.fromResult(customerPhone(phone, settings.defaultCountry))

  const find = Effect.fnUntraced(function* (
    caller: Caller,
    reference: LeadReference
  ): Effect.fn.Return<Lead, InvalidField | UnknownLead | StoreError> {
    if ("leadId" in reference) return yield* byId(caller, reference.leadId)
    const phone = yield* phoneOf(caller, reference.phone)
    const { lead } = yield* store.known(caller.environment, { phone, userId: null }, [])
    return lead ?? (yield* new UnknownLead())
  })

  /**
   * The owner that a request filters by; undefined for any. `none` is true when no lead can match, such as for an
   * unknown address.
   */
  const ownerFilter = Effect.fnUntraced(function* (
    { merchantId }: Caller,
    { assignedTo, unassignedOnly }: Pick<LeadPageRequest, "assignedTo" | "unassignedOnly">
  ) {
    if (assignedTo == null) return { owner: unassignedOnly === true ? null : undefined, none: false }
    const canonical = yield* checkEmail("assignedTo", assignedTo)
    const { agents } = yield* staffStore.staff(merchantId)
    const agent = agents.find((candidate) => candidate.canonical === canonical)
    // A lead cannot be both assigned and unassigned.
    return { owner: agent?.id, none: agent === undefined || unassignedOnly === true }
  })

  const page = Effect.fnUntraced(function* (caller: Caller, request: LeadPageRequest) {
    const number = yield* checkPage(request.page)
    const size = yield* checkSize("size", request.size)
    const phone = request.phone == null ? undefined : yield* phoneOf(caller, request.phone)
    const { none: matchesNothing, owner } = yield* ownerFilter(caller, request)
    if (matchesNothing) return []
    const filter: LeadStore.Filter = {
      environment: caller.environment,
      ...(phone === undefined ? {} : { phone }),
      ...(owner === undefined ? {} : { assignedTo: owner })
    }
    const ask = store.page(filter, { offset: number * size, limit: size })
    const matches = yield* phone === undefined ? ask : lookUp(caller, "CONVERSATIONS", ask, (leads) => leads.length > 0)
    return yield* views(caller, matches)
  })

  /** The leads after a cursor, and the next cursor. */
  const next = Effect.fnUntraced(function* (filter: LeadStore.Filter, from: LeadCursor | null, limit: number) {
    const firstPage =
      from?.moved === true ? [] : yield* store.after(filter, from === null ? null : { at: from.at, id: from.id }, limit)
    const listStart = from?.began ?? { at: Math.max(0, (firstPage[0]?.lastMessageAt ?? 0) - mostLate), id: 0 }
    const last = firstPage.at(-1)
    if (firstPage.length === limit && last !== undefined) {
      return { found: firstPage, cursor: { began: listStart, at: last.lastMessageAt, id: last.id, moved: false } }
    }
    // The first page contained the whole list.
    if (from === null) return { found: firstPage, cursor: null }
    const since = from.moved ? { at: from.at ?? 0, id: from.id } : listStart
    const room = limit - firstPage.length
    const moved = yield* store.movedSince(filter, since, room)
    const latest = moved.at(-1)
    const cursor: LeadCursor | null =
      moved.length === room && latest !== undefined
        ? { began: listStart, at: latest.lastMessageAt, id: latest.id, moved: true }
        : null
    const pageIds = new Set(firstPage.map(({ id }) => id))
    return { found: [...firstPage, ...moved.filter(({ id }) => !pageIds.has(id))], cursor }
  })

  const list = Effect.fnUntraced(function* (caller: Caller, request: LeadListRequest) {
    const limit = yield* checkSize("limit", request.limit)
    const status = request.status == null ? undefined : yield* checkWord("status", LeadStatus, request.status, "OPEN")
    const { none: matchesNothing, owner } = yield* ownerFilter(caller, request)
    const team = request.team == null ? undefined : yield* findTeam(caller, request.team)
    const label = request.label == null ? undefined : yield* findLabel(caller, request.label)
    const filter: LeadStore.Filter = {
      environment: caller.environment,
      ...(status === undefined ? {} : { status }),
      ...(owner === undefined ? {} : { assignedTo: owner }),
      ...(team === undefined ? {} : { teamId: team.id }),
      ...(label === undefined ? {} : { label: label.id })
    }
    const empty: Part<LeadRow> = { items: [], nextCursor: null }
    const { snoozedOnly: isSnoozed = false, waitingOnly: isWaiting = false } = request
    if (isWaiting === true || isSnoozed === true) {
      const now = yield* Clock.currentTimeMillis
      const name = `${isWaiting === true ? "waiting" : "snoozed"}:${JSON.stringify(filter)}`
      const start = isSnoozed === true ? { at: now, id: greatestId } : null
      const place = request.cursor == null ? start : yield* cursorOf(name, Place, request.cursor)
      // No lead is both snoozed and waiting.
      if (matchesNothing || status === "CLOSED" || isWaiting === isSnoozed) return empty
      const items = yield* store.waiting({ ...filter, until: isSnoozed === true ? Infinity : now }, place, limit)
      const last = items.length < limit ? undefined : items.at(-1)
      const nextCursor =
        last === undefined ? null : Cursor.write(keyring, name, { at: waitsFrom(last) ?? 0, id: last.id })
      const part: Part<LeadRow> = { items: yield* listRows(caller, items), nextCursor }
      return part
    }
    const name = `leads:${JSON.stringify(filter)}`
    const from = request.cursor == null ? null : yield* cursorOf(name, LeadCursor, request.cursor)
    if (matchesNothing) return empty
    const { cursor, found } = yield* next(filter, from, limit)
    const part: Part<LeadRow> = {
      items: yield* listRows(caller, found),
      nextCursor: cursor === null ? null : Cursor.write(keyring, name, cursor)
    }
    return part
  })

  const waiting = Effect.fnUntraced(function* ({ environment }: Caller) {
    const now = yield* Clock.currentTimeMillis
    const { count, since } = yield* store.countWaiting(environment, now, mostWaiting + 1)
    const answer: Waiting = { count: Math.min(count, mostWaiting), more: count > mostWaiting, since }
    return answer
  })

  const findTeam = Effect.fnUntraced(function* ({ merchantId }: Caller, name: string) {
    const canonical = canonicalName(name.trim())
    const { teams } = yield* staffStore.staff(merchantId)
    return teams.find((team) => team.canonical === canonical) ?? (yield* new UnknownTeam())
  })

  const findLabel = Effect.fnUntraced(function* ({ merchantId }: Caller, idOrName: string) {
    const [all, canonical] = [yield* labelStore.list(merchantId), canonicalName(idOrName.trim())]
    const found = all.find(({ id, name }) => id === idOrName || canonicalName(name) === canonical)
    return found ?? (yield* new UnknownLabel())
  })

  const cursorOf = <A>(
    name: string,
    schema: Schema.Codec<A, unknown>,
    text: string
  ): Effect.Effect<A, InvalidField> => {
    const place = Cursor.read(keyring, name, schema, text)
    return place === undefined ? Effect.fail(invalidField("cursor", Problem.of("CURSOR"))) : Effect.succeed(place)
  }

  const search = Effect.fnUntraced(function* (
    caller: Caller,
    { limit, search: text, ...otherFilters }: LeadSearchRequest
  ) {
    const otherFilter = Object.entries(otherFilters).find(([, value]) => value != null)
    if (otherFilter !== undefined)
      return yield* new InvalidField({ field: otherFilter[0], problem: "cannot be combined with search" })
    const most = limit == null ? mostFound : Math.min(yield* checkSize("limit", limit), mostFound)
    const digits = text.replace(/[^0-9]/g, "")
    const words = searchWords(text)
    const letters = words.join("").match(/\p{L}/gu)?.length ?? 0
    if (letters < leastLetters && digits.length < leastDigits) {
      return yield* invalidField("search", Problem.of("SEARCH_SHORT", { letters: leastLetters, digits: leastDigits }))
    }
    const byNumber = letters < leastLetters
    // Callers who see masked numbers could find a number digit by digit with longer and longer ends.
    if (
      byNumber &&
      !seesIdentities(caller, "CONVERSATIONS") &&
      digits.length > leastDigits &&
      digits.length < fullNumberDigits
    )
      return yield* invalidField("search", Problem.of("SEARCH_DIGITS", { digits: leastDigits }))
    if (!byNumber && !seesIdentities(caller, "CONVERSATIONS") && digitsIn(text) > mostShown)
      return yield* invalidField("search", Problem.of("SEARCH_MIXED", { max: mostShown }))
    const condition = byNumber ? { phoneEnd: digits } : { words }
    const ask = store.search(caller.environment, condition, mostFound + 1)
    const isWhole = byNumber && digits.length > leastDigits
    const matches = yield* isWhole ? lookUp(caller, "CONVERSATIONS", ask, (leads) => leads.length > 0) : ask
    const listed = matches.slice(0, mostFound).toSorted(byActivity).slice(0, most)
    const answer: Found = { items: yield* listRows(caller, listed), more: matches.length > most }
    return answer
  })

  const HistoryCursor = Schema.Number
  const history = Effect.fnUntraced(function* (caller: Caller, leadId: number, request: PartRequest) {
    const limit = yield* checkSize("limit", request.limit)
    const lead = yield* byId(caller, leadId)
    const name = `history:${lead.environment}:${lead.id}`
    const beforeEntry = request.cursor == null ? null : yield* cursorOf(name, HistoryCursor, request.cursor)
    const items = yield* store.history(lead, beforeEntry, limit)
    const last = items.at(-1)
    const part: Part<LeadEntry> = {
      items,
      nextCursor: last === undefined || last.number === 1 ? null : Cursor.write(keyring, name, last.number)
    }
    return part
  })

  return {
    view,
    find,
    byId,
    cursorOf,
    calls: {
      page,
      list,
      waiting,
      search,
      history,
      get: (caller: Caller, id: number) => Effect.flatMap(byId(caller, id), (lead) => view(caller, lead))
    }
  }
}

export type LeadLists = ReturnType<typeof makeLeadLists>

const placeOf = ({ id, lastMessageAt }: Lead): LeadStore.Cursor => ({ at: lastMessageAt, id })

/** Most recently active first; leads without messages last. */
const byActivity = (a: Lead, b: Lead): number => {
  const [left, right] = [placeOf(a), placeOf(b)]
  return (right.at ?? -1) - (left.at ?? -1) || right.id - left.id
}
