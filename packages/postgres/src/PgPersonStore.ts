import type { Merchant } from "@countersign/core"
import { Conflict, type PersonChange, PersonStore, type Post, StoreError } from "@countersign/core/storage"
import { Effect, type Scope } from "effect"
import * as Batcher from "./Batcher.ts"
import { agentOf, isId } from "./leadRows.ts"
import { encode } from "./outboxParts.ts"
import * as PgCounters from "./PgCounters.ts"
import { PgDatabase, type Row } from "./PgDatabase.ts"
import type { PgFailure } from "./PgFailure.ts"
import type { PgOutbox } from "./PgOutbox.ts"
import { instant, int, storable, text, texts } from "./parameters.ts"
import { commit, linkColumns, linkOf, partsOf, sessionColumns, sessionOf } from "./personParts.ts"

/** An agent, the merchant, and its environments: what every row below begins with. */
const postColumns = `a.merchant_id, a.id, a.version, a.canonical, a.state, m.name, m.status, m.created_at,
  (select id from environment where merchant_id = m.id and kind = 'live' offset 0),
  (select id from environment where merchant_id = m.id and kind = 'test' offset 0)`
const postLength = 10

const merchantOfAgent = "cross join lateral (select * from merchant where id = a.merchant_id offset 0) m"

export const session = `
select i.n::int, ${postColumns}, ${sessionColumns("s")}
from unnest($1::text[]) with ordinality as i(hash, n)
cross join lateral (select * from session where hash = i.hash offset 0) s
cross join lateral (select * from agent where merchant_id = s.merchant_id and id = s.agent_id offset 0) a
${merchantOfAgent}`

export const link = `
select ${postColumns}, ${linkColumns("l")}
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
select ${sessionColumns("s")} from session s where merchant_id = $1 and agent_id = $2 and ended_at is null order by id`

export const linkOfAgent = `select ${linkColumns("l")} from sign_in_link l where merchant_id = $1 and id = $2`

export const used = `
update session set last_used_at = greatest(last_used_at, $3) where merchant_id = $1 and id = $2`

const postOf = (row: Row, from = 0): Post => {
  const [merchantId, id, version, canonical, state, name, status, createdAt, live, test] = row.slice(from)
  return {
    agent: agentOf(merchantId as string, id as number, version as number, canonical as string, state as string),
    merchant: {
      id: merchantId as string,
      name: name as string,
      status: status as Merchant.MerchantStatus,
      createdAt: (createdAt as Date).getTime()
    },
    environments: { live: live as string, test: test as string }
  }
}

const failed = (operation: string) =>
  Effect.mapError((failure: PgFailure) => failure.toStoreError(`PersonStore.${operation}`))

/** Of one statement with another that claimed the same hash or address, or a new row's place, at the same moment. */
const isTaken = ({ sqlState }: PgFailure) => sqlState === "23505" || sqlState === "23P01"

const isStorable = ({ agents, links, sessions }: PersonChange): boolean =>
  agents.every(({ canonical, id, merchantId }) => storable(canonical) && storable(merchantId) && isId(id)) &&
  links.every(({ hash, id, merchantId }) => storable(hash) && storable(merchantId) && isId(id)) &&
  sessions.every(({ agentId, hash, id, merchantId }) => [hash, id, merchantId].every(storable) && isId(agentId))

export const make: (outbox: PgOutbox) => Effect.Effect<PersonStore["Service"], never, PgDatabase | Scope.Scope> =
  Effect.fnUntraced(function* (outbox) {
    const database = yield* PgDatabase
    const next = yield* PgCounters.make

    const found = yield* Batcher.make<string, Row | null>({
      operation: "PersonStore.session",
      keyOf: (hash) => hash,
      sameKey: "share",
      run: (hashes) =>
        Effect.map(database.query(session, [texts(hashes)]), (rows) => {
          const known = new Array<Row | null>(hashes.length).fill(null)
          for (const row of rows) known[(row[0] as number) - 1] = row
          return known
        })
    })

    const ofAgent = <A>(
      operation: string,
      statement: string,
      merchantId: string,
      agentId: number,
      of: (rows: ReadonlyArray<Row>) => A
    ) =>
      storable(merchantId) && isId(agentId)
        ? Effect.map(database.query(statement, [text(merchantId), int(agentId)]), of).pipe(failed(operation))
        : Effect.succeed(of([]))

    return PersonStore.of({
      session: (hash) =>
        storable(hash)
          ? Effect.map(found.submit(hash), (row) =>
              row === null ? null : { ...postOf(row, 1), session: sessionOf(row, 1 + postLength) }
            )
          : Effect.succeed(null),
      sessions: (merchantId, agentId) =>
        ofAgent("sessions", sessions, merchantId, agentId, (rows) => rows.map((row) => sessionOf(row))),
      link: (hash) =>
        storable(hash)
          ? Effect.map(database.query(link, [text(hash)]), ([row]) =>
              row === undefined ? null : { ...postOf(row), link: linkOf(row, postLength) }
            ).pipe(failed("link"))
          : Effect.succeed(null),
      linkOf: (merchantId, agentId) =>
        ofAgent("linkOf", linkOfAgent, merchantId, agentId, ([row]) => (row === undefined ? null : linkOf(row))),
      posts: (canonical) =>
        storable(canonical)
          ? Effect.map(database.query(posts, [text(canonical)]), (rows) =>
              rows.map((row) => {
                const post = postOf(row)
                const isOfThisEra = row[postLength] === post.agent.era
                return { ...post, lastUsedAt: isOfThisEra ? (row[postLength + 1] as Date).getTime() : null }
              })
            ).pipe(failed("posts"))
          : Effect.succeed([]),
      post: (merchantId, agentId) =>
        ofAgent("post", post, merchantId, agentId, ([row]) => (row === undefined ? null : postOf(row))),
      nextAgent: (merchantId) => next(merchantId, "agent"),
      commit: (change) =>
        Effect.suspend(() => {
          if (!isStorable(change)) {
            return Effect.fail(
              new StoreError({
                operation: "PersonStore.commit",
                cause: new Error("a key is not what Postgres can keep")
              })
            )
          }
          const key = change.agents[0]?.canonical ?? change.links[0]?.hash ?? change.sessions[0]?.id ?? ""
          const { names, parameters } = partsOf([change])
          return outbox.run(commit(names), parameters, [encode(change)]).pipe(
            Effect.mapError((failure) =>
              isTaken(failure) ? new Conflict({ key }) : failure.toStoreError("PersonStore.commit")
            ),
            Effect.flatMap(([row]) => {
              if (row === undefined) return Effect.fail(new Conflict({ key }))
              outbox.committed(change)
              return Effect.void
            })
          )
        }),
      used: ({ id, merchantId }, at) =>
        Effect.asVoid(database.query(used, [text(merchantId), text(id), instant(at)])).pipe(failed("used"))
    })
  })
