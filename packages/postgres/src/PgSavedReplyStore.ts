import { Conflict, type SavedReply, SavedReplyStore, StoreError } from "@countersign/core/storage"
import { Effect } from "effect"
import { PgDatabase, type Row } from "./PgDatabase.ts"
import type { PgFailure } from "./PgFailure.ts"
import { storable, text } from "./parameters.ts"

export const list = "select environment, id, state from saved_reply where environment = $1 order by id"

const save = `
insert into saved_reply (environment, id, canonical, state) values ($1, $2, $3, $4)
on conflict (environment, id) do update set canonical = excluded.canonical, state = excluded.state`

const remove = "delete from saved_reply where environment = $1 and id = $2 returning 1"

type State = Omit<SavedReply, "environment" | "id">

const replyOf = ([environment, id, state]: Row): SavedReply => ({
  environment: environment as string,
  id: id as string,
  ...(JSON.parse(state as string) as State)
})

const canonical = (name: string) => name.normalize("NFKC").toLowerCase()

const failed = (operation: string) =>
  Effect.mapError((failure: PgFailure) => failure.toStoreError(`SavedReplyStore.${operation}`))

export const make = Effect.gen(function* () {
  const database = yield* PgDatabase

  return SavedReplyStore.of({
    list: (environment) =>
      storable(environment)
        ? Effect.map(database.query(list, [text(environment)]), (rows) => rows.map(replyOf)).pipe(failed("list"))
        : Effect.succeed([]),
    save: ({ createdAt, environment, id, name, text: words }) => {
      if (![environment, id, name].every(storable)) {
        return Effect.fail(
          new StoreError({
            operation: "SavedReplyStore.save",
            cause: new Error("a key is not text that Postgres can keep")
          })
        )
      }
      const state = JSON.stringify({ createdAt, name, text: words } satisfies State)
      return database.query(save, [text(environment), text(id), text(canonical(name)), text(state)]).pipe(
        Effect.mapError((failure) =>
          failure.sqlState === "23505" ? new Conflict({ key: id }) : failure.toStoreError("SavedReplyStore.save")
        ),
        Effect.asVoid
      )
    },
    remove: (environment, id) =>
      storable(environment) && storable(id)
        ? Effect.map(database.query(remove, [text(environment), text(id)]), (rows) => rows.length > 0).pipe(
            failed("remove")
          )
        : Effect.succeed(false)
  })
})
