import { unfinishedRestore } from "./backup/ourTables.ts"
import * as Migrations from "./Migrations.ts"
import type { Row } from "./PgDatabase.ts"

/**
 * Which migrations the tables have had, compared with those that this version knows. Every migration is looked for by
 * its own id: migrations may be released in any order, so a newer one says nothing about an older one.
 */
export interface TableState {
  /** The newest migration that ran; 0 where there are no tables. */
  readonly found: number
  /** The migrations of this version that have not run, in order. */
  readonly missing: ReadonlyArray<string>
  /** Ids of migrations that ran and that this version does not know, in order: a newer version ran them. */
  readonly unknown: ReadonlyArray<number>
  /** A restore into these tables is running, or was cut off. */
  readonly isRestoring: boolean
  /** A version before 1.0 made the tables. Its migrations had the same ids as later ones and another content. */
  readonly isPrerelease: boolean
}

/** The name by which the first migration of every version before 1.0 is recorded. */
const prerelease = "tables"

export const prereleaseProblem =
  "were made by a version of Countersign before 1.0, which later versions cannot read or upgrade: start with an empty database, another schema in DATABASE_SCHEMA or another directory in COUNTERSIGN_DATA_DIR. The version that made them still opens them, for what you want to look up or export"

/** Reads every migration that ran: one row each. */
export const query = (table: string = Migrations.migrationsTable): string =>
  `select migration_id::int, name from ${table} order by 1`

/** What the rows of `query` say. No rows stand for tables that are not there. */
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
