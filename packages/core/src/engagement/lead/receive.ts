import type { Event, EventOf } from "../../foundation/event/Event.ts"
import type { Agent } from "../../auth/staff/Agent.ts"
import type { Fact } from "../../foundation/outbox/Fact.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { Arrived, Written } from "./Arrived.ts"
import { autoAssign } from "./autoAssign.ts"
import { eventText } from "./eventText.ts"
import type { Lead, LeadEntry } from "./Lead.ts"
import { leadFacts } from "./leadFacts.ts"
import type { LeadMessage, MessageKind } from "./LeadMessage.ts"
import { unchanged, type StepActor, withEntry, type LeadStep } from "./LeadStep.ts"
import type { StaffStore } from "../../auth/staff/StaffStore.ts"
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
    endedWait: null,
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
const nameAfter = (lead: Lead, name: string | null, at: Instant): Pick<Lead, "name" | "namedAt"> => {
  const current = { name: lead.name, namedAt: lead.namedAt }
  if (name === null || name === "") return current
  const isNews = lead.namedAt === null || at > lead.namedAt || (at === lead.namedAt && name > (lead.name ?? ""))
  return isNews ? { name, namedAt: at } : current
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
  labels: [],
  origin: campaignId === null ? "INBOUND" : "CAMPAIGN",
  campaignId,
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
  const leadsById = new Map(leads.map((lead) => [lead.id, lead]))
  const storedIds = new Set(kept)
  const messages: Array<LeadMessage> = []
  const entries: Array<LeadEntry> = []
  const events: Array<Event> = []
  const facts: Array<Fact> = []
  const changedIds = new Set<number>()
  const activeAgents = new Map<number, Pick<Agent, "id" | "merchantId">>()
  const actor: StepActor = { by: null, now }

  const byPhone = (phone: string | null) =>
    phone === null ? undefined : [...leadsById.values()].find((lead) => lead.phone === phone)
  const byUser = (userId: string | null) =>
    userId === null ? undefined : [...leadsById.values()].find((lead) => lead.userId === userId)

  const keep = ({ entries: newEntries, lead }: LeadStep) => {
    leadsById.set(lead.id, lead)
    changedIds.add(lead.id)
    entries.push(...newEntries)
  }

  /**
   * Adds the sender's number and provider id to the lead, unless another lead has them. For a person known by provider
   * id, replies go to the number of the latest message. The earlier number may belong to a stranger by now.
   */
  const identityAfter = (
    lead: Lead,
    { sender }: Message,
    isLatest: boolean
  ): Pick<Lead, "contact" | "phone" | "userId"> => ({
    ...((lead.phone === null || isLatest) && sender.phone !== null && byPhone(sender.phone) === undefined
      ? renumbered(lead, sender.phone)
      : { contact: lead.contact, phone: lead.phone }),
    userId: lead.userId ?? (byUser(sender.userId) === undefined ? sender.userId : null)
  })

  const write = ({ id }: Arrived, message: Message, knownLead: Lead | undefined, at: Instant): Lead => {
    const isUnderstood = message.type !== "unknown"
    const campaignId = campaigns.get(message.context?.messageId ?? "") ?? null
    const previous = knownLead ?? firstLead(environment, allocation.leadId(), message, campaignId, now)
    const isFirst = previous.lastInboundAt === null
    const openStep =
      knownLead === undefined
        ? withEntry(unchanged(previous), {}, actor, "CREATED")
        : previous.status === "CLOSED" && isUnderstood
          ? withEntry(unchanged(previous), { status: "OPEN" }, actor, "REOPENED")
          : unchanged(previous)
    const waitingFrom = previous.status === "OPEN" ? previous.unansweredSince : null
    const isLatest = previous.lastInboundAt === null || at >= previous.lastInboundAt
    const lead: Lead = {
      ...openStep.lead,
      ...(knownLead === undefined ? {} : identityAfter(previous, message, isLatest)),
      ...nameAfter(previous, message.sender.profileName, at),
      referral: previous.referral ?? message.referral,
      lastMessageAt: later(previous.lastMessageAt, at),
      lastInboundAt: later(previous.lastInboundAt, at),
      unansweredSince: waitingFrom === null ? at : Math.min(waitingFrom, at),
      snoozedUntil: null,
      receiver: isLatest ? message.receiver : previous.receiver,
      unreadCount: previous.unreadCount + (isUnderstood ? 1 : 0),
      received: previous.received + (isUnderstood ? 1 : 0)
    }
    const isReopened = openStep.lead.status !== previous.status
    const step: LeadStep = { lead, entries: openStep.entries }
    const assigned = isFirst || isReopened ? autoAssign(step, staff, allocation, actor) : step
    const owner = staff.agents.find((agent) => agent.id === assigned.lead.assignedTo)
    if (owner !== undefined && assigned.lead.assignedTo !== previous.assignedTo) {
      activeAgents.set(owner.id, { id: owner.id, merchantId: owner.merchantId })
      allocation.took(owner.id)
    }
    keep(assigned)
    if (knownLead === undefined) facts.push(...leadFacts(assigned.lead, at))
    if (isUnderstood)
      events.push(messageReceived(allocation.eventId(id), assigned.lead, message, knownLead === undefined, now))
    return assigned.lead
  }

  for (const arrival of arrived) {
    const { written } = arrival
    if (storedIds.has(written.id)) continue
    storedIds.add(written.id)
    // A provider's clock may be ahead. Use now as the latest possible time.
    const at = Math.min(written.at, now)
    const knownLead = byPhone(written.sender.phone) ?? byUser(written.sender.userId)
    const lead = written._tag === "Message" ? write(arrival, written, knownLead, at) : (knownLead ?? null)
    messages.push(rowOf(arrival, lead, environment, at))
    if (written._tag === "System" && written.newPhone !== null && knownLead !== undefined) {
      const isNewNumberFree = byPhone(written.newPhone) === undefined
      // If the lead has another number than the one that was given up, it has already moved on.
      const hadOldNumber = knownLead.phone === null || knownLead.phone === written.sender.phone
      if (isNewNumberFree && hadOldNumber)
        keep(unchanged({ ...knownLead, phone: written.newPhone, contact: written.newPhone }))
    }
  }

  return {
    leads: [...changedIds].flatMap((id) => leadsById.get(id) ?? []),
    messages,
    entries,
    events,
    facts,
    active: [...activeAgents.values()]
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
