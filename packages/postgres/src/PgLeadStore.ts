import {
  type Agent,
  Conflict,
  type Known,
  type LeadChange,
  type LeadFilter,
  type LeadParts,
  LeadStore,
  type Staff,
  StoreError,
  type Team
} from "@countersign/core/storage"
import { Effect, type Scope } from "effect"
import * as Batcher from "./Batcher.ts"
import { apart } from "./guardedStatements.ts"
import * as Commit from "./leadCommit.ts"
import * as Queries from "./leadQueries.ts"
import {
  agentOf,
  entryOf,
  isId,
  isInstant,
  leadColumns,
  leadOf,
  messageColumns,
  messageOf,
  teamOf
} from "./leadRows.ts"
import { lookup } from "./lookup.ts"
import * as PgCounters from "./PgCounters.ts"
import { PgDatabase, type Row } from "./PgDatabase.ts"
import { PgFailure } from "./PgFailure.ts"
import { ownerOfOutgoing } from "./outboxParts.ts"
import type { PgOutbox } from "./PgOutbox.ts"
import { bigint, instant, int, ints, storable, text, texts } from "./parameters.ts"

const nothing = (count: number) => Array.from({ length: count }, () => "null").join(", ")

/** Of each customer the lead, by number before the provider's id; and the messages that are kept, each in a row. */
export const known = `
select i.n::int, null::text, l.*
from unnest($1::text[], $2::text[], $3::text[]) with ordinality as i(environment, phone, user_id, n)
cross join lateral (
  select ${leadColumns("l")} from (
    select *, 1 as turn from lead where environment = i.environment and phone_end = reverse(i.phone)
    union all
    select *, 2 from lead where environment = i.environment and user_id = i.user_id
  ) l order by l.turn limit 1
) l
union all
select i.n, m.provider_id, ${nothing(11)}
from unnest($4::int[], $5::text[], $6::text[]) as i(n, environment, provider_id)
cross join lateral (
  select provider_id from lead_message
  where environment = i.environment and provider_id = i.provider_id offset 0
) m`

export const getLead = `
select i.n::int, l.* from unnest($1::text[], $2::text[]) with ordinality as i(environment, id, n)
cross join lateral (
  select ${leadColumns("l")} from lead l where l.environment = i.environment and l.id = i.id::int offset 0
) l`

export const getMessage = `
select i.n::int, m.* from unnest($1::text[], $2::text[]) with ordinality as i(environment, id, n)
cross join lateral (
  select ${messageColumns("m")} from lead_message m where m.environment = i.environment and m.id = i.id offset 0
) m`

/** Agents, and then teams, of each merchant by id. */
export const staff = `
select i.n::int, true, a.id, a.version, a.canonical, a.state, null::bool
from unnest($1::text[]) with ordinality as i(merchant_id, n)
cross join lateral (select * from agent where merchant_id = i.merchant_id and (not removed) is true order by id offset 0) a
union all
select i.n::int, false, t.id, t.version, t.canonical, t.state, t.takes_new
from unnest($1::text[]) with ordinality as i(merchant_id, n)
cross join lateral (select * from team where merchant_id = i.merchant_id and (not removed) is true order by id offset 0) t`

export const messages = (after: boolean) => `
select ${messageColumns("m")} from lead_message m
where environment = $1 and lead_id = $2 and kind = 'MESSAGE'${after ? " and (at, id) < ($4::timestamptz, $5)" : ""}
order by at desc, id desc limit $3::int`

export const amendments = `
select ${messageColumns("m")} from (select distinct about from unnest($2::text[]) as i(about)) i
cross join lateral (
  select *, row_number() over (partition by kind, lead_id order by at desc, id desc) as turn from lead_message
  where environment = $1 and about = i.about and (lead_id is null or lead_id = $3::int) is true
) m where m.turn <= 10`

export const history = (before: boolean) => `
select environment, lead_id, number, state from lead_entry
where environment = $1 and lead_id = $2${before ? " and number < $4" : ""}
order by number desc limit $3::int`

/** A name has no more words than that, so among so many times the limit there are enough leads. */
const wordsOfName = 8

interface KnownKey {
  readonly environment: string
  readonly phone: string | null
  readonly userId: string | null
  readonly providerIds: ReadonlyArray<string>
}

const orNull = (key: string | null) => (key !== null && storable(key) ? key : null)
const later = <A extends { readonly version: number }>(states: ReadonlyArray<A>): ReadonlyArray<A> =>
  states.map((state) => ({ ...state, version: state.version + 1 }))

/** A lead without messages was active before all others. A moment beyond those that are kept is before or after them. */
const at = (moment: number | null) =>
  instant(moment === null || !isInstant(moment) ? (moment ?? -1) * Infinity : moment)

const failed = (operation: string) =>
  Effect.mapError((failure: PgFailure) => failure.toStoreError(`LeadStore.${operation}`))

