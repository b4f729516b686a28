import { Effect } from "effect"
import { Conflict } from "../foundation/storage/Conflict.ts"
import type { Instant } from "../foundation/time/Instant.ts"
import * as Subject from "../auth/verification/Subject.ts"
import * as Verification from "../auth/verification/Verification.ts"
import * as VerificationSearch from "../auth/verification/VerificationSearch.ts"
import type { VerificationChange } from "../auth/verification/VerificationChange.ts"
import type { VerificationStore } from "../auth/verification/VerificationStore.ts"
import { memoryKey } from "./MemoryKey.ts"
import type { MemoryOutbox } from "./MemoryOutbox.ts"

export interface SubjectRow {
  readonly environment: string
  readonly canonical: string
  readonly version: number
  readonly state: string
}

export interface VerificationRow {
  readonly environment: string
  readonly id: string
  readonly canonical: string
  readonly expiresAt: Instant
  readonly awaitsExpiry: boolean
  readonly state: string
}

/** The stored data of people. The key of each map starts with the environment. */
export const makeVerificationRows = () => ({
  subjects: new Map<string, SubjectRow>(),
  verifications: new Map<string, VerificationRow>(),
  /** Verifications by reference. */
  orders: new Map<string, string>(),
  /** People by device. */
  devices: new Map<string, string>(),
  /** Rate limits of erased people, past and present. */
  erasedIn: new Set<string>()
})

export type VerificationRows = ReturnType<typeof makeVerificationRows>

/** People and verifications. They are kept encoded, so that no caller can mutate them. */
export const makeVerificationStore = (
  outbox: MemoryOutbox,
  { devices, erasedIn, orders, subjects, verifications }: VerificationRows
): VerificationStore["Service"] => {
  const subject = (environment: string, canonical: string) => {
    const row = subjects.get(memoryKey(environment, canonical))
    return row === undefined
      ? {
          ...Subject.empty(environment, canonical),
          ...(erasedIn.has(environment) ? { mayBeErased: true as const } : {})
        }
      : Subject.decode(environment, canonical, row.version, row.state)
  }

  const save = (change: VerificationChange): VerificationStore.Stored => {
    const { environment, canonical } = change.subject
    const verification = change.verification === null ? null : Verification.encode(change.verification)
    const version = Math.abs(change.subject.version) + 1
    subjects.set(memoryKey(environment, canonical), {
      environment,
      canonical,
      version,
      state: Subject.encode(change.subject)
    })
    if (change.verification !== null && verification !== null) {
      const { id } = change.verification
      verifications.set(memoryKey(environment, id), {
        environment,
        id,
        canonical,
        expiresAt: change.verification.expiresAt,
        awaitsExpiry: Verification.awaitsExpiry(change.verification),
        state: verification
      })
      if (change.orderId !== null) orders.set(memoryKey(environment, change.orderId), id)
    }
    if (change.deviceId !== null) devices.set(memoryKey(environment, change.deviceId), canonical)
    return { subject: { ...change.subject, version }, verification: change.verification }
  }

  return {
    subject: (environment, canonical) => Effect.sync(() => subject(environment, canonical)),
    load: (environment, id) =>
      Effect.sync(() => {
        const row = verifications.get(memoryKey(environment, id))
        return row === undefined
          ? null
          : {
              verification: Verification.decode(environment, id, row.state),
              subject: subject(environment, row.canonical)
            }
      }),
    find: (environment, id) =>
      Effect.sync(() => {
        const row = verifications.get(memoryKey(environment, id))
        return row === undefined ? null : Verification.decode(environment, id, row.state)
      }),
    findIdByOrder: (environment, orderId) => Effect.sync(() => orders.get(memoryKey(environment, orderId)) ?? null),
    expired: ({ after, limit, until }) =>
      Effect.sync(() =>
        [...verifications.values()]
          .filter(
            (row) =>
              row.awaitsExpiry &&
              row.expiresAt <= until &&
              (row.expiresAt > after.expiresAt || (row.expiresAt === after.expiresAt && row.id > after.id))
          )
          .sort((a, b) => a.expiresAt - b.expiresAt || (a.id < b.id ? -1 : 1))
          .slice(0, limit)
          .map(({ environment, expiresAt, id }) => ({ environment, expiresAt, id }))
      ),
    search: ({ before, environment, filter, limit, most, now, since }) =>
      Effect.sync(() => {
        const range = [...verifications.values()]
          .filter((row) => row.environment === environment && row.id < before && row.id >= since)
          .sort((a, b) => (a.id < b.id ? 1 : -1))
        const matching: Array<Verification.Verification> = []
        for (const { id, state } of range.slice(0, most)) {
          const verification = Verification.decode(environment, id, state)
          if (!VerificationSearch.matches(filter, verification, now)) continue
          if (matching.length === limit) return { found: matching, after: matching[limit - 1]?.id ?? null }
          matching.push(verification)
        }
        return { found: matching, after: range.length > most ? (range[most - 1]?.id ?? null) : null }
      }),
    between: (environment, { after, before, limit }) =>
      Effect.sync(() =>
        [...verifications.values()]
          .filter((row) => row.environment === environment && row.id > after && row.id < before)
          .sort((a, b) => (a.id < b.id ? -1 : 1))
          .slice(0, limit)
          .map(({ id, state }) => Verification.decode(environment, id, state))
      ),
    ofPerson: (environment, canonical, { after, limit }) =>
      Effect.sync(() =>
        [...verifications.values()]
          .filter((row) => row.environment === environment && row.canonical === canonical && row.id > (after ?? ""))
          .sort((a, b) => (a.id < b.id ? -1 : 1))
          .slice(0, limit)
          .map(({ id, state }) => Verification.decode(environment, id, state))
      ),
    endingWith: (environment, digits, { limit, since }) =>
      Effect.sync(() => {
        const newest = new Map<string, VerificationRow>()
        for (const row of verifications.values()) {
          const { canonical, id } = row
          if (row.environment !== environment || canonical.includes("@") || !canonical.endsWith(digits)) continue
          if (id >= since && id > (newest.get(canonical)?.id ?? "")) newest.set(canonical, row)
        }
        return [...newest.values()]
          .sort((a, b) => (a.id < b.id ? 1 : -1))
          .slice(0, limit)
          .map(({ id, state }) => Verification.decode(environment, id, state))
      }),
    findByDevice: (environment, id) => Effect.sync(() => devices.get(memoryKey(environment, id)) ?? null),
    commit: (change) =>
      Effect.suspend(() => {
        const { canonical, environment, version } = change.subject
        return (subjects.get(memoryKey(environment, canonical))?.version ?? 0) === Math.max(0, version)
          ? outbox.write(change, () => save(change))
          : Effect.fail(new Conflict({ key: canonical }))
      })
  }
}
