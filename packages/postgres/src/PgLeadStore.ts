import { LeadStore, mostNoticed, noticedFor } from "@countersign/core/storage"
import { Effect, type Scope } from "effect"
import * as Batcher from "./Batcher.ts"
import { asStored, guardedStore } from "./guardedStore.ts"
import { statements } from "./leadParts.ts"
import * as Queries from "./leadQueries.ts"
import { entry, lead, message, none, read } from "./leadTables.ts"
import { lookup } from "./lookup.ts"
import { bigint, id, instant, int, ints, isId, isInstant, storable, text, texts } from "./parameters.ts"
import * as PgCounters from "./PgCounters.ts"
import { PgDatabase } from "./PgDatabase.ts"
import type { PgOutbox } from "./PgOutbox.ts"
import { queriesOf } from "./storeQueries.ts"

const nothing = (count: number) => Array.from({ length: count }, () => "null").join(", ")

/**
 * Returns the lead of each customer, by phone number or else by the provider's user id. Returns each message that
 * exists as a row with its provider id.
 */
export const known = `
select i.n::int, null::text, l.*
from unnest($1::text[], $2::text[], $3::text[]) with ordinality as i(environment, phone, user_id, n)
cross join lateral (
  select ${lead.select("l")} from (
    select *, 1 as turn from lead where environment = i.environment and phone_end = reverse(i.phone)
    union all
    select *, 2 from lead where environment = i.environment and user_id = i.user_id
  ) l order by l.turn limit 1
) l
union all
select i.n, m.provider_id, ${nothing(lead.selected)}
from unnest($4::int[], $5::text[], $6::text[]) as i(n, environment, provider_id)
cross join lateral (
  select provider_id from lead_message
  where environment = i.environment and provider_id = i.provider_id offset 0
) m`

export const getLead = `
select i.n::int, l.* from unnest($1::text[], $2::text[]) with ordinality as i(environment, id, n)
cross join lateral (
  select ${lead.select("l")} from lead l where l.environment = i.environment and l.id = i.id::int offset 0
) l`

export const getMessage = `
select i.n::int, m.* from unnest($1::text[], $2::text[]) with ordinality as i(environment, id, n)
cross join lateral (
  select ${message.select("m")} from lead_message m where m.environment = i.environment and m.id = i.id offset 0
) m`

export const messages = (after: boolean) => `
select ${message.select("m")} from lead_message m
where environment = $1 and lead_id = $2 and kind = 'MESSAGE'${after ? " and (at, id) < ($4::timestamptz, $5)" : ""}
order by at desc, id desc limit $3::int`

export const amendments = `
select ${message.select("m")} from (select distinct about from unnest($2::text[]) as i(about)) i
cross join lateral (
  select *, row_number() over (partition by kind, lead_id order by at desc, id desc) as turn from lead_message
  where environment = $1 and about = i.about and (lead_id is null or lead_id = $3::int) is true
) m where m.turn <= 10`

export const latest = `
with last as materialized (
  select m.* from unnest($2::int[]) as i(lead_id)
  cross join lateral (
    select * from lead_message where environment = $1 and lead_id = i.lead_id and kind = 'MESSAGE'
    order by at desc, id desc limit 1
  ) m
)
select ${message.select("m")} from last m
union all
select ${message.select("a")} from last m
cross join lateral (
  select *, row_number() over (partition by kind, lead_id order by at desc, id desc) as turn from lead_message
  where environment = $1 and about = m.provider_id and (lead_id is null or lead_id = m.lead_id) is true
) a where a.turn <= 10`

export const history = (before: boolean) => `
select ${entry.select("e")} from lead_entry e
where environment = $1 and lead_id = $2${before ? " and number < $4" : ""}
order by number desc limit $3::int`

export const reads = `
select ${read.select("r")} from unnest($3::int[]) as i(lead_id)
cross join lateral (
  select * from lead_read where environment = $1 and agent_id = $2::int and lead_id = i.lead_id offset 0
) r`

export const saveRead = `
with saved as (
  insert into lead_read (${read.columns.join(", ")})
  select ${read.given(1).replaceAll("[]", "")}
  where exists (select from lead where environment = $1 and id = $3)
  on conflict (${read.key.join(", ")}) do update set ${read.changing.map((name) => `${name} = excluded.${name}`).join(", ")}
  returning environment, lead_id, agent_id
)
insert into lead_change (environment, lead_id, agent_id) select environment, lead_id, agent_id from saved`

