import type { LeadStore } from "@countersign/core/storage"
import { given, guardedStatements, held, inserted, known, fresh, part } from "./guardedStore.ts"
import { isOk } from "./outboxParts.ts"
import { activeAgent, entry, lead, message } from "./leadTables.ts"
import { unnested } from "./table.ts"

/**
 * The current owner of a name may give it up in the same statement. Then the unique index decides at the end of the
 * statement.
 */
const takenBy = (table: string, condition: string) => `
  select g.n from ${table}_given g cross join lateral (
    select environment, id from ${table} where environment = g.environment and ${condition} offset 0
  ) t where g.version = 0 and ((t.environment, t.id) in (select environment, id from ${table}_held)) is not true`

/** Tells live streams which leads changed. Rows are only added, so commits of one lead never wait for each other here. */
const noticed = (table: string, id: string) => `${table}_noticed as (
  insert into lead_change (environment, lead_id)
  select distinct environment, ${id} from ${table}_given where ${id} is not null and ${isOk}
)`

const leads = part(lead, {
  of: ({ leads }: LeadStore.Change) => leads,
  names: ({ contact, environment, id, phone, userId }) => [
    ["contact", environment, contact],
    ["lead", environment, id],
    ...(phone === null ? [] : [["phone", environment, phone]]),
    ...(userId === null ? [] : [["user", environment, userId]])
  ],
  looks: (from) => [given(lead, from), held(lead, "words")],
  taken: [
    takenBy("lead", "contact = g.contact"),
    takenBy("lead", "phone_end = reverse(g.phone)"),
    takenBy("lead", "user_id = g.user_id")
  ],
  writes: [
    known(lead),
    fresh(lead),
    `renamed as materialized (
  select environment, id, words, string_to_array(had, ' ') as had, string_to_array(words, ' ') as has
  from lead_held where had <> words and ${isOk}
  union all
  select environment, id, words, '{}'::text[], string_to_array(words, ' ')
  from lead_given where version = 0 and words <> '' and ${isOk}
)`,
    `word_gone as (
  delete from lead_word t using (
    select w.place from (select environment, id, has, unnest(had) as word from renamed offset 0) g
    cross join lateral (
      select ctid as place from lead_word
      where environment = g.environment and word = g.word and lead_id = g.id offset 0
    ) w
    where g.word <> all (g.has)
  ) d where t.ctid = d.place
)`,
    `word_come as (
  insert into lead_word (environment, word, lead_id, words)
  select environment, word, id, words from (select environment, id, words, unnest(has) as word from renamed offset 0) g
  order by environment, word, id
  on conflict (environment, word, lead_id) do update set words = excluded.words
)`,
    noticed("lead", "id")
  ]
})

const messages = part(message, {
  of: ({ messages }: LeadStore.Change) => messages,
  names: ({ environment, id, providerId }) => [
    ["message", environment, id],
    ...(providerId === null ? [] : [["provider", environment, providerId]])
  ],
  taken: [takenBy("lead_message", "provider_id = g.provider_id")],
  writes: [known(message), fresh(message), noticed("lead_message", "lead_id")]
})

const entries = part(entry, {
  of: ({ entries }: LeadStore.Change) => entries,
  looks: (from) => [given(entry, from)],
  found: [],
  writes: [
    `entered as (
  ${inserted(entry)} from lead_entry_given where ${isOk} order by ${entry.key.join(", ")}
)`
  ]
})

/** Locks agents against removal. They count as guarded rows. */
const active = part(activeAgent, {
  of: ({ active }: LeadStore.Change) => active,
  isGuarded: () => true,
  looks: (from) => [
    `active_held as materialized (
  select g.n from (
    select * from ${unnested(activeAgent, from, "a")}
    order by merchant_id, id offset 0
  ) g
  cross join lateral (
    select 1 from agent where merchant_id = g.merchant_id and id = g.id and active offset 0 for share
  ) t
)`
  ],
  writes: []
})

/** Everything that an inbox change can contain, in locking order. */
export const statements = guardedStatements({
  leads,
  messages,
  entries,
  active
})
