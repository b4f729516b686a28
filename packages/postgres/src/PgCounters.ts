import type { StoreError } from "@countersign/core/storage"
import { Effect } from "effect"
import * as Batcher from "./Batcher.ts"
import { PgDatabase } from "./PgDatabase.ts"
import { ints, storable, texts, unstorable } from "./parameters.ts"

/** Adds the number of waiting callers to each counter. Returns the new value of each counter. */
export const count = `
insert into counter as c (scope, name, value)
select * from unnest($1::text[], $2::text[], $3::int[])
on conflict (scope, name) do update set value = c.value + excluded.value
returning scope, name, value::float8`

interface Turn {
  readonly scope: string
  readonly name: string
  /** Unique for each caller, because `Batcher` gives items with the same key the same number. */
  readonly caller: string
}

const nameOf = (scope: string, name: string) => `${scope}\u0000${name}`

/**
 * Returns a function that issues the next number of a counter. Callers that wait at the same time share a statement.
 */
export const make = Effect.gen(function* () {
  const database = yield* PgDatabase
  let callers = 0
  const turns = yield* Batcher.make<Turn, number>({
    operation: "LeadStore.next",
    keyOf: ({ caller }) => caller,
    sameKey: "share",
    ownerOf: ({ scope }) => scope,
    run: (batch) => {
      const waiting = new Map<string, { readonly scope: string; readonly name: string; many: number }>()
      for (const { name, scope } of batch) {
        const key = nameOf(scope, name)
        const known = waiting.get(key)
        if (known === undefined) waiting.set(key, { scope, name, many: 1 })
        else known.many++
      }
      // Sorted, so that concurrent statements lock rows in the same order and do not deadlock.
      const sorted = [...waiting].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one)
      return Effect.map(
        database.query(count, [
          texts(sorted.map(({ scope }) => scope)),
          texts(sorted.map(({ name }) => name)),
          ints(sorted.map(({ many }) => many))
        ]),
        (rows) => {
          const next = new Map<string, number>()
          for (const [scope, name, value] of rows) {
            const key = nameOf(scope as string, name as string)
            next.set(key, (value as number) - waiting.get(key)!.many)
          }
          return batch.map(({ name, scope }) => {
            const key = nameOf(scope, name)
            const number = next.get(key)! + 1
            next.set(key, number)
            return number
          })
        }
      )
    }
  })
  return (scope: string, name: string): Effect.Effect<number, StoreError> =>
    storable(scope) && storable(name)
      ? Effect.suspend(() => turns.submit({ scope, name, caller: String(++callers) }))
      : Effect.fail(unstorable("LeadStore.next"))
})
