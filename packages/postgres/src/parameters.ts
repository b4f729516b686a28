import * as PgTypes from "@effect/sql-pg/PgTypes"
import { StoreError } from "@countersign/core/storage"
import { Result } from "effect"

const arrayOf = (oid: number) => (values: ReadonlyArray<unknown>) => Result.getOrThrow(PgTypes.array(values, oid))

/**
 * Postgres text cannot hold U+0000 or a lone surrogate: it refuses the first, and the client would replace the second.
 */
export const storable = (value: string): boolean => value.isWellFormed() && !value.includes("\u0000")

/** `text` and table columns throw this for a value that cannot be stored. */
class Unstorable extends Error {
  override readonly message = "a value has characters that Postgres cannot store"
}

export const refuse = (): never => {
  throw new Unstorable()
}

/** Runs `make`. Returns null when a value cannot be stored. */
export const ifStorable = <A>(make: () => A): A | null => {
  try {
    return make()
  } catch (error) {
    if (error instanceof Unstorable) return null
    throw error
  }
}

export const unstorable = (operation: string): StoreError => new StoreError({ operation, cause: new Unstorable() })

/** Typed parameters. Their type never depends on their values, so each statement is prepared once. */
export const texts: (values: ReadonlyArray<string | null>) => PgTypes.Parameter = arrayOf(PgTypes.OID.text)
export const ints: (values: ReadonlyArray<number | null>) => PgTypes.Parameter = arrayOf(PgTypes.OID.int4)
export const bigints: (values: ReadonlyArray<bigint | null>) => PgTypes.Parameter = arrayOf(PgTypes.OID.int8)
export const bools: (values: ReadonlyArray<boolean>) => PgTypes.Parameter = arrayOf(PgTypes.OID.bool)
export const instants: (values: ReadonlyArray<number | null>) => PgTypes.Parameter = arrayOf(PgTypes.OID.timestamptz)
export const instant: (value: number) => PgTypes.Parameter = PgTypes.timestamptz
export const text = (value: string | null): PgTypes.Parameter =>
  value === null || storable(value) ? PgTypes.text(value) : refuse()
export const bigint: (value: number) => PgTypes.Parameter = (value) => PgTypes.int8(BigInt(value))
export const int: (value: number) => PgTypes.Parameter = PgTypes.int4
/** The number of a lead, an agent or a team. */
export const id = (value: number): PgTypes.Parameter => (isId(value) ? PgTypes.int4(value) : refuse())
export const bool: (value: boolean) => PgTypes.Parameter = PgTypes.bool
export const json: (value: unknown) => PgTypes.Parameter = PgTypes.jsonb
export const float: (value: number) => PgTypes.Parameter = PgTypes.float8

/** Whether a number can be an id of ours. */
export const isId = (id: number): boolean => Number.isInteger(id) && id > 0 && id <= 2_147_483_647

/** Four millennia in either direction: Postgres can store those, and no real clock shows a time outside. */
export const isInstant = (at: number): boolean => Number.isInteger(at) && Math.abs(at) < 2e14
