import { type Agent, isActive, type Team } from "@countersign/core/storage"
import { given, type GuardedPart, held, part } from "./guardedStore.ts"
import { bool, id, int, of, only, rows, type Table, text } from "./table.ts"

export const agent = rows<Agent>()("agent", ["merchantId", "id"], {
  merchantId: text,
  id,
  version: int,
  canonical: text,
  active: of(bool, isActive),
  removed: of(bool, (agent: Agent) => agent.removedAt !== null),
  state: only("agreedAt", "createdAt", "email", "era", "removedAt", "role", "status")
})

export const team = rows<Team>()("team", ["merchantId", "id"], {
  merchantId: text,
  id,
  version: int,
  canonical: text,
  removed: of(bool, (team: Team) => team.removedAt !== null),
  state: only("assignment", "createdAt", "members", "name", "removedAt"),
  takesNew: bool
})

/** What the turns of agents and those of teams are counted under; agents are always taken first. */
const agentTurns = 7_001
const teamTurns = 7_002

/**
 * Who works for a merchant changes by turns. New rows that claim one name at one moment would each be there before the
 * other is looked for: each then waits for the other until Postgres ends one as a deadlock, a second later.
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

/** The agents of a change, whichever store it goes through. */
export const agentPart = <Change>(of: (change: Change) => ReadonlyArray<Agent>): GuardedPart<Change> =>
  part(agent, {
    of,
    names: ({ canonical, id, merchantId }) => [
      ["agent", merchantId, id],
      ["email", merchantId, canonical]
    ],
    looks: inTurn(agentTurns, agent)
  })

export const teamPart = <Change>(of: (change: Change) => ReadonlyArray<Team>): GuardedPart<Change> =>
  part(team, {
    of,
    names: ({ canonical, id, merchantId, takesNew }) => [
      ["team", merchantId, id],
      ["called", merchantId, canonical],
      ...(takesNew ? [["new", merchantId]] : [])
    ],
    looks: inTurn(teamTurns, team)
  })
