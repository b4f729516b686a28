import type { StaffStore } from "@countersign/core/storage"
import { given, guardedStatements, held, part } from "./guardedStore.ts"
import { link, session } from "./personTables.ts"
import { agent, team } from "./staffTables.ts"
import type { Table } from "./table.ts"

/** Advisory lock classes for agents and teams. Agents are always locked first. */
const agentTurns = 7_001
const teamTurns = 7_002

/**
 * Changes to a merchant's team members are serialized by an advisory lock. Otherwise two concurrent inserts of one name
 * would each miss the other. Each would then wait for the other, until Postgres ends one as a deadlock a second later.
 */
const inTurn = (kind: number, table: Table) => (from: number) => [
  given(
    table,
    from,
    `(
    select count(taken) from (
      select pg_advisory_xact_lock(${kind}, scope) is null as taken
      from (select distinct hashtext(m) as scope from unnest($${from + 1}::text[]) as m order by 1 offset 0) o offset 0
    ) l
  ) turn cross join `
  ),
  held(table)
]

/** Everything that a change of team members can contain, in locking order. */
export const statements = guardedStatements({
  agents: part(agent, {
    of: ({ agents }: StaffStore.Change) => agents,
    names: ({ canonical, id, merchantId }) => [
      ["agent", merchantId, id],
      ["email", merchantId, canonical]
    ],
    looks: inTurn(agentTurns, agent)
  }),
  teams: part(team, {
    of: ({ teams }: StaffStore.Change) => teams,
    names: ({ canonical, id, merchantId, takesNew }) => [
      ["team", merchantId, id],
      ["called", merchantId, canonical],
      ...(takesNew ? [["new", merchantId]] : [])
    ],
    looks: inTurn(teamTurns, team)
  }),
  links: part(link, {
    of: ({ links }: StaffStore.Change) => links,
    names: ({ hash, id, merchantId }) => [
      ["link", merchantId, id],
      ["hash", hash]
    ]
  }),
  sessions: part(session, {
    of: ({ sessions }: StaffStore.Change) => sessions,
    names: ({ hash, id, merchantId }) => [
      ["session", merchantId, id],
      ["hash", hash]
    ]
  })
})
