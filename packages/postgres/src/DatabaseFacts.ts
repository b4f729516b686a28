import { Effect } from "effect"
import { PgDatabase } from "./PgDatabase.ts"
import type { TableState } from "./TableState.ts"

/** The facts about a database that a start checks. */
export interface DatabaseFacts {
  /** As Postgres formats it: `16.4`. */
  readonly version: string
  /** The migrations that the tables have had, compared with those of this version. */
  readonly tables: TableState & { readonly known: number }
  /** Whether the role may create tables, or a schema for them. */
  readonly mayCreate: boolean
  /** Settings with which a machine crash loses acknowledged writes. */
  readonly unsafe: ReadonlyArray<string>
  readonly isStandby: boolean
  /** How far its clock is ahead of ours, in milliseconds. */
  readonly clockAhead: number
  /** Fingerprints of the master secrets used with it. */
  readonly fingerprints: ReadonlyArray<string>
}

const facts = `select current_setting('server_version'), pg_is_in_recovery(), current_setting('fsync'),
  current_setting('full_page_writes'), extract(epoch from clock_timestamp()) * 1000,
  coalesce(has_schema_privilege(current_schema(), 'create'), false)
    or has_database_privilege(current_database(), 'create')`

const fingerprints = `select fingerprint from secret_fingerprint order by place`

/** Reads the facts, and changes nothing. */
export const read = Effect.fnUntraced(function* (tables: DatabaseFacts["tables"]) {
  const database = yield* PgDatabase
  const before = performance.now()
  const [row = []] = yield* database.query(facts, [])
  const halfWay = (performance.now() - before) / 2
  const [version, isStandby, fsync, fullPageWrites, clock, mayCreate] = row
  const known = yield* database.query(fingerprints, []).pipe(
    Effect.catchIf(
      ({ sqlState }) => sqlState === "42P01",
      () => Effect.succeed([])
    )
  )
  const settings = { fsync, full_page_writes: fullPageWrites }
  const found: DatabaseFacts = {
    version: String(version).split(" ", 1)[0] ?? "",
    tables,
    mayCreate: mayCreate === true,
    unsafe: Object.entries(settings).flatMap(([name, value]) => (value === "off" ? [name] : [])),
    isStandby: isStandby === true,
    clockAhead: Number(clock) + halfWay - (yield* Effect.clockWith((clock) => clock.currentTimeMillis)),
    fingerprints: known.map(([fingerprint]) => String(fingerprint))
  }
  return found
})
