import type * as PgConnection from "@effect/sql-pg/PgConnection"
import { Effect } from "effect"
import * as Migrations from "../Migrations.ts"
import * as Migrator from "../Migrator.ts"
import { text } from "../parameters.ts"
import { migrationLock, quoted } from "../PgSchema.ts"
import { Stop } from "./BackupError.ts"
import { type Header, headerOf, type Table } from "./BackupFile.ts"
import { migrationsOf, ourTables, unfinishedRestore } from "./ourTables.ts"
import { endOpenings, putAside } from "./putAside.ts"
import type { Session } from "./Session.ts"
import * as TableState from "../TableState.ts"

const rowsAtOnce = 500
const bytesAtOnce = 4 * 1024 * 1024

export interface RestoreOptions {
  /** Throws for a backup that the configured secrets cannot read. */
  readonly accept: (header: Header) => Promise<void>
  /**
   * Whether everything continues as it was, and waiting messages are sent. For a service that was stopped before its
   * backup and has not run since.
   */
  readonly resume: boolean
  /** Every migration of this version. */
  readonly migrations?: Migrations.Migrations
}

export interface Restored {
  readonly header: Header
  readonly rows: number
  /** Messages that were waiting and will not be sent. */
  readonly putAside: { readonly jobs: number; readonly campaigns: number }
  /** What the restore ended, because it may have ended after the backup; null with `resume`. */
  readonly ended: { readonly verifications: number; readonly sessions: number } | null
}

const table = Migrations.migrationsTable

const pause = (milliseconds: number) => new Promise<void>((resume) => setTimeout(resume, milliseconds))

/** Waits until no process migrates, then blocks new migrations. */
const lockMigrations = async (query: Session): Promise<void> => {
  for (;;) {
    const [row] = await query(`select pg_try_advisory_lock(${migrationLock})`)
    if (row?.[0] === true) return
    await pause(200)
  }
}

/**
 * Records the note that keeps every service from starting and migrating. Requires an empty schema, or one with an
 * interrupted restore. Holds the migration lock from the check to the note. So a service that found no tables just
 * before has either created them all by then, or finds the note.
 */
const begin = async (query: Session, backedUp: Migrations.Migrations): Promise<void> => {
  const [lock] = await query(
    "select pg_try_advisory_lock(hashtextextended('countersign restore ' || current_schema()::text, 0))"
  )
  if (lock?.[0] !== true) throw new Stop("Another restore into the same database is running: wait until it ends")
  await lockMigrations(query)
  const [place] = await query(`select current_schema()::text, current_database()::text, to_regclass($1) is not null`, [
    text(table)
  ])
  const [schema, database, isThere] = place ?? []
  if (isThere === true) {
    const { found, isRestoring, unknown } = TableState.of(await query(TableState.query()), backedUp)
    if (found > 0 && !isRestoring)
      throw new Stop(
        `The schema ${String(schema)} of the database ${String(database)} already has tables of this service (version ${found}). Restore into an empty database, or set another schema in DATABASE_SCHEMA`
      )
    // The restored rows would miss the data changes of those migrations.
    if (unknown.length > 0)
      throw new Stop(
        `A restore of a newer backup was interrupted here (tables ${unknown.join(", ")}, which this backup does not have): restore that backup again, or restore into an empty database`
      )
  }
  await query(
    `create table if not exists ${table} (
      migration_id integer primary key, created_at timestamptz not null default now(), name text not null
    )`
  )
  await query(
    `insert into ${table} (migration_id, name) values (${unfinishedRestore}, 'restore_unfinished') on conflict do nothing`
  )
  await query(`select pg_advisory_unlock(${migrationLock})`)
}

const insertInto = ({ columns, table: name }: Table): string => `
insert into ${name} (${columns.map(([column]) => quoted(column)).join(", ")})
select ${columns.map(([, type], index) => `(r ->> ${index})::${type}`).join(", ")} from json_array_elements($1::text::json) r`

const isType = /^[a-z][a-z0-9 ]*(\(\d+(,\d+)?\))?( without time zone| with time zone)?(\[\])?$/
const isName = /^[a-z_][a-z0-9_]*$/

/** Any user may have written the file. Only our own tables and plain names become part of a statement. */
const tableOf = (line: string, known: ReadonlyArray<string>): Table => {
  const given = JSON.parse(line) as Table
  const isFine =
    known.includes(given.table) &&
    given.columns.every(([column, type]) => isName.test(column) && isType.test(type.replaceAll('"', "")))
  if (!isFine) throw new Stop("The backup is damaged: it has a table that this service does not know")
  return given
}

/** Commits all rows and the removal of the note in one transaction. */
const fill = async (
  query: Session,
  header: Header,
  backedUp: Migrations.Migrations,
  lines: AsyncIterator<string>,
  resume: boolean
): Promise<Omit<Restored, "header">> => {
  const known = ourTables(backedUp)
  await query("begin")
  // Migrations may have inserted rows. The backup contains those too.
  await query(`truncate ${known.join(", ")}`)
  for (const { high, low, name, parent } of header.partitions) {
    if (!known.includes(parent) || !isName.test(name))
      throw new Stop("The backup is damaged: it has an unknown partition")
    await query("select countersign_add_partition($1, $2, $3, $4, 90)", [parent, name, low, high].map(text))
  }
  let into: { readonly name: string; readonly statement: string } | undefined
  let [rows, bytes]: [Array<string>, number] = [[], 0]
  let count = 0
  const aside = { jobs: 0, campaigns: 0 }
  const flush = async () => {
    if (into === undefined || rows.length === 0) return
    await query(into.statement, [text(`[${rows.join(",")}]`)])
    count += rows.length
    ;[rows, bytes] = [[], 0]
  }
  for (let next = await lines.next(); next.done !== true; next = await lines.next()) {
    const line = next.value
    if (line.startsWith("{")) {
      await flush()
      const found = tableOf(line, known)
      into = { name: found.table, statement: insertInto(found) }
      continue
    }
    if (into === undefined) throw new Stop("The backup is damaged: it has rows without a table")
    rows.push(line)
    bytes += line.length
    if (rows.length >= rowsAtOnce || bytes >= bytesAtOnce) await flush()
  }
  await flush()
  // The processes that held these leases are gone.
  await query("update job set owner = null where owner is not null")
  if (!resume) Object.assign(aside, await putAside(query))
  const ended = resume ? null : await endOpenings(query, header.at)
  await query(`delete from ${table} where migration_id = ${unfinishedRestore}`)
  await query("commit")
  return { rows: count, putAside: aside, ended }
}

/** Restores a backup into an empty schema, at the version of its tables, and then migrates the tables. */
export const restore = async (
  config: PgConnection.Config,
  query: Session,
  lines: AsyncIterator<string>,
  { accept, migrations = Migrations.all, resume }: RestoreOptions
): Promise<Restored> => {
  const first = await lines.next()
  const header = headerOf(
    first.done === true ? undefined : first.value,
    Object.keys(migrations).map(Migrations.numberOf)
  )
  await accept(header)
  const backedUp = migrationsOf(header.migrations, migrations)
  await begin(query, backedUp)
  await Effect.runPromise(Migrator.run(config, backedUp, { restoring: true }))
  const filled = await fill(query, header, backedUp, lines, resume)
  await Effect.runPromise(Migrator.run(config, migrations))
  return { header, ...filled }
}
