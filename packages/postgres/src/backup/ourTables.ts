import * as Migrations from "../Migrations.ts"
import type { Migration } from "../Migration.ts"

/**
 * The id of no real migration. While it is recorded, a restore is running or was interrupted, and no service starts.
 */
export const unfinishedRestore = 1_000_000

/**
 * Running processes mean nothing in a backup. Triggers rebuild the recipient counts when the recipients are restored.
 */
const leftOut: ReadonlySet<string> = new Set(["process", "recipient_count"])

const made = /^\s*create table (?:if not exists )?([a-z_]+)\b(?!\s+partition of)/

const namesIn = ({ statements }: Migration): ReadonlyArray<string> =>
  statements.flatMap((statement) => {
    const name = typeof statement === "string" ? made.exec(statement)?.[1] : undefined
    return name === undefined ? [] : [name]
  })

/** The migrations with these ids. */
export const migrationsOf = (
  ids: ReadonlyArray<number>,
  migrations: Migrations.Migrations = Migrations.all
): Migrations.Migrations =>
  Object.fromEntries(Object.entries(migrations).filter(([name]) => ids.includes(Migrations.numberOf(name))))

/** The tables of these migrations that a backup contains. In a shared schema, no other table is touched. */
export const ourTables = (migrations: Migrations.Migrations): ReadonlyArray<string> =>
  Object.values(migrations)
    .flatMap(namesIn)
    .filter((name) => !leftOut.has(name))
