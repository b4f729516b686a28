import { TripStore, type Trip } from "@countersign/core/storage"
import { Effect } from "effect"
import { instant, text } from "./parameters.ts"
import { PgDatabase } from "./PgDatabase.ts"
import type { PgOutbox } from "./PgOutbox.ts"
import { commitsOf, queriesOf } from "./storeQueries.ts"
import * as Table from "./table.ts"
import { versionedRow } from "./versionedRow.ts"

const trip = Table.rows<Trip>()("guard_trip", ["environment", "reason", "place"], {
  environment: Table.text,
  reason: Table.text,
  place: Table.text,
  version: Table.int,
  until: Table.named("ends_at", Table.instant),
  state: Table.others
})

export const list = `
select ${trip.select("t")} from guard_trip t
where environment = $1 and ends_at > $2 order by ends_at desc, reason, place limit 1000`

export const get = `
select ${trip.select("t")} from guard_trip t where environment = $1 and reason = $2 and place = $3`

export const commit = versionedRow(trip)

const old = `
delete from guard_trip where ctid = any(array(
  select ctid from guard_trip where ends_at < $1 limit $2 for update skip locked
)) returning 1`

export const make = Effect.fnUntraced(function* (outbox: PgOutbox) {
  const { purge, row, rows } = queriesOf(yield* PgDatabase, "TripStore")
  const write = commitsOf(outbox, "TripStore")

  return TripStore.of({
    list: (environment, after) => rows("list", list, () => [text(environment), instant(after)], trip.decode),
    get: (environment, reason, place) =>
      row("get", get, () => [text(environment), text(reason), text(place)], trip.decode),
    commit: (change) =>
      Effect.map(
        write("commit", change.trip.place, commit, () => trip.sent(change.trip), change),
        ([version]) => ({ ...change.trip, version: version as number })
      ),
    purge: (before) => purge(old, instant(before))
  })
})
