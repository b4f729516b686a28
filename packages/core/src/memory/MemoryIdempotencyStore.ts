import { Effect } from "effect"
import type { IdempotencyStore } from "../foundation/idempotency/IdempotencyStore.ts"
import type { Instant } from "../foundation/time/Instant.ts"
import { memoryKey } from "./MemoryKey.ts"

interface Row {
  readonly scope: IdempotencyStore.Scope
  readonly fingerprint: string
  readonly holder: string
  readonly leasedUntil: Instant
  readonly createdAt: Instant
  readonly answer: IdempotencyStore.KeptAnswer | null
}

export const keyOf = ({ endpoint, environment, key }: IdempotencyStore.Scope) => memoryKey(environment, endpoint, key)

export type IdempotencyRows = Map<string, Row>

/** The idempotency records of a memory storage. */
export const makeIdempotencyStore = (rows: IdempotencyRows): IdempotencyStore["Service"] => {
  return {
    begin: ({ fingerprint, holder, keptSince, leasedUntil, now, scope }) =>
      Effect.sync(() => {
        const key = keyOf(scope)
        const row = rows.get(key)
        const isGone = row === undefined || row.createdAt < keptSince
        const isFree = isGone || (row.answer === null && row.leasedUntil <= now && row.fingerprint === fingerprint)
        if (!isFree) return { _tag: "Held", fingerprint: row.fingerprint, answer: row.answer }
        const createdAt = isGone ? now : row.createdAt
        rows.set(key, { scope, fingerprint, holder, leasedUntil, createdAt, answer: null })
        return { _tag: "Taken", firstAt: createdAt, isRepeat: !isGone }
      }),
    holds: (scope, keptSince) => Effect.sync(() => (rows.get(keyOf(scope))?.createdAt ?? -Infinity) >= keptSince),
    finish: (scope, holder, answer) =>
      Effect.sync(() => {
        const key = keyOf(scope)
        const row = rows.get(key)
        if (row?.holder === holder && row.answer === null) rows.set(key, { ...row, answer: { ...answer } })
      }),
    unlock: (scope, holder) =>
      Effect.sync(() => {
        const key = keyOf(scope)
        const row = rows.get(key)
        if (row?.holder === holder && row.answer === null) rows.set(key, { ...row, leasedUntil: 0 })
      }),
    release: (scope, holder) =>
      Effect.sync(() => {
        const key = keyOf(scope)
        const row = rows.get(key)
        if (row?.holder === holder && row.answer === null) rows.delete(key)
      }),
    purge: (keptSince) =>
      Effect.sync(() => {
        let purged = 0
        for (const [key, row] of rows) if (row.createdAt < keptSince && rows.delete(key)) purged++
        return purged
      })
  }
}
