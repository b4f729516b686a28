import * as Migrations from "../Migrations.ts"
import { text, texts } from "../parameters.ts"
import { migrationLock, quoted } from "../PgSchema.ts"
import { Stop } from "./BackupError.ts"
import type { Header, Partition, Table } from "./BackupFile.ts"
import { migrationsOf, ourTables } from "./ourTables.ts"
import type { Row } from "../PgDatabase.ts"
import type { Session } from "./Session.ts"
import * as TableState from "../TableState.ts"

const rowsAtOnce = 500

/** Sorts tables so that a referenced table comes before the tables that refer to it. */
const inOrder = (names: ReadonlyArray<string>, references: ReadonlyArray<readonly [of: string, to: string]>) => {
  const ordered = new Set<string>()
  const add = (name: string): void => {
    if (ordered.has(name)) return
    for (const [of, to] of references) if (of === name && to !== name) add(to)
    ordered.add(name)
  }
  for (const name of names) add(name)
  return [...ordered]
}

const pause = (milliseconds: number) => new Promise<void>((resume) => setTimeout(resume, milliseconds))

/** The migrations that ran, in order. */
const migrationsNow = (query: Session) =>
  query(TableState.query()).catch((error: unknown) => {
    if (typeof error === "object" && error !== null && "sqlState" in error && error.sqlState === "42P01") return []
    throw error
  })

/** The migrations of tables that no process is migrating. */
const settledMigrations = async (query: Session): Promise<ReadonlyArray<Row>> => {
  for (;;) {
    const [row] = await query(`select pg_try_advisory_xact_lock_shared(${migrationLock})`)
    if (row?.[0] === true) break
    await pause(200)
  }
  const migrations = await migrationsNow(query)
  if (migrations.length === 0)
    throw new Stop("The database has no tables of this service, so there is nothing to back up")
  const { isPrerelease, isRestoring, unknown } = TableState.of(migrations)
  if (isPrerelease) throw new Stop(`The tables ${TableState.prereleaseProblem}`)
  if (isRestoring) throw new Stop("A restore into this database was interrupted: restore again before you back up")
  if (unknown.length > 0)
    throw new Stop(
      `The tables have migration ${unknown.join(", ")}, which this version (up to ${Migrations.latest}) does not know: back up with a version that knows it`
    )
  return migrations
}

const partitionsOf = `
select p.relname::text, c.relname::text, m[1], m[2] from pg_inherits i
  join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
  join pg_namespace n on n.oid = p.relnamespace
  cross join lateral regexp_match(pg_get_expr(c.relpartbound, c.oid), $$FROM \\('([^']*)'\\) TO \\('([^']*)'\\)$$) m
where p.relkind = 'p' and n.nspname = current_schema() and p.relname::text = any($1::text[]) and m is not null order by 1, 2`

const columnsOf = `
select attname::text, format_type(atttypid, atttypmod) from pg_attribute
where attrelid = to_regclass($1) and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`

const referencesOf = `
select c.conrelid::regclass::text, c.confrelid::regclass::text from pg_constraint c
where c.contype = 'f' and c.connamespace = current_schema()::regnamespace`

async function* rowsOf(query: Session, name: string): AsyncGenerator<string> {
  const columns = (await query(columnsOf, [text(name)])).map(
    ([column, type]) => [String(column), String(type)] as const
  )
  yield JSON.stringify({ table: name, columns } satisfies Table)
  const values = columns.map(([column]) => `${quoted(column)}::text`).join(", ")
  await query(`declare everything no scroll cursor for select json_build_array(${values})::text from ${name}`)
  for (;;) {
    const rows = await query(`fetch ${rowsAtOnce} from everything`)
    for (const [row] of rows) yield String(row)
    if (rows.length < rowsAtOnce) break
  }
  await query("close everything")
}

/**
 * Yields all data of one instant as lines: a header, then each table and its rows. It uses one read-only transaction,
 * so it neither waits for writers nor blocks them. A migration that starts in the meantime waits for it.
 * `copiedAt` is the instant of a copy of files; without it, the instant is that of the first read.
 */
export async function* dump(query: Session, version: string, copiedAt: number | null): AsyncGenerator<string> {
  const settled = await settledMigrations(query)
  const migrations = settled.map(([id]) => Number(id))
  const tables = ourTables(migrationsOf(migrations))
  await query("begin isolation level repeatable read, read only")
  // Locked before the first read, which sets the instant: from here on the tables keep their shape.
  await query(`lock table ${tables.join(", ")} in access share mode`)
  const [[now] = []] = await query(`select to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`)
  if (String(await migrationsNow(query)) !== String(settled))
    throw new Stop("The tables were migrated during the backup: run the backup again")
  const fingerprints = await query("select fingerprint from secret_fingerprint order by place")
  const partitions = (await query(partitionsOf, [texts([...tables])])).map(
    ([parent, name, low, high]): Partition => ({
      parent: String(parent),
      name: String(name),
      low: String(low),
      high: String(high)
    })
  )
  yield JSON.stringify({
    countersign: "backup",
    format: 2,
    version,
    migrations,
    at: copiedAt === null ? String(now) : new Date(copiedAt).toISOString(),
    fingerprints: fingerprints.map(([fingerprint]) => String(fingerprint)),
    partitions
  } satisfies Header)
  const references = (await query(referencesOf)).map(([of, to]) => [String(of), String(to)] as const)
  for (const name of inOrder(tables, references)) yield* rowsOf(query, name)
  await query("commit")
}
