import type { Each } from "../Migration.ts"

/** Its index on each partition: built beside whoever writes, and then part of the whole. */
const built = (name: string, columns: string, where = ""): ReadonlyArray<string | Each> => [
  `create index if not exists ${name} on only verification ${columns}${where}`,
  {
    each: `select step from pg_inherits p join pg_class c on c.oid = p.inhrelid
      cross join lateral (values
        (1, format('drop index concurrently if exists %I', c.relname || '_${name}')),
        (2, format('create index concurrently %I on %I ${columns}${where}', c.relname || '_${name}', c.relname)),
        (3, format('alter index ${name} attach partition %I', c.relname || '_${name}'))
      ) as s(n, step)
      where p.inhparent = 'verification'::regclass and not exists (
        select from pg_inherits a join pg_index i on i.indexrelid = a.inhrelid
        where a.inhparent = '${name}'::regclass and i.indrelid = c.oid
      )
      order by c.relname, n`
  }
]

/**
 * What a verification is found by. Indexed is what never changes, and `order_id`, which only a resend changes: that moves
 * the expiry besides, and so writes every index entry anew anyhow. What changes in place, a status above all, is a column
 * without an index: a search looks at it row by row, of a bounded number.
 *
 * The environment comes second, so that a walk from one key, ordered by all three, can take no other index.
 *
 * Rows of a time before have none of these columns: they are found by their person and their id.
 */
export const search: ReadonlyArray<string | Each> = [
  `alter table verification
    add column if not exists status text collate "C",
    add column if not exists channel text collate "C",
    add column if not exists country text collate "C",
    add column if not exists order_id text collate "C"`,
  ...built("verification_person", "(canonical, environment, id)"),
  ...built("verification_order", "(order_id, environment, id)", " where order_id is not null"),
  ...built("verification_country", "(country, environment, id)", " where country is not null")
]
