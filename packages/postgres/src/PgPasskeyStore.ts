import { type Passkey, PasskeyStore } from "@countersign/core/storage"
import { Effect } from "effect"
import { text } from "./parameters.ts"
import { PgDatabase } from "./PgDatabase.ts"
import type { PgOutbox } from "./PgOutbox.ts"
import { commitsOf, queriesOf } from "./storeQueries.ts"
import * as Table from "./table.ts"
import { versionedRow } from "./versionedRow.ts"

const passkey = Table.rows<Passkey>()("passkey", ["id"], {
  id: Table.text,
  canonical: Table.once(Table.text),
  version: Table.int,
  createdAt: Table.once(Table.instant),
  removed: Table.of(Table.bool, ({ removedAt }: Passkey) => removedAt !== null),
  state: Table.others
})

export const get = `select ${passkey.select("p")} from passkey p where id = $1`
export const list = `
select ${passkey.select("p")} from passkey p where canonical = $1 and not removed order by created_at, id`
export const commit = versionedRow(passkey)

export const make = Effect.fnUntraced(function* (outbox: PgOutbox) {
  const { row, rows } = queriesOf(yield* PgDatabase, "PasskeyStore")
  const write = commitsOf(outbox, "PasskeyStore")

  return PasskeyStore.of({
    get: (id) => row("get", get, () => [text(id)], passkey.decode),
    list: (canonical) => rows("list", list, () => [text(canonical)], passkey.decode),
    commit: (change) =>
      Effect.map(
        write("commit", change.passkey.id, commit, () => passkey.sent(change.passkey), change),
        ([version]) => ({ ...change.passkey, version: version as number })
      )
  })
})
