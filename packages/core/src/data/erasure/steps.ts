import type { Lead } from "../../engagement/lead/Lead.ts"
import type { LeadMessage } from "../../engagement/lead/LeadMessage.ts"
import type { MasterKey } from "../../foundation/secret/Keyring.ts"
import { hours, type Instant } from "../../foundation/time/Instant.ts"
import { keptOf } from "../../auth/verification/keptLimits.ts"
import type { Subject } from "../../auth/verification/Subject.ts"
import { orderIdsOf, type Verification } from "../../auth/verification/Verification.ts"
import { jobKeysOf } from "../../auth/verification/verificationJobs.ts"
import type { ErasedPerson, Erasure, ErasurePhase, Removed } from "./Erasure.ts"
import { ErasureStore } from "./ErasureStore.ts"
import { leftOf, withoutDevices } from "./limits.ts"
import { isSpellingOf, type PersonQuery } from "./PersonQuery.ts"

/** Answers are kept for a day. An answer kept longer than its verification identifies no person. */
const answersKept = hours(24)
/** Above this many logins of a person in a day, the search goes by the person only. */
const mostRecent = 5_000

/** The result of a step: the stored erasure, and the updated details of the person. */
export interface Step {
  readonly change: Omit<ErasureStore.Change, "erasure">
  readonly erasure: Erasure
  readonly person: ErasedPerson
}

const plus = (removed: Removed, added: Partial<Removed>): Removed => ({
  verifications: removed.verifications + (added.verifications ?? 0),
  devices: removed.devices + (added.devices ?? 0),
  leads: removed.leads + (added.leads ?? 0),
  messages: removed.messages + (added.messages ?? 0)
})

/** The phase is finished. */
export const next = (erasure: Erasure, phase: ErasurePhase): Erasure => ({ ...erasure, phase, cursor: null })

/**
 * Deletes verifications at their person's version, so a concurrent operation on them finds nothing and sends nothing.
 * The last step, which finds none, revokes trust in devices.
 */
export const removeVerifications = (
  erasure: Erasure,
  person: ErasedPerson,
  subject: Subject,
  page: ReadonlyArray<Verification>,
  country: string | null,
  now: Instant
): Step => {
  const { environment } = erasure
  const asNow: PersonQuery = { ...person, spellings: [], country }
  const spelled = page.map(({ identity }) => identity.spelling).filter((text) => !isSpellingOf(asNow, text))
  const recent = page.filter(({ sentAt }) => sentAt > now - answersKept).map(({ id }) => id)
  const remaining = leftOf(subject, new Set(page.map(({ id }) => id)), now)
  const isLast = page.length === 0
  const becomes = isLast ? withoutDevices(remaining, now) : remaining
  const devices = subject.devices.trusted.length - becomes.devices.trusted.length
  return {
    change: ErasureStore.change(environment, {
      people: subject.version === 0 ? [] : [{ subject: becomes, becomes: "kept", devices: isLast ? "gone" : "kept" }],
      verifications: page.map((verification) => ({ id: verification.id, orderIds: orderIdsOf(verification) })),
      cancelled: page.filter(({ status }) => status === "PENDING").flatMap(jobKeysOf)
    }),
    erasure: {
      ...(isLast ? next(erasure, "LEADS") : erasure),
      removed: plus(erasure.removed, { verifications: page.length, devices })
    },
    person: {
      ...person,
      spellings: [...new Set([...person.spellings, ...spelled])],
      recent: [...person.recent, ...recent].slice(0, mostRecent)
    }
  }
}

/**
 * Active rate limits continue under a keyed hash of the identity, which is the only trace of the person from then on.
 * The new row's versions are above those of the old row.
 */
export const hideLimits = (
  key: MasterKey,
  person: ErasedPerson,
  subject: Subject | null
): { readonly people: ErasureStore.Change["people"]; readonly person: ErasedPerson } => {
  if (subject === null) return { people: [], person }
  const kept = keptOf(key, subject)
  return {
    people: [
      { subject, becomes: "gone", devices: "gone" },
      { subject: kept, becomes: "made", devices: "kept" }
    ],
    person: { type: person.type, canonical: kept.canonical, spellings: [], contacts: [], leads: [], recent: [] }
  }
}

const replyKeysOf = (messages: ReadonlyArray<LeadMessage>): ReadonlyArray<string> =>
  messages.filter(({ status }) => status === "PENDING").map(({ id }) => `reply:${id}`)

const countMessages = (messages: ReadonlyArray<LeadMessage>): number =>
  messages.filter(({ kind }) => kind === "MESSAGE").length

/**
 * Deletes messages at their lead's version, and the lead with its last messages. Null when there was no lead, or the
 * lead is already gone.
 */
export const removeLead = (
  erasure: Erasure,
  person: ErasedPerson,
  lead: Lead | null,
  messages: ReadonlyArray<LeadMessage>,
  isAll: boolean
): Step => {
  const { environment } = erasure
  if (lead === null) return { change: ErasureStore.change(environment, {}), erasure: next(erasure, "STRAYS"), person }
  const names = [lead.contact, ...(lead.userId === null ? [] : [lead.userId])]
  return {
    change: ErasureStore.change(environment, {
      lead: { lead, becomes: isAll ? "gone" : "kept" },
      messages,
      cancelled: replyKeysOf(messages)
    }),
    erasure: {
      ...erasure,
      removed: plus(erasure.removed, { leads: isAll ? 1 : 0, messages: countMessages(messages) })
    },
    person: {
      ...person,
      leads: [...new Set([...person.leads, lead.id])],
      contacts: [...new Set([...person.contacts, ...names])]
    }
  }
}

/** Rows of this person without a conversation. `page` holds the rows that were read. */
export const removeStrays = (
  erasure: Erasure,
  person: ErasedPerson,
  page: ReadonlyArray<LeadMessage>,
  isAll: boolean
): Step => {
  const isTheirs = ({ writer }: LeadMessage) =>
    writer !== null &&
    (writer.phone === person.canonical || (writer.userId !== null && person.contacts.includes(writer.userId)))
  return {
    change: ErasureStore.change(erasure.environment, { messages: page.filter(isTheirs) }),
    erasure: isAll ? next(erasure, "ANSWERS") : { ...erasure, cursor: page.at(-1)?.id ?? erasure.cursor },
    person
  }
}
