import { searchWords } from "@countersign/core/storage"
import { agentPart } from "./agentPart.ts"
import { type GuardedPart, isOk, rowsOf } from "./guardedStatements.ts"
import type { EncodedLeadChange } from "./leadCommit.ts"
import { encodeEntry, encodeTeam, none } from "./leadRows.ts"
import { bools, instants, ints, texts } from "./parameters.ts"
import { held, inTurn, teamTurns, written } from "./versionedRows.ts"

type LeadPart = GuardedPart<EncodedLeadChange>

/** Whoever has it may give it up in the same statement: then it is looked at in the end. */
const takenBy = (table: string, condition: string) => `
  select g.n from ${table}_given g cross join lateral (
    select environment, id from ${table} where environment = g.environment and ${condition} offset 0
  ) t where g.version = 0 and ((t.environment, t.id) in (select environment, id from ${table}_held)) is not true`

const leads: LeadPart = {
  isIn: ({ change }) => change.leads.length > 0,
  count: 13,
  parameters: (batch) => {
    const rows = rowsOf(batch, ({ change, leads }) => change.leads.map((lead, i) => ({ lead, state: leads[i]! })))
    return [
      ints(rows.map(({ n }) => n)),
      texts(rows.map(({ row }) => row.lead.environment)),
      ints(rows.map(({ row }) => row.lead.id)),
      ints(rows.map(({ row }) => row.lead.version)),
      texts(rows.map(({ row }) => row.lead.contact)),
      texts(rows.map(({ row }) => row.lead.phone)),
      texts(rows.map(({ row }) => row.lead.userId)),
      ints(rows.map(({ row }) => row.lead.assignedTo ?? none)),
      ints(rows.map(({ row }) => row.lead.teamId ?? none)),
      bools(rows.map(({ row }) => row.lead.status === "OPEN")),
      instants(rows.map(({ row }) => row.lead.lastMessageAt ?? -Infinity)),
      texts(
        rows.map(({ row }) =>
          searchWords(row.lead.name ?? "")
            .toSorted()
            .join(" ")
        )
      ),
      texts(rows.map(({ row }) => row.state))
    ]
  },
  looks: ($) => [
    `lead_given as materialized (
  select * from unnest(${$(1)}::int[], ${$(2)}::text[], ${$(3)}::int[], ${$(4)}::int[], ${$(5)}::text[], ${$(6)}::text[],
    ${$(7)}::text[], ${$(8)}::int[], ${$(9)}::int[], ${$(10)}::bool[], ${$(11)}::timestamptz[], ${$(12)}::text[], ${$(13)}::text[])
    as l(n, environment, id, version, contact, phone, user_id, owner, team, open, active_at, words, state)
)`,
    held("lead", "environment", "words")
  ],
  found: ["lead_held"],
  taken: [
    takenBy("lead", "contact = g.contact"),
    takenBy("lead", "phone_end = reverse(g.phone)"),
    takenBy("lead", "user_id = g.user_id")
  ],
  writes: [
    ...written("lead", "environment", [
      "contact",
      "phone",
      "user_id",
      "owner",
      "team",
      "open",
      "active_at",
      "words",
      "state"
    ]),
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
)`
  ]
}

const messages: LeadPart = {
  isIn: ({ change }) => change.messages.length > 0,
  count: 10,
  parameters: (batch) => {
    const rows = rowsOf(batch, ({ change, messages }) =>
      change.messages.map((message, i) => ({ message, state: messages[i]! }))
    )
    return [
      ints(rows.map(({ n }) => n)),
      texts(rows.map(({ row }) => row.message.environment)),
      texts(rows.map(({ row }) => row.message.id)),
      ints(rows.map(({ row }) => row.message.version)),
      ints(rows.map(({ row }) => row.message.leadId)),
      texts(rows.map(({ row }) => row.message.kind)),
      instants(rows.map(({ row }) => row.message.at)),
      texts(rows.map(({ row }) => row.message.providerId)),
      texts(rows.map(({ row }) => row.message.about)),
      texts(rows.map(({ row }) => row.state))
    ]
  },
  looks: ($) => [
    `lead_message_given as materialized (
  select * from unnest(${$(1)}::int[], ${$(2)}::text[], ${$(3)}::text[], ${$(4)}::int[], ${$(5)}::int[], ${$(6)}::text[],
    ${$(7)}::timestamptz[], ${$(8)}::text[], ${$(9)}::text[], ${$(10)}::text[])
    as m(n, environment, id, version, lead_id, kind, at, provider_id, about, state)
)`,
    held("lead_message", "environment")
  ],
  found: ["lead_message_held"],
  taken: [takenBy("lead_message", "provider_id = g.provider_id")],
  writes: written("lead_message", "environment", ["lead_id", "kind", "at", "provider_id", "about", "state"])
}

const entries: LeadPart = {
  isIn: ({ change }) => change.entries.length > 0,
  count: 5,
  parameters: (batch) => {
    const rows = rowsOf(batch, ({ change }) => change.entries)
    return [
      ints(rows.map(({ n }) => n)),
      texts(rows.map(({ row }) => row.environment)),
      ints(rows.map(({ row }) => row.leadId)),
      ints(rows.map(({ row }) => row.number)),
      texts(rows.map(({ row }) => encodeEntry(row)))
    ]
  },
  looks: ($) => [
    `lead_entry_given as materialized (
  select * from unnest(${$(1)}::int[], ${$(2)}::text[], ${$(3)}::int[], ${$(4)}::int[], ${$(5)}::text[])
    as e(n, environment, lead_id, number, state)
)`
  ],
  found: [],
  taken: [],
  writes: [
    `entered as (
  insert into lead_entry (environment, lead_id, number, state)
  select environment, lead_id, number, state from lead_entry_given where ${isOk} order by environment, lead_id, number
)`
  ]
}

/** Locked against removal before agents themselves are changed. */
const active: LeadPart = {
  isIn: ({ change }) => change.active.length > 0,
  count: 3,
  parameters: (batch) => {
    const rows = rowsOf(batch, ({ change }) => change.active)
    return [
      ints(rows.map(({ n }) => n)),
      texts(rows.map(({ row }) => row.merchantId)),
      ints(rows.map(({ row }) => row.id))
    ]
  },
  looks: ($) => [
    `active_held as materialized (
  select g.n from (
    select * from unnest(${$(1)}::int[], ${$(2)}::text[], ${$(3)}::int[]) as a(n, merchant_id, id)
    order by merchant_id, id offset 0
  ) g
  cross join lateral (
    select 1 from agent where merchant_id = g.merchant_id and id = g.id and active offset 0 for share
  ) t
)`
  ],
  found: ["active_held"],
  taken: [],
  writes: []
}

const agents: LeadPart = agentPart(({ change }) => change.agents)

const teams: LeadPart = {
  isIn: ({ change }) => change.teams.length > 0,
  count: 8,
  parameters: (batch) => {
    const rows = rowsOf(batch, ({ change }) => change.teams)
    return [
      ints(rows.map(({ n }) => n)),
      texts(rows.map(({ row }) => row.merchantId)),
      ints(rows.map(({ row }) => row.id)),
      ints(rows.map(({ row }) => row.version)),
      texts(rows.map(({ row }) => row.canonical)),
      bools(rows.map(({ row }) => row.takesNew)),
      bools(rows.map(({ row }) => row.removedAt !== null)),
      texts(rows.map(({ row }) => encodeTeam(row)))
    ]
  },
  looks: ($) => [
    `team_given as materialized (
  select t.* from ${inTurn(teamTurns, `${$(2)}::text[]`)}unnest(${$(1)}::int[], ${$(2)}::text[], ${$(3)}::int[],
    ${$(4)}::int[], ${$(5)}::text[], ${$(6)}::bool[], ${$(7)}::bool[], ${$(8)}::text[]) as t(n, merchant_id, id, version, canonical, takes_new, removed, state)
)`,
    held("team", "merchant_id")
  ],
  found: ["team_held"],
  taken: [],
  writes: written("team", "merchant_id", ["canonical", "takes_new", "removed", "state"])
}

/** All that changes of the inbox carry, in the order in which it is locked. */
export const leadParts = { leads, messages, entries, active, agents, teams }
