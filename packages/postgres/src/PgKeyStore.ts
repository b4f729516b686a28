import { KeyStore } from "@countersign/core/storage"
import { Effect } from "effect"
import { credential, insertCredentials } from "./credentialTable.ts"
import { outboxStatement } from "./outboxStatement.ts"
import { instants, int, storable, text, texts } from "./parameters.ts"
import { PgDatabase } from "./PgDatabase.ts"
import type { PgOutbox } from "./PgOutbox.ts"
import { commitsOf, queriesOf } from "./storeQueries.ts"
import { plain } from "./table.ts"

export const load = `
select e.keys_version, ${credential.select("c")}
from environment e left join credential c on c.environment = e.id
where e.id = $1 order by c.id`

/**
 * All or nothing: if the version has moved, no row changes, and a key whose id exists fails the statement. The first
 * rows are the new keys, the others the changed keys.
 */
export const commit = outboxStatement({
  own: `moved as (
  update environment set keys_version = keys_version + 1 where id = $1 and keys_version = $2 returning id
), inserted as (${insertCredentials(3)}
  where exists (select from moved)
), changed as (
  update credential c set ${credential.changing.map((name) => `${name} = n.${name}`).join(", ")}
  from ${plain(credential, 3 + credential.names.length, "n")}
  where c.id = n.id and c.environment = $1 and exists (select from moved)
), ok as materialized (
  select 1 as n from moved
)`,
  parameters: 2 + 2 * credential.names.length,
  answer: "n"
})

/** Locks rows in the order of their ids, so that processes that record the same keys do not deadlock. */
export const used = `
with ordered as (
  select c.id, u.hour from credential c
  join (select id, max(hour) as hour from unnest($1::text[], $2::timestamptz[]) as u (id, hour) group by id) u
    on u.id = c.id and (c.last_used_at is null or c.last_used_at < u.hour)
  order by c.id for update of c
)
update credential c set last_used_at = o.hour from ordered o where c.id = o.id`

export const make = Effect.fnUntraced(function* (outbox: PgOutbox) {
  const { rows, write } = queriesOf(yield* PgDatabase, "KeyStore")
  const commits = commitsOf(outbox, "KeyStore")

  return KeyStore.of({
    load: (environment) =>
      Effect.map(
        rows(
          "load",
          load,
          () => [text(environment)],
          (row) => row
        ),
        (found) =>
          found[0] === undefined
            ? null
            : {
                environment,
                version: found[0][0] as number,
                keys: found.filter((row) => row[1] !== null).map((row) => credential.decode(row, 1))
              }
      ),
    commit: (change) => {
      const { added, changed, environment, version } = change
      const own = () => [
        text(environment),
        int(version),
        ...credential.parameters(added.map(credential.encode)),
        ...credential.parameters(changed.map(credential.encode))
      ]
      return Effect.asVoid(commits("commit", environment, commit, own, change))
    },
    used: (uses) => {
      const known = uses.filter(({ id }) => storable(id))
      return Effect.asVoid(
        write("used", used, () => [texts(known.map(({ id }) => id)), instants(known.map(({ hour }) => hour))])
      )
    }
  })
})
