import * as Migrations from "../Migrations.ts"
import type { Migration } from "../Migration.ts"

/** A number no migration has. While it is noted, a restore is under way or was cut off, and no service starts. */
export const unfinishedRestore = 1_000_000

/** The processes that run now mean nothing in a backup. The counts of recipients come back with the recipients. */
const leftOut: ReadonlySet<string> = new Set(["process", "recipient_count"])

const made = /^\s*create table (?:if not exists )?([a-z_]+)\b(?!\s+partition of)/

const namesIn = ({ statements }: Migration): ReadonlyArray<string> =>
  statements.flatMap((statement) => {
    const name = typeof statement === "string" ? made.exec(statement)?.[1] : undefined
    return name === undefined ? [] : [name]
  })

/** Those of the migrations that have these ids. */
export const migrationsOf = (
  ids: ReadonlyArray<number>,
  migrations: Migrations.Migrations = Migrations.all
): Migrations.Migrations =>
  Object.fromEntries(Object.entries(migrations).filter(([name]) => ids.includes(Migrations.numberOf(name))))

/** The tables of these migrations that hold something. In a schema that others use too, nothing else is touched. */
export const ourTables = (migrations: Migrations.Migrations): ReadonlyArray<string> =>
  Object.values(migrations)
    .flatMap(namesIn)
    .filter((name) => !leftOut.has(name))
