import { type OutboxStatement, outboxStatement } from "./outboxStatement.ts"
import type { Table } from "./table.ts"

/**
 * The statement that commits one row guarded by its version. `sent` gives its parameters. It returns the new version. A
 * new row is inserted, a known one updated: an upsert would recreate a row that was deleted in the meantime. `more` are
 * queries that read `ok`.
 */
export const versionedRow = ({ changing, columns, key, table }: Table, more = ""): OutboxStatement => {
  const $ = (name: string) => `$${columns.indexOf(name) + 1}`
  const version = $("version")
  return outboxStatement({
    own: `known as (
  update ${table} set ${[`version = ${version} + 1`, ...changing.map((name) => `${name} = ${$(name)}`)].join(", ")}
  where ${[...key, "version"].map((name) => `${name} = ${$(name)}`).join(" and ")} and ${version} > 0
  returning version
), fresh as (
  insert into ${table} (${columns.join(", ")})
  select ${columns.map((name) => (name === "version" ? "1" : $(name))).join(", ")} where ${version} = 0
  on conflict (${key.join(", ")}) do nothing
  returning version
), ok as materialized (
  select 1 as n, version from known union all select 1, version from fresh
)${more}`,
    parameters: columns.length,
    answer: "version"
  })
}

/** The statement that deletes one row by `keys`, if it is at the given version. */
export const removedRow = ({ table }: Table, keys: ReadonlyArray<string>): OutboxStatement =>
  outboxStatement({
    own: `gone as (
  delete from ${table} where ${[...keys, "version"].map((name, i) => `${name} = $${i + 1}`).join(" and ")} returning 1
), ok as materialized (
  select 1 as n from gone
)`,
    parameters: keys.length + 1,
    answer: "n"
  })
