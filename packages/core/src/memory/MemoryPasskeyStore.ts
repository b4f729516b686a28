import { Effect } from "effect"
import type { Passkey } from "../auth/staff/Passkey.ts"
import type { PasskeyStore } from "../auth/staff/PasskeyStore.ts"
import type { SubjectStore } from "../auth/staff/SubjectStore.ts"
import { Conflict } from "../foundation/storage/Conflict.ts"
import { memoryKey } from "./MemoryKey.ts"
import type { MemoryOutbox } from "./MemoryOutbox.ts"
import { MemoryRows } from "./MemoryRows.ts"

/** The passkeys of one memory storage. */
export const makePasskeyStore = (outbox: MemoryOutbox): PasskeyStore["Service"] => {
  const passkeys = new MemoryRows<Passkey>(
    ({ id }) => id,
    () => []
  )
  return {
    get: (id) => Effect.sync(() => structuredClone(passkeys.find(id) ?? null)),
    list: (canonical) =>
      Effect.sync(() =>
        structuredClone(
          passkeys
            .where((passkey) => passkey.canonical === canonical && passkey.removedAt === null)
            .sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
        )
      ),
    commit: (change) =>
      Effect.suspend(() => {
        const key = passkeys.conflict([change.passkey])
        return key === undefined
          ? outbox.write(change, () => passkeys.save([change.passkey])[0]!)
          : Effect.fail(new Conflict({ key }))
      })
  }
}

/** The provider identities of people, in a memory storage. */
export const makeSubjectStore = (outbox: MemoryOutbox): SubjectStore["Service"] => {
  const subjects = new MemoryRows<SubjectStore.KnownSubject>(
    ({ issuer, subject }) => memoryKey(issuer, subject),
    () => []
  )
  return {
    get: (issuer, subject) => Effect.sync(() => structuredClone(subjects.find(memoryKey(issuer, subject)) ?? null)),
    list: (canonical) =>
      Effect.sync(() =>
        structuredClone(
          subjects
            .where(({ addresses }) => addresses.includes(canonical))
            .sort((a, b) => (a.issuer === b.issuer ? (a.subject < b.subject ? -1 : 1) : a.issuer < b.issuer ? -1 : 1))
        )
      ),
    commit: (change) =>
      Effect.suspend(() => {
        const key = subjects.conflict([change.subject])
        return key === undefined
          ? outbox.write(change, () => subjects.save([change.subject])[0]!)
          : Effect.fail(new Conflict({ key: change.subject.subject }))
      })
  }
}
