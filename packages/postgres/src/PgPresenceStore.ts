import { type Presence, PresenceStore, StoreError } from "@countersign/core/storage"
import { Effect } from "effect"
import { PgDatabase, type Row } from "./PgDatabase.ts"
import type { PgFailure } from "./PgFailure.ts"
import { bool, instant, int, storable, text } from "./parameters.ts"

export const list = `
select environment, lead_id, agent_id, email, typing, since, seen_at from lead_presence
where environment = $1 and lead_id = $2 order by agent_id`

export const save = `
insert into lead_presence (environment, lead_id, agent_id, email, typing, since, seen_at)
values ($1, $2, $3, $4, $5, $6, $7)
on conflict (environment, lead_id, agent_id) do update
set email = excluded.email, typing = excluded.typing, since = excluded.since, seen_at = excluded.seen_at`

const remove = "delete from lead_presence where environment = $1 and lead_id = $2 and agent_id = $3"

const purge = `
delete from lead_presence where ctid = any(array(
  select ctid from lead_presence where seen_at < $1 limit $2 for update skip locked
)) returning 1`

const purgedAtOnce = 1_000

const presenceOf = ([environment, leadId, agentId, email, typing, since, seenAt]: Row): Presence => ({
  environment: environment as string,
  leadId: leadId as number,
  agentId: agentId as number,
  email: email as string,
  typing: typing as boolean,
  since: (since as Date).getTime(),
  seenAt: (seenAt as Date).getTime()
})

const failed = (operation: string) =>
  Effect.mapError((failure: PgFailure) => failure.toStoreError(`PresenceStore.${operation}`))

export const make = Effect.gen(function* () {
  const database = yield* PgDatabase

  return PresenceStore.of({
    list: (environment, leadId) =>
      storable(environment)
        ? Effect.map(database.query(list, [text(environment), int(leadId)]), (rows) => rows.map(presenceOf)).pipe(
            failed("list")
          )
        : Effect.succeed([]),
    save: ({ agentId, email, environment, leadId, seenAt, since, typing }) =>
      storable(environment) && storable(email)
        ? database
            .query(save, [
              text(environment),
              int(leadId),
              int(agentId),
              text(email),
              bool(typing),
              instant(since),
              instant(seenAt)
            ])
            .pipe(failed("save"), Effect.asVoid)
        : Effect.fail(
            new StoreError({
              operation: "PresenceStore.save",
              cause: new Error("it is not text that Postgres can keep")
            })
          ),
    remove: (environment, leadId, agentId) =>
      storable(environment)
        ? database.query(remove, [text(environment), int(leadId), int(agentId)]).pipe(failed("remove"), Effect.asVoid)
        : Effect.void,
    purge: Effect.fnUntraced(
      function* (keptSince) {
        let purged = 0
        for (;;) {
          const rows = yield* database.query(purge, [instant(keptSince), int(purgedAtOnce)])
          purged += rows.length
          if (rows.length < purgedAtOnce) return purged
        }
      },
      (effect) => failed("purge")(effect)
    )
  })
})
