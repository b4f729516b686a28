import type { Launch } from "../../engagement/attribution/Launch.ts"
import type { Recipient } from "../../engagement/campaign/Recipient.ts"
import type { Event } from "../../foundation/event/Event.ts"
import type { Label } from "../../engagement/lead/Label.ts"
import type { Lead, LeadEntry } from "../../engagement/lead/Lead.ts"
import type { LeadMessage } from "../../engagement/lead/LeadMessage.ts"
import type { OptOut } from "../../engagement/optOut/OptOutStore.ts"
import type { EnvironmentKind } from "../../account/merchant/Merchant.ts"
import { type Instant, toIso, toIsoOrNull } from "../../foundation/time/Instant.ts"
import type { Subject } from "../../auth/verification/Subject.ts"
import type { Verification } from "../../auth/verification/Verification.ts"
import type { Refusal } from "../search/Refusal.ts"
import type { PersonQuery } from "./PersonQuery.ts"

/** The kinds of lines in an export. */
export const ExportedKind = [
  "person",
  "verification",
  "launch",
  "refusal",
  "device",
  "limits",
  "optOut",
  "recipient",
  "lead",
  "message",
  "history",
  "event",
  "end"
] as const

/** One line of an export, in readable form. */
export interface Exported {
  readonly kind: (typeof ExportedKind)[number]
  readonly [field: string]: unknown
}

/** The last line. An export without it is incomplete. */
export const end: Exported = { kind: "end" }

export const ofPerson = ({ canonical, type }: PersonQuery, environment: EnvironmentKind, now: Instant): Exported => ({
  kind: "person",
  identity: type === "MOBILE" ? `+${canonical}` : canonical,
  identityType: type,
  environment,
  exportedAt: toIso(now)
})

const noHandover = { redirectUri: null, state: null }

export const ofVerification = (verification: Verification): Exported => {
  const { channel, createdAt, deliveries, id, identity, launchId = null, method, mode, path, status } = verification
  const { context = null, deviceInfo, earlierOrderIds = [], orderId, verifiedAt } = verification
  const { redirectUri, state } = "handover" in verification ? verification.handover : noHandover
  return {
    kind: "verification",
    requestId: id,
    identity: identity.spelling,
    identityType: identity.type,
    mode,
    channel,
    path,
    orderId,
    earlierOrderIds,
    authStatus: status,
    method,
    launchId,
    redirectUri,
    state,
    // JSON text, as it is stored.
    deviceInfo,
    context,
    createdAt: toIso(createdAt),
    verifiedAt: toIsoOrNull(verifiedAt),
    deliveries: deliveries.map((delivery) => ({
      id: delivery.id,
      channel: delivery.channel,
      type: delivery.type,
      deliveryStatus: delivery.status,
      attemptNumber: delivery.attemptNumber,
      carrier: delivery.carrier ?? null,
      providerId: delivery.providerId,
      providerCode: delivery.providerCode,
      createdAt: toIso(delivery.createdAt)
    }))
  }
}

/** A request for a code that was refused. */
export const ofRefusal = ({ at, channel, errorCode, id, path, reason }: Refusal): Exported => ({
  kind: "refusal",
  id,
  at: toIso(at),
  path,
  channel,
  errorCode,
  reason
})

export const ofLaunch = ({ at, details, id, origin }: Launch): Exported => ({
  kind: "launch",
  launchId: id,
  at: toIso(at),
  ...origin,
  ...details
})

/** The person's trusted devices and rate limits. */
export const ofSubject = ({ codes, devices, guesses, unused }: Subject): ReadonlyArray<Exported> => [
  ...devices.trusted.map(({ id, label, trustedAt, usedAt }) => ({
    kind: "device" as const,
    id,
    label,
    trustedAt: toIso(trustedAt),
    lastUsedAt: toIso(usedAt)
  })),
  {
    kind: "limits",
    codes: codes.map(({ at, path, spelling }) => ({ identity: spelling, path, at: at.map(toIso) })),
    wrongCodes: { server: guesses.SERVER.failures, sdk: guesses.SDK.failures },
    messagesSinceSignIn: unused ?? null
  }
]

/** The person's latest choice about campaigns. */
export const ofOptOut = ({ at, by, isOut }: OptOut): Exported => ({
  kind: "optOut",
  wantsNone: isOut,
  by,
  at: toIso(at)
})

/** A campaign message to the person. */
export const ofRecipient = ({
  campaignId,
  handedAt,
  phone,
  providerCode,
  providerId,
  status,
  values
}: Recipient): Exported => ({
  kind: "recipient",
  campaignId,
  phone,
  values,
  status,
  problem: providerCode,
  providerId,
  handedAt: toIsoOrNull(handedAt)
})

export const ofLead = (lead: Lead, labels: ReadonlyArray<Label>): Exported => ({
  kind: "lead",
  leadId: lead.id,
  contact: lead.contact,
  phone: lead.phone,
  userId: lead.userId,
  name: lead.name,
  labels: labels.map(({ name }) => name),
  status: lead.status,
  origin: lead.origin,
  campaignId: lead.campaignId,
  referral: lead.referral,
  createdAt: toIso(lead.createdAt),
  lastMessageAt: toIsoOrNull(lead.lastMessageAt)
})

export const ofMessage = (message: LeadMessage): Exported => ({
  kind: "message",
  id: message.id,
  leadId: message.leadId,
  what: message.kind,
  direction: message.direction,
  type: message.type,
  text: message.text,
  payload: message.payload,
  media: message.media,
  location: message.location,
  details: message.details,
  template: message.template,
  status: message.status,
  error: message.providerCode,
  sentBy: message.sentBy,
  providerId: message.providerId,
  about: message.about,
  at: toIso(message.at)
})

export const ofEntry = ({ at, by, from, kind, leadId, to }: LeadEntry): Exported => ({
  kind: "history",
  leadId,
  what: kind,
  by,
  from,
  to,
  at: toIso(at)
})

export const ofEvent = ({ createdAt, data, id, type }: Event): Exported => ({
  kind: "event",
  id,
  type,
  createdAt: toIso(createdAt),
  data
})
