import { unfinishedRestore } from "./backup/ourTables.ts"
import * as Migrations from "./Migrations.ts"
import type { Row } from "./PgDatabase.ts"

/**
 * Compares the migrations that the tables have had with those of this version. Each migration is looked up by its own
 * id. Migrations may be released in any order, so a newer one says nothing about an older one.
 */
export interface TableState {
  /** The newest migration that ran; 0 without tables. */
  readonly found: number
  /** The migrations of this version that have not run, in order. */
  readonly missing: ReadonlyArray<string>
  /** Ids of migrations that ran but are unknown to this version, in order: a newer version ran them. */
  readonly unknown: ReadonlyArray<number>
  /** A restore into these tables is running, or was interrupted. */
  readonly isRestoring: boolean
  /** A version before 1.0 created the tables. Its migrations used the ids of later ones, with different content. */
  readonly isPrerelease: boolean
}

/** The name under which every version before 1.0 recorded its first migration. */
const prerelease = "tables"

export const prereleaseProblem =
  "were created by a version of Countersign before 1.0, and later versions cannot read or upgrade them: start with an empty database, another schema in DATABASE_SCHEMA or another directory in COUNTERSIGN_DATA_DIR. To export their data, use the version that created them"

/** Selects every migration that ran, one row each. */
export const query = (table: string = Migrations.migrationsTable): string =>
  `select migration_id::int, name from ${table} order by 1`

/** Interprets the rows of `query`. No rows: there are no tables. */
export const of = (rows: ReadonlyArray<Row>, known: Migrations.Migrations = Migrations.all): TableState => {
  const noted = rows.map(([id]) => Number(id))
  const ran = new Set(noted.filter((id) => id < unfinishedRestore))
  const names = Object.keys(known)
  const isPrerelease = rows.some(([id, name]) => Number(id) === 1 && name === prerelease)
  const ids = new Set(isPrerelease ? [] : names.map(Migrations.numberOf))
  return {
    found: Math.max(0, ...ran),
    missing: names.filter((name) => !ran.has(Migrations.numberOf(name))),
    unknown: [...ran].filter((id) => !ids.has(id)),
    isRestoring: noted.includes(unfinishedRestore),
    isPrerelease
  }
}
