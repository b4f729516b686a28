import { type Fact, type FactPage, FactStore } from "@countersign/core/storage"
import { Effect } from "effect"
import { PgDatabase } from "./PgDatabase.ts"
import { instant, int, storable, text } from "./parameters.ts"

/** Found by skipping from one to the next, however many facts each has. */
export const environments = `
with recursive found(environment) as (
  (select environment from fact where kind = $1 order by environment limit 1)
  union all
  select next.environment from found f
  cross join lateral (
    select environment from fact where kind = $1 and environment > f.environment order by environment limit 1
  ) next
)
select environment from found`

/** One text for each shape of the question: only so is the plan the right one for every page. */
export const list = (after: boolean) => `
select at, key, value, times from fact
where kind = $1 and environment = $2${after ? " and (at, key) > ($4, $5)" : ""}
order by at, key limit $3`

const first = list(false)
const next = list(true)

export const make = Effect.gen(function* () {
  const database = yield* PgDatabase

  const pageOf = Effect.fnUntraced(
    function* ({ after, environment, kind, limit }: FactPage) {
      if (![kind, environment, after?.key ?? ""].every(storable)) return []
      const asked = [text(kind), text(environment), int(limit)]
      const rows =
        after === null
          ? yield* database.query(first, asked)
          : yield* database.query(next, [...asked, instant(after.at), text(after.key)])
      return rows.map(
        ([at, key, value, times]): Fact => ({
          environment,
          kind,
          at: (at as Date).getTime(),
          key: key as string,
          value: JSON.parse(value as string),
          ...(times === 1 ? {} : { times: times as number })
        })
      )
    },
    Effect.mapError((failure) => failure.toStoreError("FactStore.list"))
  )

  return FactStore.of({
    environments: Effect.fnUntraced(
      function* (kind) {
        if (!storable(kind)) return []
        const rows = yield* database.query(environments, [text(kind)])
        return rows.map(([environment]) => environment as string)
      },
      Effect.mapError((failure) => failure.toStoreError("FactStore.environments"))
    ),
    list: pageOf
  })
})
