import type { Caller } from "../../account/merchant/Caller.ts"
import { type Agent, isActive } from "../../auth/staff/Agent.ts"
import { unchanged, type StepActor, withEntry, type LeadStep } from "./LeadStep.ts"
import { type Label, mostLabelsOfLead } from "./Label.ts"
import { type Lead, waitsFrom } from "./Lead.ts"
import { days, type Instant, toIso } from "../../foundation/time/Instant.ts"
import type { StaffStore } from "../../auth/staff/StaffStore.ts"
import type { Team } from "../../auth/staff/Team.ts"

/** The owner's address; null for an unassigned lead and for a removed owner. */
export const ownerOf = ({ assignedTo }: Lead, { agents }: StaffStore.Staff): string | null =>
  agents.find(({ id }) => id === assignedTo)?.email ?? null

/** A lead's team; null without a team and for a removed one. */
export const teamOf = ({ teamId }: Lead, { teams }: StaffStore.Staff): Team | null =>
  teams.find(({ id }) => id === teamId) ?? null

/**
 * Assigns a lead to an agent, or to no agent when it is null. Returns null when nothing changes or the agent is not
 * active.
 */
export const assign = (
  step: LeadStep,
  agent: Agent | null,
  staff: StaffStore.Staff,
  actor: StepActor
): LeadStep | null => {
  const { lead } = step
  if (lead.assignedTo === (agent?.id ?? null) || (agent !== null && !isActive(agent))) return null
  return withEntry(
    step,
    { assignedTo: agent?.id ?? null },
    actor,
    "ASSIGNED",
    ownerOf(lead, staff),
    agent?.email ?? null
  )
}

/** Moves a lead to a team, or out of its team when it is null. The owner stays. Returns null when nothing changes. */
export const moveToTeam = (
  step: LeadStep,
  team: Team | null,
  staff: StaffStore.Staff,
  actor: StepActor
): LeadStep | null => {
  const before = teamOf(step.lead, staff)
  if (step.lead.teamId === (team?.id ?? null)) return null
  const changed = { teamId: team?.id ?? null }
  // The lead's team was removed, so users saw no team: add no history entry.
  if (before === null && team === null) return { ...step, lead: { ...step.lead, ...changed } }
  return withEntry(step, changed, actor, "TEAM", before?.name ?? null, team?.name ?? null)
}

/** The labels of a lead, without removed ones. */
export const labelsOf = ({ labels }: Pick<Lead, "labels">, all: ReadonlyArray<Label>): ReadonlyArray<Label> =>
  labels.flatMap((id) => all.find((label) => label.id === id) ?? [])

/** Labels to put on a lead, and ids of labels to take off. */
export interface Relabelling {
  readonly add: ReadonlyArray<Label>
  readonly remove: ReadonlyArray<string>
}

/** Puts labels on and takes labels off. Null when nothing changes, and `Full` when the lead would have too many. */
export const relabel = (
  lead: Lead,
  { add, remove }: Relabelling,
  all: ReadonlyArray<Label>,
  actor: StepActor
): LeadStep | "Full" | null => {
  const before = labelsOf(lead, all)
  const gone = before.filter(({ id }) => remove.includes(id))
  const kept = before.filter(({ id }) => !remove.includes(id))
  const come = add.filter(
    ({ id }, at) => !before.some((label) => label.id === id) && add.findIndex((one) => one.id === id) === at
  )
  if (gone.length === 0 && come.length === 0) return null
  const labels = [...kept, ...come].map(({ id }) => id)
  if (come.length > 0 && labels.length > mostLabelsOfLead) return "Full"
  const off = gone.reduce<LeadStep>(
    (step, { name }) => withEntry(step, {}, actor, "UNLABELLED", name, null),
    unchanged({ ...lead, labels })
  )
  return come.reduce<LeadStep>((step, { name }) => withEntry(step, {}, actor, "LABELLED", null, name), off)
}

