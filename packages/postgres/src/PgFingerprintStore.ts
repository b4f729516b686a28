import { Conflict, FingerprintStore } from "@countersign/core/storage"
import { Effect } from "effect"
import { PgDatabase } from "./PgDatabase.ts"

const load = `select fingerprint from secret_fingerprint order by place`
const add = `insert into secret_fingerprint (place, fingerprint) values ($1, $2) on conflict do nothing returning place`

export const make = Effect.map(PgDatabase, (database) =>
  FingerprintStore.of({
    load: database.query(load, []).pipe(
      Effect.mapBoth({
        onFailure: (failure) => failure.toStoreError("FingerprintStore.load"),
        onSuccess: (rows) => rows.map(([fingerprint]) => String(fingerprint))
      })
    ),
    add: (fingerprint, loaded) =>
      database.query(add, [loaded.length + 1, fingerprint]).pipe(
        Effect.mapError((failure) => failure.toStoreError("FingerprintStore.add")),
        Effect.flatMap((rows) => (rows.length === 1 ? Effect.void : Effect.fail(new Conflict({ key: "fingerprint" }))))
      )
  })
)
