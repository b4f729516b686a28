import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Result } from "effect"

const arrayOf = (oid: number) => (values: ReadonlyArray<unknown>) => Result.getOrThrow(PgTypes.array(values, oid))

/** Typed parameters: their type never depends on what is in them, so a statement is prepared once. */
export const texts: (values: ReadonlyArray<string | null>) => PgTypes.Parameter = arrayOf(PgTypes.OID.text)
export const ints: (values: ReadonlyArray<number | null>) => PgTypes.Parameter = arrayOf(PgTypes.OID.int4)
export const bigints = (values: ReadonlyArray<string | null> | null): PgTypes.Parameter =>
  values === null
    ? text(null)
    : arrayOf(PgTypes.OID.int8)(values.map((value) => (value === null ? null : BigInt(value))))
export const bools: (values: ReadonlyArray<boolean>) => PgTypes.Parameter = arrayOf(PgTypes.OID.bool)
export const instants: (values: ReadonlyArray<number | null>) => PgTypes.Parameter = arrayOf(PgTypes.OID.timestamptz)
export const instant: (value: number) => PgTypes.Parameter = PgTypes.timestamptz
export const text: (value: string | null) => PgTypes.Parameter = PgTypes.text
export const bigint: (value: number) => PgTypes.Parameter = (value) => PgTypes.int8(BigInt(value))
export const int: (value: number) => PgTypes.Parameter = PgTypes.int4
export const bool: (value: boolean) => PgTypes.Parameter = PgTypes.bool
export const json: (value: unknown) => PgTypes.Parameter = PgTypes.jsonb
export const float: (value: number) => PgTypes.Parameter = PgTypes.float8

/** Postgres text holds neither U+0000 nor half of a surrogate pair: the one is refused, the other would be changed. */
export const storable = (value: string): boolean => value.isWellFormed() && !value.includes("\u0000")
