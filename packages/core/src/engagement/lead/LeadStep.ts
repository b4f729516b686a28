import type { Caller } from "../../account/merchant/Caller.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { EntryKind, Lead, LeadEntry } from "./Lead.ts"

/** What a decision makes of a lead, and what its history says of it. */
export interface LeadStep {
  readonly lead: Lead
  readonly entries: ReadonlyArray<LeadEntry>
}

/** Who does it and when; `by` is null for what the service does by itself. */
export interface StepActor {
  readonly by: string | null
  readonly now: Instant
}

/** What a caller is called where it is written down who did something: a person by their address. */
export const byOf = ({ audience, credentialId, person }: Caller): string => person?.email ?? credentialId ?? audience

/** A lead of which nothing was changed yet. */
export const unchanged = (lead: Lead): LeadStep => ({ lead, entries: [] })

/** A change of a lead, with its entry in the history. */
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
