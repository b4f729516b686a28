import type { Migration } from "./Migration.ts"
import { statements } from "./Migration.ts"
import { schema } from "./migrations/0001_schema.ts"

/** Where Postgres keeps which migrations ran. */
export const migrationsTable = "countersign_migrations"

export interface Migrations {
  readonly [name: string]: Migration
}

/** Every migration by its name, in order. One that was released never changes again. */
export const all = {
  "0001_schema": statements(schema)
} satisfies Migrations

/** `0001_schema` is 1. */
export const numberOf = (name: string) => Number.parseInt(name, 10)

/** The newest of them. A database that had it may still lack an older one. */
export const latest = Math.max(...Object.keys(all).map(numberOf))