/** Null when it is already closed. */
export const close = (lead: Lead, actor: StepActor): LeadStep | null =>
  lead.status === "CLOSED" ? null : withEntry(unchanged(lead), { status: "CLOSED" }, actor, "CLOSED")

/** Null when it is already open. */
export const reopen = (lead: Lead, actor: StepActor): LeadStep | null =>
  lead.status === "OPEN" ? null : withEntry(unchanged(lead), { status: "OPEN" }, actor, "REOPENED")

/**
 * A lead whose customer gets an answer now. It stops waiting, and nothing is unread for anyone. A snooze stays until its
 * moment: an agent asked to be reminded then, perhaps of an answer that the customer still owes.
 */
export const answered = (lead: Lead, now: Instant): Lead => ({
  ...lead,
  lastMessageAt: Math.max(lead.lastMessageAt ?? now, now),
  unansweredSince: null,
  snoozedUntil: isSnoozedAfter(lead, now) ? lead.snoozedUntil : null,
  unreadCount: 0
})

/**
 * Assigns an unassigned lead to the agent who answers it, where the merchant wants that. Returns the step unchanged for
 * an assigned lead, for an answer by a key, and for an agent who is not active.
 */
export const takenByAnswer = (
  step: LeadStep,
  { person, settings }: Pick<Caller, "person" | "settings">,
  staff: StaffStore.Staff,
  actor: StepActor
): LeadStep => {
  if (person === null || !settings.answerAssigns || ownerOf(step.lead, staff) !== null) return step
  const agent = staff.agents.find(({ id }) => id === person.agentId)
  return (agent === undefined ? null : assign(step, agent, staff, actor)) ?? step
}

/** Ends the wait without a message, and a snooze. Null when the lead neither waits nor is snoozed. */
export const settle = (lead: Lead, actor: StepActor): LeadStep | null =>
  waitsFrom(lead) === null
    ? null
    : withEntry(unchanged(lead), { unansweredSince: null, snoozedUntil: null, unreadCount: 0 }, actor, "ANSWERED")

/**
 * Makes an open lead wait since its customer's first unanswered message, or else the latest one. Null when it waits, or
 * the customer never wrote.
 */
export const unsettle = (lead: Lead, actor: StepActor): LeadStep | null => {
  const since = lead.unansweredSince ?? lead.lastInboundAt
  return lead.status === "CLOSED" || since === null || waitsFrom(lead) === since
    ? null
    : withEntry(unchanged(lead), { unansweredSince: since, snoozedUntil: null }, actor, "UNANSWERED")
}

const isSnoozedAfter = ({ snoozedUntil }: Lead, now: Instant): boolean => snoozedUntil !== null && snoozedUntil > now

const longestSnooze = days(366)

/** Whether a lead may be snoozed until this moment. */
export const canSnoozeUntil = (until: Instant, now: Instant): boolean => until > now && until <= now + longestSnooze

/** Snoozes an open lead until a moment. Null when it is closed, or snoozed until then already. */
export const snooze = (lead: Lead, until: Instant, actor: StepActor): LeadStep | null =>
  lead.status === "CLOSED" || lead.snoozedUntil === until
    ? null
    : withEntry(unchanged(lead), { snoozedUntil: until }, actor, "SNOOZED", null, toIso(until))

/**
 * Ends a snooze before its moment: the lead waits if a message is unanswered. Null when it is not snoozed, so a lead
 * that came back keeps waiting.
 */
export const unsnooze = (lead: Lead, actor: StepActor): LeadStep | null =>
  lead.status === "OPEN" && isSnoozedAfter(lead, actor.now)
    ? withEntry(unchanged(lead), { snoozedUntil: null }, actor, "UNSNOOZED")
    : null

/** Null when nothing is unread. Reading adds no history entry. */
export const read = (lead: Lead): LeadStep | null =>
  lead.unreadCount === 0 ? null : unchanged({ ...lead, unreadCount: 0 })

/** Null when something is already unread. */
export const unread = (lead: Lead): LeadStep | null =>
  lead.unreadCount > 0 ? null : unchanged({ ...lead, unreadCount: 1 })