const conflict = ({ agents, leads, messages, teams }: LeadChange) => {
  const [lead] = leads
  const id = lead === undefined ? (messages[0]?.id ?? agents[0]?.id ?? teams[0]?.id ?? "") : lead.id
  return new Conflict({ key: String(id) })
}

/** Something new has a name that somebody else had first, by a moment. */
const isTaken = ({ cause }: StoreError) =>
  cause instanceof PgFailure && (cause.sqlState === "23505" || cause.sqlState === "23P01")

export const make: (outbox: PgOutbox) => Effect.Effect<LeadStore["Service"], never, PgDatabase | Scope.Scope> =
  Effect.fnUntraced(function* (outbox) {
    const database = yield* PgDatabase
    const next = yield* PgCounters.make
    const leads = yield* lookup(database, "LeadStore.get", getLead)
    const single = yield* lookup(database, "LeadStore.message", getMessage)

    const commits = yield* Batcher.make<Commit.EncodedLeadChange, "stored" | "conflict" | "again">({
      operation: "LeadStore.commit",
      keyOf: ({ key }) => key,
      sameKey: "wait",
      ownerOf: ({ change }) => (change.leads[0] ?? change.messages[0])?.environment ?? ownerOfOutgoing(change),
      maxItems: 64,
      run: (batch) => {
        const together = apart(batch)
        const sent = batch.filter((one) => together.has(one))
        const { names, parameters } = Commit.partsOf(sent)
        return Effect.map(
          outbox.run(
            Commit.commit(names),
            parameters,
            sent.map(({ outgoing }) => outgoing)
          ),
          (rows) => {
            const stored = new Set(rows.map(([n]) => sent[(n as number) - 1]))
            return batch.map((one) => (stored.has(one) ? "stored" : together.has(one) ? "conflict" : "again"))
          }
        )
      },
      // The lead has moved on from what the other was decided on.
      foretell: (done, outcome, waiting) => {
        const [moved, from] = [done.change.leads[0], waiting.change.leads[0]]
        const late = moved !== undefined && from !== undefined && moved.id === from.id && moved.version >= from.version
        return outcome === "stored" && late ? "conflict" : undefined
      }
    })
    const write = (change: Commit.EncodedLeadChange): Effect.Effect<void, Conflict | StoreError> =>
      Effect.flatMap(commits.submit(change), (outcome) =>
        outcome === "stored" ? Effect.void : outcome === "again" ? write(change) : Effect.fail(conflict(change.change))
      )

    const knowns = yield* Batcher.make<KnownKey, Known>({
      operation: "LeadStore.known",
      keyOf: (key) => JSON.stringify(key),
      sameKey: "share",
      run: (batch) => {
        const asked = batch.flatMap(({ environment, providerIds }, at) =>
          providerIds.map((id) => ({ environment, id, n: at + 1 }))
        )
        return Effect.map(
          database.query(known, [
            texts(batch.map(({ environment }) => environment)),
            texts(batch.map(({ phone }) => phone)),
            texts(batch.map(({ userId }) => userId)),
            ints(asked.map(({ n }) => n)),
            texts(asked.map(({ environment }) => environment)),
            texts(asked.map(({ id }) => id))
          ]),
          (rows) => {
            const found = batch.map(() => ({ lead: null as Known["lead"], kept: new Set<string>() }))
            for (const row of rows) {
              const one = found[(row[0] as number) - 1]!
              if (row[1] === null) one.lead = leadOf(row, 2)
              else one.kept.add(row[1] as string)
            }
            return found
          }
        )
      }
    })

    const staffs = yield* Batcher.make<string, Staff>({
      operation: "LeadStore.staff",
      keyOf: (merchantId) => merchantId,
      sameKey: "share",
      run: (merchants) =>
        Effect.map(database.query(staff, [texts(merchants)]), (rows) => {
          const found = merchants.map(() => ({ agents: [] as Array<Agent>, teams: [] as Array<Team> }))
          for (const row of rows) {
            const [n, isAgent, id, version, canonical, state, takesNew] = row as [
              number,
              boolean,
              number,
              number,
              string,
              string,
              boolean
            ]
            const merchantId = merchants[n - 1]!
            if (isAgent) found[n - 1]!.agents.push(agentOf(merchantId, id, version, canonical, state))
            else found[n - 1]!.teams.push(teamOf(merchantId, id, version, canonical, takesNew, state))
          }
          return found
        })
    })

    /** What no row can be like has none. */
    const list = (operation: string, filter: LeadFilter, statement: string, rest: ReadonlyArray<unknown>) =>
      storable(filter.environment) &&
      storable(filter.phone ?? "") &&
      [filter.assignedTo ?? 1, filter.teamId ?? 1].every(isId)
        ? Effect.map(
            database.query(statement, [
              ...Queries.filterValues(filter).map((value) => (typeof value === "number" ? int(value) : text(value))),
              ...rest
            ]),
            (rows) => rows.map((row) => leadOf(row))
          ).pipe(failed(operation))
        : Effect.succeed([])

    const rows = <A>(
      operation: string,
      possible: boolean,
      statement: string,
      values: () => ReadonlyArray<unknown>,
      of: (row: Row) => A
    ) =>
      Effect.suspend(() =>
        possible
          ? Effect.map(database.query(statement, values()), (found) => found.map(of)).pipe(failed(operation))
          : Effect.succeed([])
      )

    return LeadStore.of({
      commit: (change) =>
        Effect.suspend(() => {
          if (!Commit.isStorable(change)) {
            return Effect.fail(
              new StoreError({
                operation: "LeadStore.commit",
                cause: new Error("a key is not what Postgres can keep")
              })
            )
          }
          return write(Commit.encode(change)).pipe(
            Effect.mapError((error) => (error._tag === "StoreError" && isTaken(error) ? conflict(change) : error)),
            Effect.map((): LeadParts => {
              outbox.committed(change)
              return {
                leads: later(change.leads),
                messages: later(change.messages),
                agents: later(change.agents),
                teams: later(change.teams)
              }
            })
          )
        }),
      next: (scope, count) =>
        storable(scope) && storable(count)
          ? next(scope, count)
          : Effect.fail(
              new StoreError({ operation: "LeadStore.next", cause: new Error("not text that Postgres can keep") })
            ),
      known: (environment, { phone, userId }, providerIds) =>
        storable(environment)
          ? knowns.submit({
              environment,
              phone: orNull(phone),
              userId: orNull(userId),
              providerIds: providerIds.filter(storable)
            })
          : Effect.succeed({ lead: null, kept: new Set() }),
      get: (environment, id) =>
        isId(id)
          ? Effect.map(leads(environment, String(id)), (row) => (row === null ? null : leadOf(row, 1)))
          : Effect.succeed(null),
      staff: (merchantId) =>
        storable(merchantId) ? staffs.submit(merchantId) : Effect.succeed({ agents: [], teams: [] }),
      openLeads: (environment, agentIds, most) => {
        const ids = [...new Set(agentIds)]
        return Effect.map(
          rows(
            "openLeads",
            storable(environment),
            Queries.openLeads,
            () => [text(environment), ints(ids.filter(isId)), int(most)],
            ([id, many]) => [id as number, many as number] as const
          ),
          (counted) => new Map([...ids.map((id) => [id, 0] as const), ...counted])
        )
      },
      ownedBy: (environments, agentId, limit) =>
        rows(
          "ownedBy",
          isId(agentId),
          Queries.ownedBy,
          () => [texts(environments.filter(storable)), int(agentId), int(limit)],
          (row) => leadOf(row)
        ),
      page: (filter, { limit, offset }) =>
        isId(offset + 1)
          ? list("page", filter, Queries.page(filter), [bigint(offset), int(limit)])
          : Effect.succeed([]),
      after: (filter, place, limit) =>
        list("after", filter, Queries.after(filter, place === null), [
          ...(place === null ? [] : [at(place.at), int(place.id)]),
          int(limit)
        ]),
      movedSince: (filter, place, limit) =>
        list("movedSince", filter, Queries.movedSince(filter), [at(place.at), int(place.id), int(limit)]),
      search: (environment, what, limit) =>
        "phoneEnd" in what
          ? rows(
              "search",
              storable(environment) && storable(what.phoneEnd),
              Queries.searchByPhoneEnd,
              () => [text(environment), text(what.phoneEnd), int(limit)],
              (row) => leadOf(row)
            )
          : rows(
              "search",
              storable(environment) && what.words.length > 0 && what.words.every(storable),
              what.words.length === 1 ? Queries.searchByWord : Queries.searchByWords,
              () => [
                text(environment),
                texts(what.words),
                int(limit),
                ...(what.words.length === 1 ? [int(limit * wordsOfName)] : [])
              ],
              (row) => leadOf(row)
            ),
      message: (environment, id) =>
        Effect.map(single(environment, id), (row) => (row === null ? null : messageOf(row.slice(1)))),
      messages: ({ environment, id }, after, limit) =>
        rows(
          "messages",
          storable(environment) && isId(id) && storable(after?.id ?? ""),
          messages(after !== null),
          () => [text(environment), int(id), int(limit), ...(after === null ? [] : [at(after.at), text(after.id)])],
          messageOf
        ),
      amendments: ({ environment, id }, providerIds) =>
        rows(
          "amendments",
          storable(environment) && isId(id),
          amendments,
          () => [text(environment), texts(providerIds.filter(storable)), int(id)],
          messageOf
        ),
      history: ({ environment, id }, before, limit) =>
        rows(
          "history",
          storable(environment) && isId(id),
          history(before !== null),
          () => [text(environment), int(id), int(limit), ...(before === null ? [] : [int(before)])],
          entryOf
        )
    })
  })
