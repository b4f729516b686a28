import * as PgTypes from "@effect/sql-pg/PgTypes"
import type { Row } from "./PgDatabase.ts"
import { bigints, bools, instants, ints, isId, isInstant, refuse, storable, texts } from "./parameters.ts"

const arrays = { text: texts, int: ints, bigint: bigints, bool: bools, timestamptz: instants }

const single = {
  text: PgTypes.text,
  int: PgTypes.int4,
  bigint: PgTypes.int8,
  bool: PgTypes.bool,
  timestamptz: PgTypes.timestamptz
}

/** A row with fields of any name. */
interface Loose {
  [field: string]: unknown
}

/** How the values of a column are written to and read from Postgres. */
export interface Column<A> {
  readonly type: keyof typeof arrays
  /** Encodes a value. Throws for a value that Postgres cannot store. */
  readonly write: (value: A) => unknown
  readonly read: (answer: unknown) => unknown
  /** The column's name, if it is not the field's in snake case. */
  readonly name?: string
  /** Written with a new row, and never changed. */
  readonly isOnce?: true
  /** The expression to select instead of the column. */
  readonly select?: (column: string) => string
}

/** A column computed from the whole row, for searches or guards. It is never read back. */
interface Computed {
  readonly column: Column<never>
  readonly of: (row: never) => unknown
  /** Sent for use in the statement only: the table has no such column. */
  readonly isAside?: true
}

/** Columns for the fields of a nested object. If the object is null, all its columns are null. */
interface Group<A> {
  readonly fields: Fields<NonNullable<A>>
}

/** A JSON text for fields without a column of their own: the fields in `names`, or all. */
interface Rest<Name extends PropertyKey = PropertyKey> {
  readonly names?: ReadonlyArray<Name>
  readonly encode: (row: never, columns: ReadonlySet<string>) => string
  /** Decodes the stored JSON. `row` has the fields with columns. */
  readonly decode: (state: string, row: never) => object
  readonly isOnce?: true
}

type Fields<A> = { readonly [K in keyof A]: Column<A[K]> | Group<A[K]> }
type FieldOf<A, K> = Computed | Rest | (K extends keyof A ? Column<A[K]> | Group<A[K]> : never)
type NamesOf<R> = R extends Rest<infer Name> ? Name : never
/** A field with neither a column nor a place in the JSON is a compile error. */
type Whole<A, F> = Exclude<keyof A, keyof F | NamesOf<F[keyof F]>> extends never ? unknown : never

const same = <A>(value: A): A => value

/** A text from outside: checked before it is sent. */
export const text: Column<string> = {
  type: "text",
  write: (value) => (storable(value) ? value : refuse()),
  read: same
}
/** A text of our own, such as an id, an enum value or JSON: not checked. */
export const word: Column<string> = { type: "text", write: same, read: same }
export const int: Column<number> = { type: "int", write: same, read: same }
/** The number of a lead, an agent or a team. */
export const id: Column<number> = { type: "int", write: (value) => (isId(value) ? value : refuse()), read: same }
export const bool: Column<boolean> = { type: "bool", write: same, read: same }
export const instant: Column<number> = {
  type: "timestamptz",
  write: (value) => (isInstant(value) ? value : refuse()),
  read: (answer) => (answer as Date).getTime()
}
/** A whole number that may exceed JavaScript's safe integers. */
export const bigint: Column<bigint> = { type: "bigint", write: same, read: same }
/** An instant from our own clock: not checked. */
export const time: Column<number> = { ...instant, write: same }

export const nullable = <A>(column: Column<A>): Column<A | null> => ({
  ...column,
  write: column.write === same ? same : (value) => (value === null ? null : column.write(value)),
  read: column.read === same ? same : (answer) => (answer === null ? null : column.read(answer))
})

export const named = <A>(name: string, column: Column<A>): Column<A> => ({ ...column, name })

export const once = <C extends Column<never> | Rest>(column: C): C => ({ ...column, isOnce: true })

export const of = <A, B>(column: Column<B>, value: (row: A) => B): Computed => ({ column, of: value })

export const aside = <A, B>(column: Column<B>, value: (row: A) => B): Computed => ({ column, of: value, isAside: true })

