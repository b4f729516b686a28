import { type Event, Identifier, type WebhookAttempt } from "@countersign/core"
import {
  BalanceStore,
  changeOf,
  emptyBalance,
  EventStore,
  JobStore,
  StaffStore,
  type Session,
  type SignInLink,
  noRecords,
  Subject,
  type TemplateContent,
  type TemplateHead,
  TemplateStore,
  VerificationStore,
  WebhookStore
} from "@countersign/core/storage"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Maintenance from "../src/Maintenance.ts"
import * as Partitions from "../src/Partitions.ts"
import { PgDatabase } from "../src/index.ts"
import { holding, seen } from "./Holding.ts"
import { storage, TestDatabase } from "./TestDatabase.ts"

const day = 86_400_000
const environment = "env"
const retention = { verifications: "90 days", events: "30 days" } as const

const noWords: TemplateContent = {
  subject: null,
  body: null,
  html: null,
  dltText: null,
  dltTemplateId: null,
  header: null,
  whatsappName: null,
  whatsappLanguage: null,
  numberId: null
}

const templateHead = (id: string): TemplateHead => ({
  environment,
  id,
  revision: 0,
  version: 1,
  name: id,
  channel: "SMS",
  purpose: "CODE",
  locale: null,
  dltTemplateId: null,
  header: null,
  whatsappName: null,
  whatsappLanguage: null,
  numberId: null,
  places: ["code"],
  values: 0,
  state: null,
  createdAt: 0,
  updatedAt: 0,
  removedAt: null
})

const recordAt = (at: number) =>
  Effect.gen(function* () {
    const event: Event = {
      id: Identifier.make("evt", at),
      environment,
      type: "session.created",
      createdAt: at,
      data: { expiresAt: new Date(at).toISOString(), scope: "sdk" }
    }
    const subject = Subject.empty(environment, Identifier.make("ver", at))
    yield* (yield* VerificationStore).commit(
      changeOf(null, subject, null, null, { orderId: `order_${at}`, events: [event] })
    )
    return event
  })

const partitions = (table: string) =>
  Effect.gen(function* () {
    const { sql } = yield* TestDatabase
    const rows = yield* sql<{ name: string }>`
      select c.relname::text as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = to_regclass(${table}) order by 1`
    return rows.map(({ name }) => name)
  })

const list = Effect.gen(function* () {
  return yield* (yield* EventStore).list({ environment, type: null, after: null, limit: 100 })
})

