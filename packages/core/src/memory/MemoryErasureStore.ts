import { Effect } from "effect"
import type { Touch } from "../engagement/attribution/Touch.ts"
import { decode, encode, type Erasure } from "../data/erasure/Erasure.ts"
import type { ErasureStore } from "../data/erasure/ErasureStore.ts"
import * as Identifier from "../foundation/identity/Identifier.ts"
import { leadReferred } from "../engagement/lead/leadFacts.ts"
import { Conflict } from "../foundation/storage/Conflict.ts"
import { launchVerified } from "../auth/verification/launchFacts.ts"
import * as Subject from "../auth/verification/Subject.ts"
import * as Verification from "../auth/verification/Verification.ts"
import type { WebhookAttempt } from "../account/webhook/WebhookAttempt.ts"
import { touchKey } from "./MemoryAttributionStore.ts"
import type { MemoryEvents } from "./MemoryEventStore.ts"
import type { MemoryFacts } from "./MemoryFactStore.ts"
import { type IdempotencyRows, keyOf } from "./MemoryIdempotencyStore.ts"
import type { MemoryJobs } from "./MemoryJobStore.ts"
import { memoryKey } from "./MemoryKey.ts"
import { leadKey, type LeadRows } from "./MemoryLeadStore.ts"
import type { MemoryOutbox } from "./MemoryOutbox.ts"
import type { VerificationRows } from "./MemoryVerificationStore.ts"

/** The rows of other stores that erasures read and delete. */
interface Rows {
  readonly events: MemoryEvents
  readonly jobs: MemoryJobs
  readonly facts: MemoryFacts
  readonly people: VerificationRows
  readonly leads: LeadRows
  readonly answers: IdempotencyRows
  readonly touches: Map<string, Touch>
  readonly attempts: Map<string, WebhookAttempt>
}

interface Row {
  readonly environment: string
  readonly id: string
  readonly version: number
  readonly person: string
  readonly state: string
}

const byKey = (a: ErasureStore.AnswerKey, b: ErasureStore.AnswerKey): number =>
  a.endpoint === b.endpoint ? (a.key < b.key ? -1 : 1) : a.endpoint < b.endpoint ? -1 : 1

const isPersonBefore = (a: ErasureStore.PersonKey, b: ErasureStore.PersonKey): boolean =>
  a.environment < b.environment || (a.environment === b.environment && a.canonical < b.canonical)

