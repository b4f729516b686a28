import type { Merchant } from "@countersign/core"
import { type PersonChange, PersonStore, type Post } from "@countersign/core/storage"
import { Effect, type Scope } from "effect"
import { guardedStore } from "./guardedStore.ts"
import { lookup } from "./lookup.ts"
import { id, instant, text } from "./parameters.ts"
import { statements } from "./personParts.ts"
import * as Tables from "./personTables.ts"
import * as PgCounters from "./PgCounters.ts"
import { PgDatabase, type Row } from "./PgDatabase.ts"
import type { PgOutbox } from "./PgOutbox.ts"
import { agent } from "./staffTables.ts"
import { queriesOf } from "./storeQueries.ts"

/** An agent, the merchant, and its environments: what every row below begins with. */
const postColumns = `${agent.select("a")}, m.name, m.status, m.created_at,
  (select id from environment where merchant_id = m.id and kind = 'live' offset 0),
  (select id from environment where merchant_id = m.id and kind = 'test' offset 0)`
const postLength = agent.selected + 5

const merchantOfAgent = "cross join lateral (select * from merchant where id = a.merchant_id offset 0) m"

export const session = `
select i.n::int, ${postColumns}, ${Tables.session.select("s")}
from unnest($1::text[]) with ordinality as i(hash, n)
cross join lateral (select * from session where hash = i.hash offset 0) s
cross join lateral (select * from agent where merchant_id = s.merchant_id and id = s.agent_id offset 0) a
${merchantOfAgent}`

export const link = `
select ${postColumns}, ${Tables.link.select("l")}
from sign_in_link l
cross join lateral (select * from agent where merchant_id = l.merchant_id and id = l.id offset 0) a
${merchantOfAgent}
where l.hash = $1`

export const posts = `
select ${postColumns}, s.proven_era, s.last_used_at
from agent a ${merchantOfAgent}
left join lateral (
  select proven_era, last_used_at from session
  where merchant_id = a.merchant_id and agent_id = a.id and proven_era is not null
  order by proven_era desc, last_used_at desc limit 1
) s on true
where a.canonical = $1 and not a.removed order by a.merchant_id`

export const post = `
select ${postColumns} from agent a ${merchantOfAgent}
where a.merchant_id = $1 and a.id = $2 and (not a.removed) is true`

export const sessions = `
select ${Tables.session.select("s")} from session s where merchant_id = $1 and agent_id = $2 and ended_at is null order by id`

export const linkOfAgent = `select ${Tables.link.select("l")} from sign_in_link l where merchant_id = $1 and id = $2`

export const used = `
update session set last_used_at = greatest(last_used_at, $3) where merchant_id = $1 and id = $2`

const postOf = (row: Row, from = 0): Post => {
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

export const make: (outbox: PgOutbox) => Effect.Effect<PersonStore["Service"], never, PgDatabase | Scope.Scope> =
  Effect.fnUntraced(function* (outbox) {
    const database = yield* PgDatabase
    const { row, rows, write } = queriesOf(database, "PersonStore")
    const next = yield* PgCounters.make
    const single = yield* lookup(database, "PersonStore.session", session, (row) => ({
      ...postOf(row, 1),
      session: Tables.session.decode(row, 1 + postLength)
    }))
    const commit = yield* guardedStore(outbox, {
      store: "PersonStore",
      statements,
      most: 64,
      conflictOf: ({ agents, links, sessions }: PersonChange) =>
        agents[0]?.canonical ?? links[0]?.hash ?? sessions[0]?.id ?? "",
      environmentOf: ({ agents, links, sessions }) => (agents[0] ?? links[0] ?? sessions[0])?.merchantId
    })

    return PersonStore.of({
      session: single,
      sessions: (merchantId, agentId) =>
        rows("sessions", sessions, () => [text(merchantId), id(agentId)], Tables.session.decode),
      link: (hash) =>
        row(
          "link",
          link,
          () => [text(hash)],
          (row) => ({ ...postOf(row), link: Tables.link.decode(row, postLength) })
        ),
      linkOf: (merchantId, agentId) =>
        row("linkOf", linkOfAgent, () => [text(merchantId), id(agentId)], Tables.link.decode),
      posts: (canonical) =>
        rows(
          "posts",
          posts,
          () => [text(canonical)],
          (row) => {
            const post = postOf(row)
            const isOfThisEra = row[postLength] === post.agent.era
            return { ...post, lastUsedAt: isOfThisEra ? (row[postLength + 1] as Date).getTime() : null }
          }
        ),
      post: (merchantId, agentId) => row("post", post, () => [text(merchantId), id(agentId)], postOf),
      nextAgent: (merchantId) => next(merchantId, "agent"),
      commit,
      used: ({ id, merchantId }, at) =>
        Effect.asVoid(write("used", used, () => [text(merchantId), text(id), instant(at)]))
    })
  })
