import { Conflict, type SavedReply, SavedReplyStore } from "@countersign/core/storage"
import { Effect } from "effect"
import { text } from "./parameters.ts"
import { PgDatabase } from "./PgDatabase.ts"
import { PgFailure } from "./PgFailure.ts"
import { queriesOf } from "./storeQueries.ts"
import * as Table from "./table.ts"

const reply = Table.rows<SavedReply>()("saved_reply", ["environment", "id"], {
  environment: Table.text,
  id: Table.text,
  canonical: Table.of(Table.text, ({ name }: SavedReply) => name.normalize("NFKC").toLowerCase()),
  state: Table.only("createdAt", "name", "text")
})

export const list = `select ${reply.select("r")} from saved_reply r where environment = $1 order by id`

const save = `
insert into saved_reply (environment, id, canonical, state) values ($1, $2, $3, $4)
on conflict (environment, id) do update set canonical = excluded.canonical, state = excluded.state`

const remove = "delete from saved_reply where environment = $1 and id = $2 returning 1"

export const make = Effect.gen(function* () {
  const { rows, write } = queriesOf(yield* PgDatabase, "SavedReplyStore")

  return SavedReplyStore.of({
    list: (environment) => rows("list", list, () => [text(environment)], reply.decode),
    save: (given) =>
      Effect.asVoid(write("save", save, () => reply.sent(given))).pipe(
        Effect.catchIf(
          ({ cause }) => cause instanceof PgFailure && cause.isTaken,
          () => Effect.fail(new Conflict({ key: given.id }))
        )
      ),
    remove: (environment, id) =>
      Effect.map(
        rows(
          "remove",
          remove,
          () => [text(environment), text(id)],
          () => 1
        ),
        (removed) => removed.length > 0
      )
  })
})