/** The erasures of a memory storage, with access to the rows of all other stores. */
export const makeErasureStore = (
  outbox: MemoryOutbox,
  { answers, attempts, events, facts, jobs, leads, people, touches }: Rows
): ErasureStore["Service"] => {
  const erasures = new Map<string, Row>()

  const conflict = ({
    environment,
    erasure,
    lead,
    messages,
    people: steps
  }: ErasureStore.Change): string | undefined => {
    if (erasure !== null && (erasures.get(memoryKey(environment, erasure.id))?.version ?? 0) !== erasure.version) {
      return erasure.id
    }
    const person = steps.find(
      ({ becomes, subject }) =>
        becomes !== "made" &&
        (people.subjects.get(memoryKey(environment, subject.canonical))?.version ?? 0) !== subject.version
    )
    if (person !== undefined) return person.subject.canonical
    if (lead !== null && leads.leads.find(leadKey(environment, lead.lead.id))?.version !== lead.lead.version) {
      return String(lead.lead.id)
    }
    return messages.find(({ id, version }) => leads.messages.find(memoryKey(environment, id))?.version !== version)?.id
  }

  const removeVerifications = ({ environment, verifications }: ErasureStore.Change): void => {
    for (const { id, orderIds } of verifications) {
      people.verifications.delete(memoryKey(environment, id))
      touches.delete(touchKey({ environment, kind: "VERIFICATION", id }))
      for (const order of orderIds) {
        const key = memoryKey(environment, order)
        if (people.orders.get(key) === id) people.orders.delete(key)
      }
    }
    facts.forget(launchVerified.name, environment, new Set(verifications.map(({ id }) => id)))
  }

  const changePeople = ({ environment, people: steps }: ErasureStore.Change): void => {
    for (const { becomes, devices, subject } of steps) {
      const key = memoryKey(environment, subject.canonical)
      if (becomes === "gone") people.subjects.delete(key)
      else {
        const { canonical } = subject
        const state = Subject.encode(subject)
        const storedVersion = becomes === "made" ? (people.subjects.get(key)?.version ?? 0) : 0
        people.subjects.set(key, {
          environment,
          canonical,
          version: Math.max(subject.version, storedVersion) + 1,
          state
        })
        if (Subject.isKeptName(canonical)) people.erasedIn.add(environment)
      }
      if (devices === "kept") continue
      const inside = memoryKey(environment)
      for (const [device, canonical] of people.devices) {
        if (canonical === subject.canonical && device.startsWith(inside)) people.devices.delete(device)
      }
    }
  }

  const changeLead = ({ environment, lead, messages }: ErasureStore.Change): void => {
    for (const { id } of messages) leads.messages.remove(memoryKey(environment, id))
    if (lead === null) return
    const { id } = lead.lead
    if (lead.becomes === "kept") {
      leads.leads.save([lead.lead])
      return
    }
    leads.leads.remove(leadKey(environment, id))
    leads.entries.delete(leadKey(environment, id))
    for (const [key, read] of leads.reads)
      if (read.environment === environment && read.leadId === id) leads.reads.delete(key)
    touches.delete(touchKey({ environment, kind: "LEAD", id: String(id) }))
    facts.forget(leadReferred.name, environment, new Set([String(id)]))
  }

  const silence = (change: ErasureStore.Change): void => {
    events.replace(change.silenced)
    const about = new Set(change.silenced.map(({ id }) => id))
    for (const [key, attempt] of attempts) {
      if (attempt.environment === change.environment && about.has(attempt.eventId)) {
        attempts.set(key, { ...attempt, responseBody: null, error: null })
      }
    }
  }

  const save = ({ environment, id, person, version, ...state }: Erasure): Erasure => {
    const row: Row = {
      environment,
      id,
      version: version + 1,
      person,
      state: encode({ environment, id, person, version, ...state })
    }
    erasures.set(memoryKey(environment, id), row)
    return decode(environment, id, row.version, person, row.state)
  }

  const saveAll = (change: ErasureStore.Change): Erasure | null => {
    const { cancelled, environment } = change
    removeVerifications(change)
    changePeople(change)
    changeLead(change)
    silence(change)
    for (const { endpoint, key } of change.answers) answers.delete(keyOf({ environment, endpoint, key }))
    for (const key of cancelled) jobs.cancel(key, environment)
    return change.erasure === null ? null : save(change.erasure)
  }

  return {
    get: (environment, id) =>
      Effect.sync(() => {
        const row = erasures.get(memoryKey(environment, id))
        return row === undefined ? null : decode(environment, id, row.version, row.person, row.state)
      }),
    commit: (change) =>
      Effect.suspend(() => {
        const key = conflict(change)
        return key === undefined ? outbox.write(change, () => saveAll(change)) : Effect.fail(new Conflict({ key }))
      }),
    since: (environment, at) =>
      Effect.sync(() =>
        [...erasures.values()]
          .filter((row) => row.environment === environment && row.id >= Identifier.first("ers", at))
          .map(({ id, person, state, version }) => decode(environment, id, version, person, state))
      ),
    amending: (environment, leadId, after, limit) =>
      Effect.sync(() =>
        structuredClone(
          leads.messages
            .where(
              (row) =>
                row.environment === environment &&
                row.leadId === leadId &&
                row.kind !== "MESSAGE" &&
                (after === null || row.id > after)
            )
            .sort((a, b) => (a.id < b.id ? -1 : 1))
            .slice(0, limit)
        )
      ),
    answers: (environment, after, limit) =>
      Effect.sync(() =>
        [...answers.values()]
          .flatMap(({ answer, scope }) =>
            scope.environment === environment
              ? [{ endpoint: scope.endpoint, key: scope.key, body: answer?.body ?? null }]
              : []
          )
          .filter((answer) => after === null || byKey(after, answer) < 0)
          .sort(byKey)
          .slice(0, limit)
      ),
    environments: Effect.sync(() =>
      [
        ...new Set([
          ...[...people.verifications.values()].map(({ environment }) => environment),
          ...events.environments(),
          ...[...attempts.values()].map(({ environment }) => environment)
        ])
      ].sort()
    ),
    old: (environment, before, after, limit) =>
      Effect.sync(() =>
        [...people.verifications.values()]
          .filter(
            (row) =>
              row.environment === environment &&
              row.id < Identifier.first("ver", before) &&
              (after === null || row.id > after)
          )
          .sort((a, b) => (a.id < b.id ? -1 : 1))
          .slice(0, limit)
          .map(({ id, state }) => ({
            id,
            orderIds: Verification.orderIdsOf(Verification.decode(environment, id, state))
          }))
      ),
    people: (after, limit) =>
      Effect.sync(() => {
        const alive = new Set(
          [...people.verifications.values()].map(({ canonical, environment }) => memoryKey(environment, canonical))
        )
        return [...people.subjects]
          .map(([key, { canonical, environment, state, version }]) => ({
            environment,
            canonical,
            subject: alive.has(key) ? null : Subject.decode(environment, canonical, version, state)
          }))
          .filter((one) => after === null || isPersonBefore(after, one))
          .sort((a, b) => (isPersonBefore(a, b) ? -1 : 1))
          .slice(0, limit)
      }),
    forget: (environment, before, limit) =>
      Effect.sync(() => {
        const first = Identifier.first("dlv", before)
        const old = [...attempts].filter(([, one]) => one.environment === environment && one.id < first).slice(0, limit)
        for (const [key] of old) attempts.delete(key)
        return Math.max(old.length, events.forget(environment, Identifier.first("evt", before), limit))
      })
  }
}
