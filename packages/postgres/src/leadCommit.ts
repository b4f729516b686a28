import type { LeadChange } from "@countersign/core/storage"
import { type LeadPartName, leadParts } from "./leadParts.ts"
import { encodeLead, encodeMessage, isId, isInstant } from "./leadRows.ts"
import { type EncodedOutgoing, encode as encodeOutgoing } from "./outboxParts.ts"
import { type OutboxStatement, outboxStatement } from "./outboxStatement.ts"
import { ints, storable } from "./parameters.ts"

/** A change with its texts, made in its caller's own fiber: what cannot be written harms nobody else. */
export interface EncodedLeadChange {
  readonly change: LeadChange
  /** What those that may not be in flight together have in common, as far as one name can say it. */
  readonly key: string
  /** Every row that this change writes and every name it claims: nobody else in its statement may have one of them. */
  readonly own: ReadonlyArray<string>
  /** Rows that have to stay as they are. */
  readonly shared: ReadonlyArray<string>
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

/** Those of a batch that have no row and no name in common, first come first served: they can be in one statement. */
export const apart = (batch: ReadonlyArray<EncodedLeadChange>): ReadonlySet<EncodedLeadChange> => {
  const taken = new Set<string>()
  const kept = new Set<string>()
  const together = new Set<EncodedLeadChange>()
  for (const one of batch) {
    if (one.own.some((name) => taken.has(name) || kept.has(name)) || one.shared.some((name) => taken.has(name)))
      continue
    for (const name of one.own) taken.add(name)
    for (const name of one.shared) kept.add(name)
    together.add(one)
  }
  return together
}

const allNames = Object.keys(leadParts) as ReadonlyArray<LeadPartName>
const known = ({ version }: { readonly version: number }) => version > 0

const compose = (names: ReadonlyArray<LeadPartName>): OutboxStatement => {
  const queries: Array<string> = []
  const writes: Array<string> = []
  const found: Array<string> = []
  const taken: Array<string> = []
  let before = 1
  for (const name of names) {
    const part = leadParts[name]
    const from = before
    const $ = (n: number) => `$${from + n}`
    queries.push(...part.looks($))
    writes.push(...part.writes)
    found.push(...part.found)
    taken.push(...part.taken)
    before += part.count
  }
  const guarded = found.map((held) => `select n from ${held}`).join(" union all ")
  return outboxStatement({
    own: [
      ...queries,
      ...(found.length === 0
        ? []
        : [`found as materialized (\n  select n, count(*)::int as hits from (${guarded}) h group by n\n)`]),
      ...(taken.length === 0 ? [] : [`taken as materialized (${taken.join("\n  union all")}\n)`]),
      `ok as materialized (
  select n::int as n from unnest($1::int[]) with ordinality as c(guards, n)
  where ${found.length === 0 ? "guards = 0" : "(guards = 0 or ((n::int, guards) in (select n, hits from found)) is true)"}${
    taken.length === 0 ? "" : " and ((n::int) in (select n from taken)) is not true"
  }
)`,
      ...writes
    ].join(", "),
    parameters: before,
    answer: "n"
  })
}

const statements = new Map<string, OutboxStatement>()

/**
 * The statement for all changes of a batch that has these parts. Every row that a change was decided on is locked
 * first, in order, where it is still at its version; agents who have to be active are locked against removal. A change
 * that found all of its rows, and whose new rows share nothing with those that are there, is `ok`, and everything of it
 * is written. What another statement writes at the same time makes this one fail: then its changes come one by one.
 *
 * A row at a version that somebody has read was committed before this statement began, so the place at which it was
 * locked is the one that the statement sees.
 *
 * The plan's shape is forced here as in `outboxStatement`, which has the reasons.
 */
export const commit = (names: ReadonlyArray<LeadPartName>): OutboxStatement => {
  const key = names.join()
  let statement = statements.get(key)
  if (statement === undefined) statements.set(key, (statement = compose(names)))
  return statement
}

/** Every part that there is. */
export const whole = allNames

/** What is in a batch: the names of its parts, and their parameters in the same order. */
export const partsOf = (batch: ReadonlyArray<EncodedLeadChange>) => {
  const names = allNames.filter((name) => batch.some((one) => leadParts[name].isIn(one)))
  const guards = batch.map(
    ({ change: { active, agents, leads, messages, teams } }) =>
      [...leads, ...messages, ...agents, ...teams].filter(known).length + active.length
  )
  return { names, parameters: [ints(guards), ...names.flatMap((name) => leadParts[name].parameters(batch))] }
}
