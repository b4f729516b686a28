import type { Caller } from "../../account/merchant/Caller.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { EntryKind, Lead, LeadEntry } from "./Lead.ts"

/** The next state of a lead, with its new history entries. */
export interface LeadStep {
  readonly lead: Lead
  readonly entries: ReadonlyArray<LeadEntry>
}

/** The actor and the time of a change. `by` is null for actions of the server. */
export interface StepActor {
  readonly by: string | null
  readonly now: Instant
}

/** The caller's name in history entries. For a person it is the e-mail address. */
export const byOf = ({ audience, credentialId, person }: Caller): string => person?.email ?? credentialId ?? audience

/** A step without changes. */
export const unchanged = (lead: Lead): LeadStep => ({ lead, entries: [] })

/** Changes a lead and adds the history entry. */
export const withEntry = (
  { entries, lead }: LeadStep,
  changed: Partial<Lead>,
  { by, now }: StepActor,
  kind: EntryKind,
  from: string | null = null,
  to: string | null = null
): LeadStep => {
  const number = lead.entries + 1
  const entry: LeadEntry = { environment: lead.environment, leadId: lead.id, number, at: now, by, kind, from, to }
  return { lead: { ...lead, ...changed, entries: number }, entries: [...entries, entry] }
}
