import { Conflict, FingerprintStore } from "@countersign/core/storage"
import { Effect } from "effect"
import { PgDatabase } from "./PgDatabase.ts"
import { queriesOf } from "./storeQueries.ts"

const load = `select fingerprint from secret_fingerprint order by place`
const add = `insert into secret_fingerprint (place, fingerprint) values ($1, $2) on conflict do nothing returning place`

export const make = Effect.map(PgDatabase, (database) => {
  const { rows, write } = queriesOf(database, "FingerprintStore")
  return FingerprintStore.of({
    load: rows(
      "load",
      load,
      () => [],
      ([fingerprint]) => String(fingerprint)
    ),
    add: (fingerprint, loaded) =>
      Effect.flatMap(
        write("add", add, () => [loaded.length + 1, fingerprint]),
        (added) => (added.length === 1 ? Effect.void : Effect.fail(new Conflict({ key: "fingerprint" })))
      )
  })
})
