import { Conflict, DeploymentStore } from "@countersign/core/storage"
import { Effect } from "effect"
import { PgDatabase } from "./PgDatabase.ts"
import { text } from "./parameters.ts"
import { queriesOf } from "./storeQueries.ts"

const get = `select value from deployment where name = $1`
/** The update changes nothing. It makes the statement return the value that another session recorded at the same moment. */
const claim = `insert into deployment (name, value) values ($1, $2)
on conflict (name) do update set value = deployment.value returning value`
const replace = `update deployment set value = $3, changed_at = now() where name = $1 and value = $2 returning 1`

export const make = Effect.map(PgDatabase, (database) => {
  const { row, rows, write } = queriesOf(database, "DeploymentStore")
  return DeploymentStore.of({
    get: (fact) =>
      row(
        "get",
        get,
        () => [text(fact)],
        ([value]) => String(value)
      ),
    claim: (fact, value) =>
      Effect.map(
        write("claim", claim, () => [text(fact), text(value)]),
        ([row]) => String(row?.[0])
      ),
    replace: (fact, from, to) =>
      Effect.flatMap(
        rows(
          "replace",
          replace,
          () => [text(fact), text(from), text(to)],
          () => 1
        ),
        (replaced) => (replaced.length === 1 ? Effect.void : Effect.fail(new Conflict({ key: fact })))
      )
  })
})