export const group = <A>(fields: Fields<NonNullable<A>>): Group<A> => ({ fields })

/** A field stored as JSON. */
export const json: Column<unknown> = {
  type: "text",
  write: (value) => JSON.stringify(value),
  read: (answer) => JSON.parse(answer as string)
}

/**
 * Stores the fields without a column as JSON. They are never searched, and JSON escapes characters that Postgres text
 * cannot hold. `encode` gets those fields. `decode` gets the stored JSON and the fields with columns.
 */
export const rest = <Stored, A>(encode: (rest: A) => Stored, decode: (state: Stored, row: A) => Partial<A>): Rest => ({
  encode: (row: Loose, columns) => {
    const state: { [name: string]: unknown } = {}
    for (const name in row) if (!columns.has(name)) state[name] = row[name]
    return JSON.stringify(encode(state as A))
  },
  decode: (state, row) => decode(JSON.parse(state) as Stored, row)
})

/** All fields without a column, unchanged. */
export const others: Rest = rest<object, object>(same, same)

/** Only these fields, even if the saved object has others. */
export const only = <const Name extends string>(...names: ReadonlyArray<Name>): Rest<Name> => ({
  names,
  encode: (row: Loose) => JSON.stringify(Object.fromEntries(names.map((name) => [name, row[name]]))),
  decode: (state) => JSON.parse(state) as object
})

/** Stores the encoding that core defines for a row. */
export const whole = <A extends object>(encode: (row: A) => string, decode: (state: string, row: A) => A): Rest => ({
  encode,
  decode
})

/** An encoded row: a value for each column. */
export type Values = ReadonlyArray<unknown>

/** One table: its parameters and its selects. */
export interface Table {
  readonly table: string
  /** The columns of its primary key. */
  readonly key: ReadonlyArray<string>
  /** The names of the sent values, in order. */
  readonly names: ReadonlyArray<string>
  /** The names that are columns of the table. */
  readonly columns: ReadonlyArray<string>
  /** The columns that an update writes, besides the version. */
  readonly changing: ReadonlyArray<string>
  /** The parameters for many rows: an array for each column. */
  readonly parameters: (rows: ReadonlyArray<Values>) => ReadonlyArray<PgTypes.Parameter>
  /** The parameters from `from` on, each with its type: `$2::text[], $3::int[]`. */
  readonly given: (from: number) => string
  /** The columns that `decode` reads, of the row named `alias`. */
  readonly select: (alias: string) => string
  /** How many columns `select` has. */
  readonly selected: number
}

/** A table, and how to encode and decode its rows. */
export interface Rows<A> extends Table {
  readonly encode: (row: A) => Values
  /** The parameters for one row: a value for each column. */
  readonly sent: (row: A) => ReadonlyArray<PgTypes.Parameter>
  readonly decode: (row: Row, from?: number) => A
}

interface Entry {
  readonly name: string
  readonly column: Column<never>
  readonly value: (row: Loose) => unknown
  readonly isAside?: true | undefined
  /** Assigns the selected value to the decoded row. Undefined for a column that is never read. */
  readonly put?: (row: Loose, answer: unknown) => void
}

const snake = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const entryOf = (field: string, column: Column<never>): Entry => {
  const { read } = column
  const write = column.write as (value: unknown) => unknown
  return {
    name: column.name ?? snake(field),
    column,
    value: write === same ? (row) => row[field] : (row) => write(row[field]),
    put: (row, answer) => {
      row[field] = read(answer)
    }
  }
}

const computed = (field: string, { column, isAside, of }: Computed): Entry => {
  const write = column.write as (value: unknown) => unknown
  const value = of as (row: Loose) => unknown
  return {
    name: column.name ?? snake(field),
    column,
    value: write === same ? value : (row) => write(value(row)),
    isAside
  }
}

type Field = Column<never> | Computed | Group<never> | Rest

