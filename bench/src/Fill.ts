import type { Postgres } from "./Postgres.ts"
import { initiateOne } from "./Requests.ts"
import type { Service } from "./Service.ts"

/** Rows of verifications, their people and their first events, which `id` names by their number. */
export interface Filled {
  readonly rows: number
  readonly environment: string
  readonly idPrefix: string
  readonly idBase: bigint
}

/** Keys of 16 digits sort among the identifiers made at the same time, and grow like them. */
const idBase = 1_000_000_000_000_000n
const mostPerStatement = 500_000

export const idOf = ({ idBase, idPrefix }: Filled, row: number) => idPrefix + (idBase + BigInt(row))

const tables = ["subject", "verification", "event"] as const
const stride = 618_033_989

/**
 * Repeats the rows of one verification that the service itself has written, with keys of their own. People come in no
 * order, as they do in life; identifiers grow.
 */
export const fill = async (postgres: Postgres, database: string, service: Service, rows: number): Promise<Filled> => {
  const id = await initiateOne(service)
  const [template] = await postgres.query(
    database,
    `select environment, canonical from verification where id = '${id}'`
  )
  const environment = String(template?.["environment"])
  const canonical = String(template?.["canonical"])
  const time = id.slice(4, 14)
  const person = `(916000000000 + (i * ${stride}) % 1000000000)::text`
  const insertion = async (table: string) => {
    const columns = await postgres.query(
      database,
      `select column_name as name from information_schema.columns
       where table_name = '${table}' and table_schema = current_schema() order by ordinal_position`
    )
    const value = (name: string) => {
      if (name === "canonical") return person
      if (name === "id") return `'${table.slice(0, 1) === "v" ? "ver" : "evt"}_${time}' || (${idBase} + i)`
      if (name === "state" || name === "data")
        return `replace(replace(t.${name}, '${canonical}', ${person}), '${id}', 'ver_${time}' || (${idBase} + i))`
      return `t.${name}`
    }
    const names = columns.map(({ name }) => String(name))
    return (from: number, to: number) =>
      `insert into ${table} (${names.join(", ")}) select ${names.map(value).join(", ")}
       from (select * from ${table} where environment = '${environment}' limit 1) t,
       generate_series(${from}::bigint, ${to}::bigint) as i`
  }
  const insertions = await Promise.all(tables.map(insertion))
  for (let from = 1; from <= rows; from += mostPerStatement) {
    const to = Math.min(rows, from + mostPerStatement - 1)
    for (const insert of insertions) await postgres.query(database, insert(from, to))
  }
  await postgres.query(database, "vacuum analyze")
  await postgres.query(database, "checkpoint")
  return { rows, environment, idPrefix: `ver_${time}`, idBase }
}
