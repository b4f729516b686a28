import { type Presence, PresenceStore } from "@countersign/core/storage"
import { Effect } from "effect"
import { instant, int, text } from "./parameters.ts"
import { PgDatabase } from "./PgDatabase.ts"
import { queriesOf } from "./storeQueries.ts"
import * as Table from "./table.ts"

const presence = Table.rows<Presence>()("lead_presence", ["environment", "leadId", "agentId"], {
  environment: Table.text,
  leadId: Table.int,
  agentId: Table.int,
  email: Table.text,
  typing: Table.bool,
  since: Table.time,
  seenAt: Table.time
})

export const list = `
select ${presence.select("p")} from lead_presence p
where environment = $1 and lead_id = $2 order by agent_id`

export const inEnvironment = `
select ${presence.select("p")} from lead_presence p
where environment = $1 and seen_at >= $2 order by lead_id, agent_id`

export const save = `
insert into lead_presence (${presence.columns.join(", ")})
values (${presence.columns.map((_, i) => `$${i + 1}`).join(", ")})
on conflict (${presence.key.join(", ")}) do update
set ${presence.changing.map((name) => `${name} = excluded.${name}`).join(", ")}`

const remove = "delete from lead_presence where environment = $1 and lead_id = $2 and agent_id = $3"

const old = `
delete from lead_presence where ctid = any(array(
  select ctid from lead_presence where seen_at < $1 limit $2 for update skip locked
)) returning 1`

export const make = Effect.gen(function* () {
  const { purge, rows, write } = queriesOf(yield* PgDatabase, "PresenceStore")

  return PresenceStore.of({
    list: (environment, leadId) => rows("list", list, () => [text(environment), int(leadId)], presence.decode),
    present: (environment, seenSince) =>
      rows("present", inEnvironment, () => [text(environment), instant(seenSince)], presence.decode),
    save: (given) => Effect.asVoid(write("save", save, () => presence.sent(given))),
    remove: (environment, leadId, agentId) =>
      Effect.asVoid(
        rows(
          "remove",
          remove,
          () => [text(environment), int(leadId), int(agentId)],
          () => 1
        )
      ),
    purge: (keptSince) => purge(old, instant(keptSince))
  })
})
