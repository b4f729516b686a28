import type { Merchant } from "@countersign/core"
import { type Agent, StaffStore, type Team } from "@countersign/core/storage"
import { Effect, type Scope } from "effect"
import * as Batcher from "./Batcher.ts"
import { asStored, guardedStore } from "./guardedStore.ts"
import { lookup } from "./lookup.ts"
import { id, instant, storable, text, texts } from "./parameters.ts"
import { statements } from "./staffParts.ts"
import * as Tables from "./personTables.ts"
import * as PgCounters from "./PgCounters.ts"
import { PgDatabase, type Row } from "./PgDatabase.ts"
import type { PgOutbox } from "./PgOutbox.ts"
import { agent, team } from "./staffTables.ts"
import { queriesOf } from "./storeQueries.ts"

/** Selects agents, then teams, of each merchant by id. */
export const staff = `
select i.n::int, true, ${agent.select("a")}, null::bool
from unnest($1::text[]) with ordinality as i(merchant_id, n)
cross join lateral (select * from agent where merchant_id = i.merchant_id and (not removed) is true order by id offset 0) a
union all
select i.n::int, false, ${team.select("t")}
from unnest($1::text[]) with ordinality as i(merchant_id, n)
cross join lateral (select * from team where merchant_id = i.merchant_id and (not removed) is true order by id offset 0) t`

/** The agent, the merchant and its environments: the first columns of every row below. */
const membershipColumns = `${agent.select("a")}, m.name, m.status, m.created_at,
  (select id from environment where merchant_id = m.id and kind = 'live' offset 0),
  (select id from environment where merchant_id = m.id and kind = 'test' offset 0)`
const membershipLength = agent.selected + 5

const merchantOfAgent = "cross join lateral (select * from merchant where id = a.merchant_id offset 0) m"

export const session = `
select i.n::int, ${membershipColumns}, ${Tables.session.select("s")}
from unnest($1::text[]) with ordinality as i(hash, n)
cross join lateral (select * from session where hash = i.hash offset 0) s
cross join lateral (select * from agent where merchant_id = s.merchant_id and id = s.agent_id offset 0) a
${merchantOfAgent}`

export const link = `
select ${membershipColumns}, ${Tables.link.select("l")}
from sign_in_link l
cross join lateral (select * from agent where merchant_id = l.merchant_id and id = l.id offset 0) a
${merchantOfAgent}
where l.hash = $1`

export const memberships = `
select ${membershipColumns}, s.proven_era, s.last_used_at
from agent a ${merchantOfAgent}
left join lateral (
  select proven_era, last_used_at from session
  where merchant_id = a.merchant_id and agent_id = a.id and proven_era is not null
  order by proven_era desc, last_used_at desc limit 1
) s on true
where a.canonical = $1 and not a.removed order by a.merchant_id`

export const membership = `
select ${membershipColumns} from agent a ${merchantOfAgent}
where a.merchant_id = $1 and a.id = $2 and (not a.removed) is true`

export const sessions = `
select ${Tables.session.select("s")} from session s where merchant_id = $1 and agent_id = $2 and ended_at is null order by id`

export const linkOfAgent = `select ${Tables.link.select("l")} from sign_in_link l where merchant_id = $1 and id = $2`

export const used = `
update session set last_used_at = greatest(last_used_at, $3), version = version + 1 where merchant_id = $1 and id = $2`

const membershipOf = (row: Row, from = 0): StaffStore.Membership => {
  const found = agent.decode(row, from)
  const [name, status, createdAt, live, test] = row.slice(from + agent.selected)
  return {
    agent: found,
    merchant: {
      id: found.merchantId,
      name: name as string,
      status: status as Merchant.MerchantStatus,
      createdAt: (createdAt as Date).getTime()
    },
    environments: { live: live as string, test: test as string }
  }
}

export const make: (outbox: PgOutbox) => Effect.Effect<StaffStore["Service"], never, PgDatabase | Scope.Scope> =
  Effect.fnUntraced(function* (outbox) {
    const database = yield* PgDatabase
    const { row, rows, write } = queriesOf(database, "StaffStore")
    const next = yield* PgCounters.make
    const single = yield* lookup(database, "StaffStore.session", session, (row) => ({
      ...membershipOf(row, 1),
      session: Tables.session.decode(row, 1 + membershipLength)
    }))
    const staffs = yield* Batcher.make<string, StaffStore.Staff>({
      operation: "StaffStore.staff",
      keyOf: (merchantId) => merchantId,
      sameKey: "share",
      ownerOf: (merchantId) => merchantId,
      run: (merchants) =>
        Effect.map(database.query(staff, [texts(merchants)]), (rows) => {
          const found = merchants.map(() => ({ agents: [] as Array<Agent>, teams: [] as Array<Team> }))
          for (const row of rows) {
            const { agents, teams } = found[(row[0] as number) - 1]!
            if (row[1] === true) agents.push(agent.decode(row, 2))
            else teams.push(team.decode(row, 2))
          }
          return found
        })
    })

    const commit = yield* guardedStore(outbox, {
      store: "StaffStore",
      statements,
      most: 64,
      conflictOf: ({ agents, links, sessions, teams }: StaffStore.Change) =>
        agents[0]?.canonical ?? teams[0]?.canonical ?? links[0]?.hash ?? sessions[0]?.id ?? "",
      environmentOf: ({ agents, links, sessions, teams }) =>
        (agents[0] ?? teams[0] ?? links[0] ?? sessions[0])?.merchantId
    })

    return StaffStore.of({
      staff: (merchantId) =>
        storable(merchantId) ? staffs.submit(merchantId) : Effect.succeed({ agents: [], teams: [] }),
      session: single,
      sessions: (merchantId, agentId) =>
        rows("sessions", sessions, () => [text(merchantId), id(agentId)], Tables.session.decode),
      link: (hash) =>
        row(
          "link",
          link,
          () => [text(hash)],
          (row) => ({ ...membershipOf(row), link: Tables.link.decode(row, membershipLength) })
        ),
      linkOf: (merchantId, agentId) =>
        row("linkOf", linkOfAgent, () => [text(merchantId), id(agentId)], Tables.link.decode),
      memberships: (canonical) =>
        rows(
          "memberships",
          memberships,
          () => [text(canonical)],
          (row) => {
            const membership = membershipOf(row)
            const isOfThisEra = row[membershipLength] === membership.agent.era
            return { ...membership, lastUsedAt: isOfThisEra ? (row[membershipLength + 1] as Date).getTime() : null }
          }
        ),
      membership: (merchantId, agentId) =>
        row("membership", membership, () => [text(merchantId), id(agentId)], membershipOf),
      next,
      commit: (change) =>
        Effect.map(
          commit(change),
          (): StaffStore.Staff => ({ agents: asStored(change.agents), teams: asStored(change.teams) })
        ),
      used: ({ id, merchantId }, at) =>
        Effect.asVoid(write("used", used, () => [text(merchantId), text(id), instant(at)]))
    })
  })
