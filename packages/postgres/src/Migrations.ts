import type { Migration } from "./Migration.ts"
import { statements } from "./Migration.ts"
import { schema } from "./migrations/0001_schema.ts"

/** The table that records which migrations ran. */
export const migrationsTable = "countersign_migrations"

export interface Migrations {
  readonly [name: string]: Migration
}

/** Every migration by name, in order. A released migration never changes. */
export const all = {
  "0001_schema": statements(schema)
} satisfies Migrations

/** Returns the number of a migration: 1 for `0001_schema`. */
export const numberOf = (name: string) => Number.parseInt(name, 10)

/** The newest migration. A database that had it may still lack an older one. */
export const latest = Math.max(...Object.keys(all).map(numberOf))