layer(Layer.provideMerge(storage(), TestDatabase.layer), { excludeTestServices: true })("maintenance", (it) => {
  it.effect("partitions exist for the coming weeks, and adding them again adds none", () =>
    Effect.gen(function* () {
      const database = yield* PgDatabase
      const [verifications, events] = [yield* partitions("verification"), yield* partitions("event")]
      const attempts = yield* partitions("webhook_attempt")
      for (const made of [verifications, events, attempts]) assert.strictEqual(made.length, 4)
      yield* Effect.all(
        Array.from({ length: 5 }, () => Maintenance.once(retention, Date.now())),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(yield* partitions("verification"), verifications)
      assert.deepStrictEqual(yield* partitions("event"), events)
      assert.deepStrictEqual(yield* partitions("webhook_attempt"), attempts)
      const inPlace = yield* database.query("select count(*)::int from event_default", [])
      assert.deepStrictEqual(inPlace, [[0]])
    })
  )

  it.effect("template content is deleted two days after it was replaced or removed, and no other content is", () =>
    Effect.gen(function* () {
      const { sql } = yield* TestDatabase
      const store = yield* TemplateStore
      const words = { ...noWords, body: "{{code}}" }
      const save = (head: TemplateHead, content: typeof words | null) => store.commit({ ...noRecords, head, content })
      const made = yield* save(templateHead("tpl_kept"), words)
      const kept = yield* save({ ...made, version: 2 }, words)
      const gone = yield* save(templateHead("tpl_gone"), words)
      yield* save({ ...gone, removedAt: 1 }, null)
      const versions = Effect.forEach(
        [
          [kept.id, 1],
          [kept.id, 2],
          [gone.id, 1]
        ] as const,
        ([id, version]) => Effect.map(store.content(environment, id, version), (content) => content !== null)
      )
      const retire = (hours: number) =>
        sql`update template_content set retired_at = now() - make_interval(hours => ${hours}) where retired_at is not null`
      const remove = (hours: number) =>
        sql`update template set removed_at = now() - make_interval(hours => ${hours}) where removed_at is not null`
      yield* Effect.all([retire(47), remove(47)])
      yield* Maintenance.once(retention, Date.now())
      assert.deepStrictEqual(yield* versions, [true, true, true])
      yield* Effect.all([retire(49), remove(49)])
      yield* Maintenance.once(retention, Date.now())
      assert.deepStrictEqual(yield* versions, [false, true, false])
      const left = yield* sql<{ id: string }>`select id from template`
      assert.deepStrictEqual(
        left.map(({ id }) => id),
        [kept.id]
      )
    })
  )

  it.effect("a day's spending is deleted after nine days, and nothing else about money is", () =>
    Effect.gen(function* () {
      const { sql } = yield* TestDatabase
      const store = yield* BalanceStore
      const dayOf = (ago: number) => new Date(Date.now() - ago * day).toISOString().slice(0, 10)
      const booked = [0, 8, 10].map((ago) => ({
        environment,
        kind: "REFUND" as const,
        amount: 1,
        spent: { channel: "SMS", day: dayOf(ago), cap: null },
        reference: null,
        item: null,
        at: Date.now()
      }))
      yield* store.commit(BalanceStore.change(emptyBalance(environment), { booked }))
      yield* Maintenance.once(retention, Date.now())
      const left = yield* sql<{ day: string }>`select day from spending order by day desc`
      assert.deepStrictEqual(
        left.map((row) => row.day),
        [dayOf(0), dayOf(8)]
      )
      assert.strictEqual((yield* store.ledger(environment, { before: null, limit: 9 })).length, 3)
      assert.strictEqual((yield* store.funds(environment, dayOf(0))).balance.amount, 3)
    })
  )

  it.effect("rows that arrived before their partition move into it", () =>
    Effect.gen(function* () {
      const { sql } = yield* TestDatabase
      const database = yield* PgDatabase
      const at = Date.UTC(2031, 0, 15)
      const early = yield* recordAt(at)
      const [before] = yield* sql<{
        name: string
      }>`select tableoid::regclass::text as name from event where id = ${early.id}`
      assert.strictEqual(before?.name, "event_default")
      yield* Partitions.add(database, at)
      const [after] = yield* sql<{
        name: string
      }>`select tableoid::regclass::text as name from event where id = ${early.id}`
      assert.match(after?.name ?? "", /^event_2031/)
      assert.deepStrictEqual(yield* list, [early])
      yield* sql`delete from event where id = ${early.id}`
    })
  )

  it.effect("rows past their retention are dropped with their partition, and younger rows stay", () =>
    Effect.gen(function* () {
      const { sql } = yield* TestDatabase
      const database = yield* PgDatabase
      const now = Date.now()
      yield* Partitions.add(database, now - 120 * day)
      const old = yield* recordAt(now - 110 * day)
      const kept = yield* recordAt(now - 2 * day)
      yield* sql`update order_reference set updated_at = now() - interval '100 days' where order_id = ${`order_${old.createdAt}`}`
      assert.deepStrictEqual(yield* list, [kept, old])
      const { dropped } = yield* Maintenance.once(retention, Date.now())
      assert.isAbove(dropped.length, 0)
      assert.deepStrictEqual(yield* list, [kept])
      assert.deepStrictEqual(yield* Maintenance.once(retention, Date.now()), { dropped: [], putOff: [] })
      const left = yield* partitions("event")
      assert.isTrue(dropped.every((name) => !left.includes(name)))
    })
  )

  it.effect("the webhook log is kept as long as the events that it refers to", () =>
    Effect.gen(function* () {
      const database = yield* PgDatabase
      const store = yield* WebhookStore
      const now = Date.now()
      yield* Partitions.add(database, now - 60 * day)
      const triedAt = (createdAt: number): WebhookAttempt => ({
        id: Identifier.make("dlv", createdAt),
        environment,
        webhookId: "whk_1",
        eventId: Identifier.make("evt", createdAt),
        eventType: "session.created",
        attempt: 1,
        status: "DELIVERED",
        url: "https://shop.example/hooks",
        createdAt,
        durationMs: 12,
        responseStatus: 200,
        responseBody: "ok",
        error: null,
        nextAttemptAt: null
      })
      const [old, kept] = [triedAt(now - 50 * day), triedAt(now - 20 * day)]
      for (const attempt of [old, kept]) yield* store.record(WebhookStore.attemptChange(attempt, null))
      const page = { environment, webhookId: "whk_1", status: null, after: null, limit: 9 }
      assert.deepStrictEqual(yield* store.attempts(page), [kept, old])
      yield* Maintenance.once(retention, Date.now())
      assert.deepStrictEqual(yield* store.attempts(page), [kept])
    })
  )

  it.effect("commits continue while partitions are created and dropped", () =>
    Effect.gen(function* () {
      const database = yield* PgDatabase
      const now = Date.now()
      const working = Effect.forEach(
        Array.from({ length: 300 }, (_, index) => now + index),
        recordAt,
        { concurrency: 10 }
      )
      const changing = Effect.forEach([1, 2, 3, 4, 5], (years) => Partitions.add(database, now + years * 365 * day), {
        discard: true
      })
      yield* Effect.all([working, changing, Maintenance.once(retention, Date.now())], { concurrency: "unbounded" })
    })
  )

  it.effect("no statement queues behind maintenance while a long transaction such as pg_dump reads", () =>
    Effect.gen(function* () {
      const { sql } = yield* TestDatabase
      const database = yield* PgDatabase
      const now = Date.now()
      yield* Partitions.add(database, now - 200 * day)
      yield* sql`insert into order_reference values ('env', 'long ago', 'ver_1', now() - interval '100 days')`
      // The last partition is missing, as at the start of its month without maintenance.
      const soon = `verification_${new Date(now + 90 * day).toISOString().slice(0, 10).replaceAll("-", "")}`
      const ahead = (yield* partitions("verification")).filter((name) => name <= soon).at(-1)!
      yield* sql.unsafe(`drop table ${ahead}`)
      yield* Effect.scoped(
        Effect.gen(function* () {
          const letGo = yield* holding("select from verification, event, webhook_attempt")
          // Limited to this database: other tests wait for locks in theirs.
          const mine = "database = (select oid from pg_database where datname = current_database())"
          const queued = `select from pg_locks where not granted and relation is not null and ${mine}`
          const maintained = yield* Effect.raceFirst(
            Maintenance.once(retention, Date.now()),
            Effect.as(seen(queued), null)
          )
          assert.isNotNull(maintained, "maintenance queued for a lock, which blocks every login behind it")
          assert.deepStrictEqual(maintained?.dropped, [])
          assert.includeMembers([...(maintained?.putOff ?? [])], [ahead])
          yield* recordAt(now)
          assert.deepStrictEqual(yield* sql`select from order_reference where order_id = 'long ago'`, [])
          yield* letGo
        })
      )
      const { dropped, putOff } = yield* Maintenance.once(retention, Date.now())
      assert.isAbove(dropped.length, 0)
      assert.deepStrictEqual(putOff, [])
      assert.include(yield* partitions("verification"), ahead)
    })
  )

  it.effect("sessions are kept for a month after their last use, and links until they expire", () =>
    Effect.gen(function* () {
      const store = yield* StaffStore
      const now = Date.now()
      const session = (id: string, lastUsedAt: number): Session => ({
        merchantId: "mer_1",
        id,
        version: 0,
        agentId: 1,
        era: 0,
        hash: id,
        method: "CODE",
        emailProven: true,
        reach: [],
        address: null,
        userAgent: null,
        signedInAt: now - 40 * day,
        lastUsedAt,
        endedAt: null
      })
      const link = (id: number, expiresAt: number): SignInLink => ({
        merchantId: "mer_1",
        id,
        version: 0,
        era: 0,
        hash: `link ${id}`,
        createdAt: now,
        expiresAt,
        usedAt: null
      })
      const [old, kept] = [session("ses_1", now - 31 * day), session("ses_2", now - 29 * day)]
      yield* store.commit(
        StaffStore.change({ sessions: [old, kept], links: [link(1, now - 1_000), link(2, now + day)] })
      )
      yield* Maintenance.once(retention, Date.now())
      assert.deepStrictEqual(yield* store.sessions("mer_1", 1), [{ ...kept, version: 1 }])
      assert.isNull(yield* store.linkOf("mer_1", 1))
      assert.isNotNull(yield* store.linkOf("mer_1", 2))
    })
  )

  it.effect("jobs that were buried long ago are deleted", () =>
    Effect.gen(function* () {
      const { sql } = yield* TestDatabase
      const jobs = yield* JobStore
      const job = (key: string) => ({
        key,
        environment,
        kind: "send" as const,
        payload: {},
        runAt: 0,
        leasedUntil: 0,
        fence: 1,
        failures: 0
      })
      const subject = Subject.empty(environment, "buried")
      const made = [job("old"), job("new")]
      yield* (yield* VerificationStore).commit(changeOf(null, subject, null, null, { jobs: made }))
      yield* jobs.bury(made[0]!, Date.now() - 40 * day, "long ago")
      yield* jobs.bury(made[1]!, Date.now(), "just now")
      yield* Maintenance.once(retention, Date.now())
      assert.deepStrictEqual(yield* sql`select key from job`, [{ key: "new" }])
    })
  )
})
