import type { LeadChange } from "@countersign/core/storage"
import { guardedStatements, type Named } from "./guardedStatements.ts"
import { leadParts } from "./leadParts.ts"
import { encodeLead, encodeMessage, isId, isInstant } from "./leadRows.ts"
import { type EncodedOutgoing, encode as encodeOutgoing } from "./outboxParts.ts"
import { storable } from "./parameters.ts"

/** A change with its texts, made in its caller's own fiber: what cannot be written harms nobody else. */
export interface EncodedLeadChange extends Named {
  readonly change: LeadChange
  /** What those that may not be in flight together have in common, as far as one name can say it. */
  readonly key: string
  readonly leads: ReadonlyArray<string>
  readonly messages: ReadonlyArray<string>
  readonly outgoing: EncodedOutgoing
}

const nameOf = (kind: string, ...parts: ReadonlyArray<string | number>) => [kind, ...parts].join("\u0000")

const names = ({ agents, leads, messages, teams }: LeadChange): ReadonlyArray<string> => [
  ...leads.flatMap(({ contact, environment, id, phone, userId }) => [
    nameOf("contact", environment, contact),
    nameOf("lead", environment, id),
    ...(phone === null ? [] : [nameOf("phone", environment, phone)]),
    ...(userId === null ? [] : [nameOf("user", environment, userId)])
  ]),
  ...messages.flatMap(({ environment, id, providerId }) => [
    nameOf("message", environment, id),
    ...(providerId === null ? [] : [nameOf("provider", environment, providerId)])
  ]),
  ...agents.flatMap(({ canonical, id, merchantId }) => [
    nameOf("agent", merchantId, id),
    nameOf("email", merchantId, canonical)
  ]),
  ...teams.flatMap(({ canonical, id, merchantId, takesNew }) => [
    nameOf("team", merchantId, id),
    nameOf("called", merchantId, canonical),
    ...(takesNew ? [nameOf("new", merchantId)] : [])
  ])
]

export const encode = (change: LeadChange): EncodedLeadChange => {
  const own = names(change)
  return {
    change,
    key: own[0] ?? change.events[0]?.id ?? change.jobs[0]?.key ?? change.done?.key ?? change.facts[0]?.key ?? "",
    own,
    shared: change.active.map(({ id, merchantId }) => nameOf("agent", merchantId, id)),
    leads: change.leads.map(encodeLead),
    messages: change.messages.map(encodeMessage),
    outgoing: encodeOutgoing(change)
  }
}

/** Whether Postgres can keep everything of a change that is a column. */
export const isStorable = ({ active, agents, entries, leads, messages, teams }: LeadChange): boolean =>
  leads.every(
    ({ assignedTo, contact, environment, id, lastMessageAt, phone, teamId, userId }) =>
      [environment, contact, phone ?? "", userId ?? ""].every(storable) &&
      [id, assignedTo ?? id, teamId ?? id].every(isId) &&
      isInstant(lastMessageAt ?? 0)
  ) &&
  messages.every(
    ({ about, at, environment, id, leadId, providerId }) =>
      [environment, id, providerId ?? "", about ?? ""].every(storable) && isId(leadId ?? 1) && isInstant(at)
  ) &&
  entries.every(({ environment, leadId, number }) => storable(environment) && isId(leadId) && isId(number)) &&
  active.every(({ id, merchantId }) => storable(merchantId) && isId(id)) &&
  [...agents, ...teams].every(
    ({ canonical, id, merchantId }) => storable(merchantId) && storable(canonical) && isId(id)
  )

const known = ({ version }: { readonly version: number }) => version > 0

/** Agents who have to be active are locked against removal, and count as guarded rows. */
const statements = guardedStatements<keyof typeof leadParts, EncodedLeadChange>(
  leadParts,
  ({ change: { active, agents, leads, messages, teams } }) =>
    [...leads, ...messages, ...agents, ...teams].filter(known).length + active.length
)

/** The statement for all changes of a batch that has these parts. */
export const { commit, partsOf, whole } = statements
