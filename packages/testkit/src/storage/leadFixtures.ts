import { Identifier } from "@countersign/core"
import {
  type Agent,
  type ConnectedNumber,
  type Label,
  type Lead,
  type LeadEntry,
  type LeadMessage,
  LeadStore,
  StaffStore,
  type SavedReply,
  type Team
} from "@countersign/core/storage"
import { Effect } from "effect"
import { fresh, noon } from "./fixtures.ts"

const id = (prefix: Identifier.Prefix) =>
  Identifier.make(prefix, Math.floor(performance.timeOrigin + performance.now()))

let people = 0
/** A number of twelve digits that no other check of this run uses. */
export const freshPhone = (): string => String(919_000_000_000 + ++people)

export const lead = (environment: string, number: number, fields: Partial<Lead> = {}): Lead => {
  const { phone = freshPhone() } = fields
  return {
    environment,
    id: number,
    version: 0,
    contact: phone ?? fields.userId ?? fresh("user"),
    phone,
    userId: null,
    name: null,
    namedAt: null,
    status: "OPEN",
    assignedTo: null,
    teamId: null,
    labels: [],
    origin: "INBOUND",
    campaignId: null,
    referral: null,
    lastMessageAt: noon,
    lastInboundAt: noon,
    unansweredSince: null,
    snoozedUntil: null,
    receiver: "1099",
    unreadCount: 0,
    received: 0,
    entries: 0,
    createdAt: noon,
    ...fields
  }
}

export const message = (
  environment: string,
  leadId: number | null,
  fields: Partial<LeadMessage> = {}
): LeadMessage => ({
  environment,
  id: id("msg"),
  version: 0,
  leadId,
  writer: null,
  kind: "MESSAGE",
  direction: "IN",
  type: "text",
  text: "Is it open today?",
  payload: null,
  media: null,
  location: null,
  details: null,
  context: null,
  referral: null,
  about: null,
  template: null,
  status: null,
  endedWait: null,
  handedAt: null,
  providerCode: null,
  sentBy: null,
  at: noon,
  providerId: fresh("wamid"),
  ...fields
})

export const entry = ({ environment, id }: Lead, number: number, fields: Partial<LeadEntry> = {}): LeadEntry => ({
  environment,
  leadId: id,
  number,
  at: noon,
  by: "asha@shop.example",
  kind: "ASSIGNED",
  from: null,
  to: "ravi@shop.example",
  ...fields
})

export const agent = (merchantId: string, number: number, fields: Partial<Agent> = {}): Agent => {
  const email = fields.email ?? `${fresh("agent")}@shop.example`
  return {
    merchantId,
    id: number,
    version: 0,
    email,
    canonical: email.toLowerCase(),
    name: "Asha मेहता",
    digest: { minutes: 15, chosenAt: noon, mailedAt: null },
    devices: [
      {
        id: "a1b2c3",
        endpoint: "https://push.example.com/subscriptions/ü?a=1",
        p256dh: "BAAA",
        auth: "AAAA",
        keyId: "0a0b0c",
        sessionId: "ses_1",
        userAgent: null,
        addedAt: noon,
        seenAt: noon
      }
    ],
    role: "AGENT",
    status: "ACTIVE",
    era: 0,
    agreedAt: null,
    removedAt: null,
    createdAt: noon,
    ...fields
  }
}

export const team = (merchantId: string, number: number, fields: Partial<Team> = {}): Team => {
  const name = fields.name ?? fresh("Team")
  return {
    merchantId,
    id: number,
    version: 0,
    name,
    canonical: name.toLowerCase(),
    assignment: "OFF",
    members: [],
    takesNew: false,
    removedAt: null,
    createdAt: noon,
    ...fields
  }
}

export const connectedNumber = (environment: string, fields: Partial<ConnectedNumber> = {}): ConnectedNumber => ({
  id: fresh("1099"),
  environment,
  version: 0,
  accountId: fresh("waba"),
  displayNumber: "+91 90000 00000",
  displayName: "Corner shop",
  sealed: "v1.sealed",
  connectedAt: noon,
  ...fields
})

export const savedReply = (environment: string, fields: Partial<SavedReply> = {}): SavedReply => ({
  environment,
  id: id("srp"),
  name: fresh("Thanks"),
  text: "Thank you for writing to us.",
  createdAt: noon,
  ...fields
})

export const label = (merchantId: string, fields: Partial<Label> = {}): Label => ({
  merchantId,
  id: id("lbl"),
  name: fresh("VIP"),
  colour: "PURPLE",
  createdAt: noon,
  ...fields
})

export const commit = Effect.fnUntraced(function* (parts: Partial<LeadStore.Change>) {
  return yield* (yield* LeadStore).commit(LeadStore.change(parts))
})

export const commitStaff = Effect.fnUntraced(function* (parts: Partial<StaffStore.Change>) {
  return yield* (yield* StaffStore).commit(StaffStore.change(parts))
})

export const staffOf = Effect.fnUntraced(function* (merchantId: string) {
  return yield* (yield* StaffStore).staff(merchantId)
})

/** Saves new leads in one change, and returns them as stored. */
export const saved = Effect.fnUntraced(function* (leads: ReadonlyArray<Lead>) {
  return (yield* commit({ leads })).leads
})

/** The order that storage must return: the most recently active first, then by id descending. */
export const byActivity = (leads: ReadonlyArray<Lead>): ReadonlyArray<Lead> =>
  leads.toSorted((a, b) => (b.lastMessageAt ?? -Infinity) - (a.lastMessageAt ?? -Infinity) || b.id - a.id)

export const matches =
  ({ assignedTo, environment, label, phone, status, teamId }: LeadStore.Filter) =>
  (lead: Lead): boolean =>
    lead.environment === environment &&
    (phone === undefined || lead.phone === phone) &&
    (assignedTo === undefined || lead.assignedTo === assignedTo) &&
    (status === undefined || lead.status === status) &&
    (teamId === undefined || lead.teamId === teamId) &&
    (label === undefined || lead.labels.includes(label))