const entriesOf = (fields: { readonly [name: string]: Field }): ReadonlyArray<Entry> => {
  const stored = new Set(Object.keys(fields).filter((name) => "type" in fields[name]! || "fields" in fields[name]!))
  return Object.entries(fields).flatMap(([field, given]): ReadonlyArray<Entry> => {
    if ("of" in given) return [computed(field, given)]
    if ("fields" in given) {
      return entriesOf(given.fields as { readonly [name: string]: Field }).map((entry) => ({
        ...entry,
        value: (row) => (row[field] === null ? null : entry.value(row[field] as Loose)),
        put: (row, answer) => entry.put!((row[field] ??= {}) as Loose, answer)
      }))
    }
    if ("encode" in given) {
      const { decode, encode, isOnce } = given
      return [
        {
          name: snake(field),
          column: isOnce ? once(word) : word,
          value: (row) => encode(row as never, stored),
          put: (row, answer) => void Object.assign(row, decode(answer as string, row as never))
        }
      ]
    }
    return [entryOf(field, given)]
  })
}

/**
 * Describes a table once. `key` names the fields of its primary key. `fields` has a column for each field that is
 * searched or guarded, and `others` or `rest` for the remaining fields. A new column takes one line here and one
 * migration.
 */
export const rows =
  <A>() =>
  <const F extends { readonly [K in keyof F]: FieldOf<A, K> }>(
    table: string,
    key: ReadonlyArray<keyof F & string>,
    fields: F & Whole<A, F>
  ): Rows<A> => {
    const entries = entriesOf(fields as { readonly [name: string]: Field })
    const values = entries.map(({ value }) => value)
    const columns = entries.map(
      ({ column }) => arrays[column.type] as (values: ReadonlyArray<unknown>) => PgTypes.Parameter
    )
    const read = entries.filter(({ put }) => put !== undefined)
    const keys = key.map((field) => entryOf(field, fields[field] as Column<never>).name)
    const inTable = entries.filter(({ isAside }) => isAside !== true)
    return {
      table,
      key: keys,
      names: entries.map(({ name }) => name),
      columns: inTable.map(({ name }) => name),
      changing: inTable.flatMap(({ column, name }) =>
        column.isOnce || name === "version" || keys.includes(name) ? [] : [name]
      ),
      encode: (row) => {
        const sent = new Array<unknown>(values.length)
        for (let i = 0; i < values.length; i++) sent[i] = values[i]!(row as Loose)
        return sent
      },
      sent: (row) =>
        entries.map(({ column, value }) =>
          (single[column.type] as (value: unknown) => PgTypes.Parameter)(value(row as Loose))
        ),
      parameters: (rows) => columns.map((array, i) => array(columnOf(rows, i))),
      given: (from) => entries.map(({ column }, i) => `$${from + i}::${column.type}[]`).join(", "),
      select: (alias) =>
        read.map(({ column, name }) => (column.select ?? same)(`${alias}.${name}`) as string).join(", "),
      selected: read.length,
      decode: (row, from = 0) => {
        const decoded: Loose = {}
        for (let i = 0; i < read.length; i++) read[i]!.put!(decoded, row[from + i])
        return decoded as A
      }
    }
  }

const columnOf = (rows: ReadonlyArray<Values>, i: number) => {
  const values = new Array<unknown>(rows.length)
  for (let n = 0; n < rows.length; n++) values[n] = rows[n]![i]
  return values
}

/** The parameters for the rows of a batch, each row with the position of its change, from 1. */
export const numbered = (table: Table, batch: ReadonlyArray<ReadonlyArray<Values>>) => {
  let count = 0
  for (const rows of batch) count += rows.length
  const positions = new Array<number>(count)
  const all = new Array<Values>(count)
  let next = 0
  for (let at = 0; at < batch.length; at++) {
    for (const values of batch[at]!) {
      positions[next] = at + 1
      all[next++] = values
    }
  }
  return [ints(positions), ...table.parameters(all)]
}

/** The rows sent by `numbered`, with `from` as the first parameter. */
export const unnested = ({ given, names }: Table, from: number, alias: string): string =>
  `unnest($${from}::int[], ${given(from + 1)})\n    as ${alias}(n, ${names.join(", ")})`

/** The rows sent without positions. */
export const plain = ({ given, names }: Table, from: number, alias: string): string =>
  `unnest(${given(from)})\n    as ${alias}(${names.join(", ")})`
