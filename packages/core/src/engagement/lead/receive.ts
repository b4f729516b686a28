import type { Event, EventOf } from "../../foundation/event/Event.ts"
import type { Agent } from "../../auth/person/Agent.ts"
import type { Fact } from "../../foundation/outbox/Fact.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { Arrived, Written } from "./Arrived.ts"
import { autoAssign } from "./autoAssign.ts"
import { eventText } from "./eventText.ts"
import { type Lead, type LeadEntry, waitingSince } from "./Lead.ts"
import { leadFacts } from "./leadFacts.ts"
import type { LeadMessage, MessageKind } from "./LeadMessage.ts"
import { unchanged, type StepActor, withEntry, type LeadStep } from "./LeadStep.ts"
import type { StaffStore } from "../../auth/person/StaffStore.ts"
import type { Allocation } from "./Allocation.ts"

/** The state that decides the meaning of incoming messages. */
export interface Correspondence {
  readonly environment: string
  /** The existing leads of all senders, by number and by the provider's id. */
  readonly leads: ReadonlyArray<Lead>
  /** The provider's ids of messages that are already stored. */
  readonly kept: ReadonlySet<string>
  /** The campaigns of quoted messages, by the provider's message ids. */
  readonly campaigns: ReadonlyMap<string, string>
  readonly staff: StaffStore.Staff
}

/** The changes that incoming messages cause. */
export interface Received {
  /** The changed leads. */
  readonly leads: ReadonlyArray<Lead>
  readonly messages: ReadonlyArray<LeadMessage>
  readonly entries: ReadonlyArray<LeadEntry>
  readonly events: ReadonlyArray<Event>
  readonly facts: ReadonlyArray<Fact>
  /** The agents to whom leads are assigned. */
  readonly active: ReadonlyArray<Pick<Agent, "id" | "merchantId">>
}

type Message = Extract<Written, { readonly _tag: "Message" }>

const kindOf: { readonly [T in Written["_tag"]]: MessageKind } = {
  Message: "MESSAGE",
  Reaction: "REACTION",
  Edit: "EDIT",
  Deletion: "DELETION",
  System: "SYSTEM"
}

const textOf = (written: Written): string | null => {
  switch (written._tag) {
    case "Message":
    case "Edit":
      return written.text
    case "Reaction":
      return written.emoji
    case "System":
      return written.what
    case "Deletion":
      return null
  }
}

const rowOf = ({ id, written }: Arrived, lead: Lead | null, environment: string, at: Instant): LeadMessage => {
  const message = written._tag === "Message" ? written : null
  return {
    environment,
    id,
    version: 0,
    leadId: lead?.id ?? null,
    writer: lead === null ? { phone: written.sender.phone, userId: written.sender.userId } : null,
    kind: kindOf[written._tag],
    direction: "IN",
    type: message?.type ?? (written._tag === "Edit" ? "text" : "unknown"),
    text: textOf(written),
    payload: message?.payload ?? null,
    media: message?.media ?? null,
    location: message?.location ?? null,
    details: message?.details ?? null,
    context: message?.context ?? null,
    referral: message?.referral ?? null,
    about: "messageId" in written ? written.messageId : null,
    template: null,
    status: null,
    handedAt: null,
    providerCode: null,
    sentBy: null,
    at,
    providerId: written.id
  }
}

/** The later of two instants. */
const later = (a: Instant | null, b: Instant): Instant => Math.max(a ?? b, b)

/** The number is also the lead's contact, except for a lead that started without a number: its contact stays. */
const renumbered = (lead: Lead, phone: string): Pick<Lead, "contact" | "phone"> => ({
  phone,
  contact: lead.contact === lead.phone ? phone : lead.contact
})

/**
 * Keeps the profile name with the latest timestamp. With equal timestamps the choice does not depend on the order of
 * arrival.
 */
const named = (lead: Lead, name: string | null, at: Instant): Pick<Lead, "name" | "namedAt"> => {
  const known = { name: lead.name, namedAt: lead.namedAt }
  if (name === null || name === "") return known
  const isNews = lead.namedAt === null || at > lead.namedAt || (at === lead.namedAt && name > (lead.name ?? ""))
  return isNews ? { name, namedAt: at } : known
}

/** A provider id of only digits would look like a number, possibly that of another lead. */
const idContact = (userId: string | null): string | null =>
  userId !== null && /^[0-9]+$/.test(userId) ? `id:${userId}` : userId

const firstLead = (
  environment: string,
  id: number,
  message: Message,
  campaignId: string | null,
  now: Instant
): Lead => ({
  environment,
  id,
  version: 0,
  // Providers identify every sender by number or id. The message id is the last resort.
  contact: message.sender.phone ?? idContact(message.sender.userId) ?? message.id,
  phone: message.sender.phone,
  userId: message.sender.userId,
  name: null,
  namedAt: null,
  status: "OPEN",
  assignedTo: null,
  teamId: null,
  origin: campaignId === null ? "INBOUND" : "CAMPAIGN",
  campaignId,
  referral: null,
  lastMessageAt: null,
  lastInboundAt: null,
  receiver: null,
  unreadCount: 0,
  entries: 0,
  createdAt: now
})

