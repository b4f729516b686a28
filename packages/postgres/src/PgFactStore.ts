import { type Fact, FactStore } from "@countersign/core/storage"
import { Effect } from "effect"
import { instant, int, text } from "./parameters.ts"
import { PgDatabase } from "./PgDatabase.ts"
import { queriesOf } from "./storeQueries.ts"

/** Skips from one environment to the next, however many facts each has. */
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

/** A separate statement text for first and later pages, so that the cached plan fits every page. */
export const list = (after: boolean) => `
select at, key, value, times from fact
where kind = $1 and environment = $2${after ? " and (at, key) > ($4, $5)" : ""}
order by at, key limit $3`

export const make = Effect.map(PgDatabase, (database) => {
  const { rows } = queriesOf(database, "FactStore")

  return FactStore.of({
    environments: (kind) =>
      rows(
        "environments",
        environments,
        () => [text(kind)],
        ([environment]) => environment as string
      ),
    list: ({ after, environment, kind, limit }) =>
      rows(
        "list",
        list(after !== null),
        () => [
          text(kind),
          text(environment),
          int(limit),
          ...(after === null ? [] : [instant(after.at), text(after.key)])
        ],
        ([at, key, value, times]): Fact => ({
          environment,
          kind,
          at: (at as Date).getTime(),
          key: key as string,
          value: JSON.parse(value as string),
          ...(times === 1 ? {} : { times: times as number })
        })
      )
  })
})