/** Parameters: environment, the moments between which a wait began, limit. */
export const changes = `
(select id::text, lead_id, agent_id from lead_change
where environment = $1 and at > clock_timestamp() - interval '${noticedFor} milliseconds' order by at desc limit $4::int)
union all
(select concat(id, ':', extract(epoch from waiting_at)), id, ${none} from lead
where environment = $1 and waiting_at > $2::timestamptz and waiting_at <= $3::timestamptz order by waiting_at limit $4::int)`

/** Deleted late, because rows may become visible late. */
export const oldChanges = `
delete from lead_change where ctid = any(array(
  select ctid from lead_change where at < clock_timestamp() - $1::int * interval '1 millisecond'
  limit $2 for update skip locked
)) returning 1`

export const forgetReads = `
delete from lead_read where ctid = any(array(
  select r.place from unnest($1::text[]) as e(environment)
  cross join lateral (
    select ctid as place from lead_read
    where environment = e.environment and agent_id = $2::int limit $3::int
  ) r limit $3::int
)) returning 1`

const changesKeptFor = 60_000

/** A name has at most this many indexed words, so `limit` times as many entries contain enough leads. */
const wordsOfName = 8

interface KnownKey {
  readonly environment: string
  readonly phone: string | null
  readonly userId: string | null
  readonly providerIds: ReadonlyArray<string>
}

const orNull = (key: string | null) => (key !== null && storable(key) ? key : null)
/**
 * A lead without messages sorts before all others. An instant outside Postgres's range sorts before or after all stored
 * ones.
 */
const at = (moment: number | null) =>
  instant(moment === null || !isInstant(moment) ? (moment ?? -1) * Infinity : moment)

const conflictOf = ({ leads, messages }: LeadStore.Change) => String((leads[0] ?? messages[0])?.id ?? "")

