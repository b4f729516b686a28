import { Conflict, DeploymentStore } from "@countersign/core/storage"
import { Effect } from "effect"
import { PgDatabase } from "./PgDatabase.ts"
import type { PgFailure } from "./PgFailure.ts"
import { storable, text } from "./parameters.ts"

const get = `select value from deployment where name = $1`
/** The update changes nothing. It makes the statement return the value that another session recorded at the same moment. */
const claim = `insert into deployment (name, value) values ($1, $2)
on conflict (name) do update set value = deployment.value returning value`
const replace = `update deployment set value = $3, changed_at = now() where name = $1 and value = $2 returning 1`

const failed = (operation: string) =>
  Effect.mapError((failure: PgFailure) => failure.toStoreError(`DeploymentStore.${operation}`))

export const make = Effect.map(PgDatabase, (database) =>
  DeploymentStore.of({
    get: (fact) =>
      Effect.map(database.query(get, [text(fact)]), ([row]) => (row === undefined ? null : String(row[0]))).pipe(
        failed("get")
      ),
    claim: (fact, value) =>
      Effect.map(database.query(claim, [text(fact), text(value)]), ([row]) => String(row?.[0])).pipe(failed("claim")),
    replace: (fact, from, to) =>
      storable(from) && storable(to)
        ? database.query(replace, [text(fact), text(from), text(to)]).pipe(
            failed("replace"),
            Effect.flatMap((rows) => (rows.length === 1 ? Effect.void : Effect.fail(new Conflict({ key: fact }))))
          )
        : Effect.fail(new Conflict({ key: fact }))
  })
)