/**
 * Applies incoming messages to leads in order of arrival. Repeats change nothing. The resulting times, names and unread
 * counts do not depend on how messages are split into parcels or ordered.
 *
 * An unsupported message creates a lead but does not count as unread. Reactions, edits, deletions and system notes are
 * stored and do not count as unread either.
 */
export const receive = (
  arrived: ReadonlyArray<Arrived>,
  { campaigns, environment, kept, leads, staff }: Correspondence,
  allocation: Allocation,
  now: Instant
): Received => {
  const known = new Map(leads.map((lead) => [lead.id, lead]))
  const seen = new Set(kept)
  const messages: Array<LeadMessage> = []
  const entries: Array<LeadEntry> = []
  const events: Array<Event> = []
  const facts: Array<Fact> = []
  const changed = new Set<number>()
  const active = new Map<number, Pick<Agent, "id" | "merchantId">>()
  const actor: StepActor = { by: null, now }

  const byPhone = (phone: string | null) =>
    phone === null ? undefined : [...known.values()].find((lead) => lead.phone === phone)
  const byUser = (userId: string | null) =>
    userId === null ? undefined : [...known.values()].find((lead) => lead.userId === userId)

  const keep = ({ entries: more, lead }: LeadStep) => {
    known.set(lead.id, lead)
    changed.add(lead.id)
    entries.push(...more)
  }

  /**
   * Adds the sender's number and provider id to the lead, unless another lead has them. For a person known by provider
   * id, replies go to the number of the latest message. The earlier number may belong to a stranger by now.
   */
  const identified = (
    lead: Lead,
    { sender }: Message,
    isLatest: boolean
  ): Pick<Lead, "contact" | "phone" | "userId"> => ({
    ...((lead.phone === null || isLatest) && sender.phone !== null && byPhone(sender.phone) === undefined
      ? renumbered(lead, sender.phone)
      : { contact: lead.contact, phone: lead.phone }),
    userId: lead.userId ?? (byUser(sender.userId) === undefined ? sender.userId : null)
  })

  const write = ({ id }: Arrived, message: Message, found: Lead | undefined, at: Instant): Lead => {
    const isUnderstood = message.type !== "unknown"
    const campaignId = campaigns.get(message.context?.messageId ?? "") ?? null
    const before = found ?? firstLead(environment, allocation.leadId(), message, campaignId, now)
    const isFirst = before.lastInboundAt === null
    const opened =
      found === undefined
        ? withEntry(unchanged(before), {}, actor, "CREATED")
        : before.status === "CLOSED" && isUnderstood
          ? withEntry(unchanged(before), { status: "OPEN" }, actor, "REOPENED")
          : unchanged(before)
    const waits = waitingSince(before)
    const isLatest = before.lastInboundAt === null || at >= before.lastInboundAt
    const lead: Lead = {
      ...opened.lead,
      ...(found === undefined ? {} : identified(before, message, isLatest)),
      ...named(before, message.sender.profileName, at),
      referral: before.referral ?? message.referral,
      lastMessageAt: later(before.lastMessageAt, at),
      lastInboundAt: later(before.lastInboundAt, at),
      unansweredSince: waits === null ? at : Math.min(waits, at),
      receiver: isLatest ? message.receiver : before.receiver,
      unreadCount: before.unreadCount + (isUnderstood ? 1 : 0)
    }
    const isReopened = opened.lead.status !== before.status
    const step: LeadStep = { lead, entries: opened.entries }
    const given = isFirst || isReopened ? autoAssign(step, staff, allocation, actor) : step
    const owner = staff.agents.find((agent) => agent.id === given.lead.assignedTo)
    if (owner !== undefined && given.lead.assignedTo !== before.assignedTo) {
      active.set(owner.id, { id: owner.id, merchantId: owner.merchantId })
      allocation.took(owner.id)
    }
    keep(given)
    if (found === undefined) facts.push(...leadFacts(given.lead, at))
    if (isUnderstood)
      events.push(messageReceived(allocation.eventId(id), given.lead, message, found === undefined, now))
    return given.lead
  }

  for (const one of arrived) {
    const { written } = one
    if (seen.has(written.id)) continue
    seen.add(written.id)
    // A provider's clock may be ahead. Use now as the latest possible time.
    const at = Math.min(written.at, now)
    const found = byPhone(written.sender.phone) ?? byUser(written.sender.userId)
    const lead = written._tag === "Message" ? write(one, written, found, at) : (found ?? null)
    messages.push(rowOf(one, lead, environment, at))
    if (written._tag === "System" && written.newPhone !== null && found !== undefined) {
      const isFree = byPhone(written.newPhone) === undefined
      // If the lead has another number than the one that was given up, it has already moved on.
      const hadIt = found.phone === null || found.phone === written.sender.phone
      if (isFree && hadIt) keep(unchanged({ ...found, phone: written.newPhone, contact: written.newPhone }))
    }
  }

  return {
    leads: [...changed].flatMap((id) => known.get(id) ?? []),
    messages,
    entries,
    events,
    facts,
    active: [...active.values()]
  }
}

const messageReceived = (
  id: string,
  { campaignId, contact, environment, id: leadId, name }: Lead,
  message: Message,
  isNewLead: boolean,
  now: Instant
): EventOf<"message.received"> => ({
  id,
  environment,
  type: "message.received",
  createdAt: now,
  data: { leadId, isNewLead, campaignId, contact, name, text: eventText(message.text), messageId: message.id }
})
