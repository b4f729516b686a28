import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { ourTables } from "../src/backup/ourTables.ts"
import * as Migrations from "../src/Migrations.ts"

/**
 * Statements of an older process on one table, with only the columns that it knew. Each takes the number of a row. The
 * content of a row follows from its number.
 */
export interface OldTable {
  readonly name: string
  /** Inserts the rows from the first number to the last. */
  readonly insert: string
  readonly select: string
  readonly update: string
  /** Counts the rows from a number on, and their updates if the table counts them. */
  readonly count: string
  readonly counts: boolean
}

interface Column {
  readonly name: string
  readonly type: string
  readonly key: boolean
}

/** Maintenance must not delete rows of a test. */
const begin = "date_trunc('hour', now()) + interval '1 day'"

/** Columns that cannot have any value: references, and columns with a check. */
const known: { readonly [column: string]: string } = {
  "environment.merchant_id": "'merchant.id ' || i",
  "credential.environment": "'environment.id ' || i",
  "credential.kind": "'SERVER'",
  "balance.holds": "true",
  "spending.holds": "true",
  "verification.id": "'ver_' || lpad(i::text, 26, '0')",
  "verification.state": `'{"path":"SERVER","orderId":"order_reference.order_id ' || i || '","status":"PENDING"}'`,
  "order_reference.verification_id": "'ver_' || lpad(i::text, 26, '0')",
  "job.kind": "'webhook'",
  "job.run_at": `${begin} + i * interval '1 second'`
}

const valueOf = (table: string, { key, name, type }: Column): string => {
  const given = known[`${table}.${name}`]
  if (given !== undefined) return given
  switch (type) {
    case "text":
      return `'${table}.${name} ' || i`
    case "integer":
    case "bigint":
      return key ? "i" : "0"
    case "boolean":
      return "false"
    case "timestamp with time zone":
      // A key is the same for every process at every time.
      return `${key ? "timestamptz '2100-01-01Z'" : begin} + i * interval '1 second'`
    default:
      throw new Error(`${table}.${name} is of a type that no older table had: ${type}. Say here what is in it`)
  }
}

const isNumber = ({ key, type }: Column) => !key && (type === "integer" || type === "bigint")

const statementsOf = (name: string, columns: ReadonlyArray<Column>): OldTable => {
  const keys = columns.filter(({ key }) => key)
  const matches = (row: string) =>
    keys.map((column) => `${row}.${column.name} = (${valueOf(name, column)})`).join(" and ")
  const counter = columns.find(isNumber)
  const other = columns.find(({ key }) => !key)
  const change =
    counter === undefined
      ? `${(other ?? columns[0])!.name} = t.${(other ?? columns[0])!.name}`
      : `${counter.name} = t.${counter.name} + 1`
  const names = columns.map((column) => column.name).join(", ")
  const values = columns.map((column) => valueOf(name, column)).join(", ")
  const one = "(select $1::int as i) n"
  return {
    name,
    insert: `insert into ${name} (${names}) select ${values} from generate_series($1::int, $2::int) i`,
    select: `select ${columns.map((column) => `t.${column.name}`).join(", ")} from ${name} t, ${one} where ${matches("t")}`,
    update: `update ${name} t set ${change} from ${one} where ${matches("t")} returning 1`,
    count: `select count(t.*)::int, coalesce(sum(${counter === undefined ? "0" : `t.${counter.name}`}), 0)::int
      from generate_series($1::int, $2::int) i left join ${name} t on ${matches("t")}`,
    counts: counter !== undefined
  }
}

/** Excludes tables with a fixed number of rows, which do not change with the load. */
const isWritten = (name: string) => name !== "secret_fingerprint" && name !== "storage_clock"

const columnsOf = `
select a.attname::text as name, format_type(a.atttypid, null) as type,
  exists (select from pg_index i where i.indrelid = a.attrelid and i.indisprimary and a.attnum = any(i.indkey)) as key
from pg_attribute a
where a.attrelid = to_regclass($1) and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum`

/** The current tables, for processes that continue while the tables change. Referenced tables come first. */
export const oldTables = (sql: PgClient.PgClient) =>
  Effect.forEach(ourTables(Migrations.all).filter(isWritten), (name) =>
    Effect.map(sql.unsafe<Column>(columnsOf, [name]), (columns) => statementsOf(name, columns))
  )