export const make: (outbox: PgOutbox) => Effect.Effect<LeadStore["Service"], never, PgDatabase | Scope.Scope> =
  Effect.fnUntraced(function* (outbox) {
    const database = yield* PgDatabase
    const { purge, rows, write } = queriesOf(database, "LeadStore")
    const next = yield* PgCounters.make
    const single = yield* lookup(database, "LeadStore.get", getLead, (row) => lead.decode(row, 1))
    const singleMessage = yield* lookup(database, "LeadStore.message", getMessage, (row) => message.decode(row, 1))

    const commit = yield* guardedStore(outbox, {
      store: "LeadStore",
      statements,
      most: 64,
      shared: ({ active }: LeadStore.Change) => active.map(({ id, merchantId }) => ["agent", merchantId, id]),
      conflictOf,
      environmentOf: ({ leads, messages }) => (leads[0] ?? messages[0])?.environment,
      isLate: ({ leads: [moved] }, { leads: [from] }) =>
        moved !== undefined && from !== undefined && moved.id === from.id && moved.version >= from.version
    })

    const knowns = yield* Batcher.make<KnownKey, LeadStore.Known>({
      operation: "LeadStore.known",
      keyOf: (key) => JSON.stringify(key),
      sameKey: "share",
      ownerOf: ({ environment }) => environment,
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
            const found = batch.map(() => ({ lead: null as LeadStore.Known["lead"], kept: new Set<string>() }))
            for (const row of rows) {
              const one = found[(row[0] as number) - 1]!
              if (row[1] === null) one.lead = lead.decode(row, 2)
              else one.kept.add(row[1] as string)
            }
            return found
          }
        )
      }
    })

    const list = (operation: string, filter: LeadStore.Filter, statement: string, rest: () => ReadonlyArray<unknown>) =>
      rows(
        operation,
        statement,
        () => [
          ...Queries.filterValues(filter).map((value) => (typeof value === "number" ? id(value) : text(value))),
          ...rest()
        ],
        lead.decode
      )

    return LeadStore.of({
      commit: (change) =>
        Effect.map(
          commit(change),
          (): LeadStore.Parts => ({
            leads: asStored(change.leads),
            messages: asStored(change.messages)
          })
        ),
      next,
      known: (environment, { phone, userId }, providerIds) =>
        storable(environment)
          ? knowns.submit({
              environment,
              phone: orNull(phone),
              userId: orNull(userId),
              providerIds: providerIds.filter(storable)
            })
          : Effect.succeed({ lead: null, kept: new Set() }),
      get: (environment, id) => (isId(id) ? single(environment, String(id)) : Effect.succeed(null)),
      openLeads: (environment, agentIds, most) => {
        const ids = [...new Set(agentIds)]
        return Effect.map(
          rows(
            "openLeads",
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
          Queries.ownedBy,
          () => [texts(environments.filter(storable)), id(agentId), int(limit)],
          lead.decode
        ),
      page: (filter, { limit, offset }) =>
        isId(offset + 1)
          ? list("page", filter, Queries.page(filter), () => [bigint(offset), int(limit)])
          : Effect.succeed([]),
      after: (filter, place, limit) =>
        list("after", filter, Queries.after(filter, place === null), () => [
          ...(place === null ? [] : [at(place.at), int(place.id)]),
          int(limit)
        ]),
      waiting: (filter, place, limit) =>
        rows(
          "waiting",
          Queries.waiting(filter, place === null),
          () => [
            text(filter.environment),
            int(limit),
            at(filter.until),
            ...(place === null ? [] : [at(place.at), int(place.id)]),
            ...(typeof filter.assignedTo === "number" ? [id(filter.assignedTo)] : []),
            ...(filter.teamId === undefined ? [] : [id(filter.teamId)]),
            ...(filter.label === undefined ? [] : [text(filter.label)])
          ],
          lead.decode
        ),
      countWaiting: (environment, now, most) =>
        Effect.map(
          rows(
            "countWaiting",
            Queries.countWaiting,
            () => [text(environment), int(most), at(now)],
            ([count, since]) => ({ count: count as number, since: since === null ? null : (since as Date).getTime() })
          ),
          ([counted]) => counted ?? { count: 0, since: null }
        ),
      movedSince: (filter, place, limit) =>
        list("movedSince", filter, Queries.movedSince(filter), () => [at(place.at), int(place.id), int(limit)]),
      search: (environment, what, limit) =>
        "phoneEnd" in what
          ? rows(
              "search",
              Queries.searchByPhoneEnd,
              () => [text(environment), text(what.phoneEnd), int(limit)],
              lead.decode
            )
          : what.words.length === 0 || !what.words.every(storable)
            ? Effect.succeed([])
            : rows(
                "search",
                what.words.length === 1 ? Queries.searchByWord : Queries.searchByWords,
                () => [
                  text(environment),
                  texts(what.words),
                  int(limit),
                  ...(what.words.length === 1 ? [int(limit * wordsOfName)] : [])
                ],
                lead.decode
              ),
      reads: (environment, agentId, leadIds) =>
        rows("reads", reads, () => [text(environment), id(agentId), ints(leadIds.filter(isId))], read.decode),
      saveRead: (given) => Effect.asVoid(write("saveRead", saveRead, () => read.sent(given))),
      forgetReads: (environments, agentId, limit) =>
        Effect.map(
          rows(
            "forgetReads",
            forgetReads,
            () => [texts(environments.filter(storable)), id(agentId), int(limit)],
            () => 1
          ),
          (removed) => removed.length
        ),
      changes: (environment, now) =>
        rows(
          "changes",
          changes,
          () => [text(environment), instant(now - noticedFor), instant(now), int(mostNoticed)],
          ([id, leadId, agentId]): LeadStore.Noticed => ({
            id: id as string,
            leadId: leadId as number,
            agentId: agentId === none ? null : (agentId as number)
          })
        ),
      purgeChanges: Effect.asVoid(purge(oldChanges, int(changesKeptFor))),
      message: singleMessage,
      messages: (of, after, limit) =>
        rows(
          "messages",
          messages(after !== null),
          () => [
            text(of.environment),
            id(of.id),
            int(limit),
            ...(after === null ? [] : [at(after.at), text(after.id)])
          ],
          message.decode
        ),
      latest: (environment, leadIds) =>
        rows("latest", latest, () => [text(environment), ints(leadIds.filter(isId))], message.decode),
      amendments: (of, providerIds) =>
        rows(
          "amendments",
          amendments,
          () => [text(of.environment), texts(providerIds.filter(storable)), id(of.id)],
          message.decode
        ),
      history: (of, before, limit) =>
        rows(
          "history",
          history(before !== null),
          () => [text(of.environment), id(of.id), int(limit), ...(before === null ? [] : [int(before)])],
          entry.decode
        )
    })
  })
