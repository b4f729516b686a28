import { ClockRecord, ClockStore, Conflict } from "@countersign/core/storage"
import { Effect } from "effect"
import { PgDatabase } from "./PgDatabase.ts"
import { bigint, instant, int, text, texts } from "./parameters.ts"
import type { PgWakeUps } from "./PgWakeUps.ts"
import { queriesOf } from "./storeQueries.ts"

const load = "select version, state from storage_clock"

const saved = `saved as (
  insert into storage_clock (id, version, state) select 1, 1, $2 where $1 = 0 on conflict do nothing returning id
), updated as (
  update storage_clock set version = version + 1, state = $2 where version = $1 and $1 > 0 returning id
), done as (
  select id from saved union all select id from updated
)`

export const save = `with ${saved} select id from done`

/** A leased row has an `owner` and an `attempt`; its `run_at` is the end of the lease. */
export const saveSetBack = `with ${saved}, moved as (
  update job set run_at = run_at - $4::int8 * interval '1 millisecond'
  where exists (select from done) and dead_at is null
    and run_at > $3::timestamptz + case when owner is null or attempt = 0 then 0 else $4::int8 end * interval '1 millisecond'
    and ($5::timestamptz is null or run_at <= $5) and ($6::text[] is null or kind = any($6))
) select id from done`

export const make = (wakeUps: PgWakeUps) =>
  Effect.map(PgDatabase, (database) => {
    const { row, write } = queriesOf(database, "ClockStore")
    return ClockStore.of({
      load: Effect.map(
        row(
          "load",
          load,
          () => [],
          ([version, state]) => ClockRecord.decode(Number(version), String(state))
        ),
        (record) => record ?? ClockRecord.empty
      ),
      save: (record, setBack) => {
        const own = () => [int(record.version), text(ClockRecord.encode(record))]
        const saved =
          setBack === null
            ? write("save", save, own)
            : write("save", saveSetBack, () => [
                ...own(),
                instant(setBack.now),
                bigint(Math.round(setBack.by)),
                setBack.until === null ? null : instant(setBack.until),
                setBack.kinds === null ? null : texts(setBack.kinds)
              ])
        return Effect.flatMap(saved, (rows) => {
          if (rows.length === 0) return Effect.fail(new Conflict({ key: "clock" }))
          if (setBack !== null) wakeUps.wake()
          return Effect.void
        })
      }
    })
  })
