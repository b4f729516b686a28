import { defaultSettings, Identity, Identifier, initiate, Verification } from "@countersign/core"
import {
  auditEntry,
  BalanceStore,
  type Booking,
  byItself,
  Conflict,
  emptyBalance,
  noRecords,
  SenderIdStore,
  Subject,
  type VerificationChange,
  VerificationStore
} from "@countersign/core/storage"
import { Race } from "@countersign/testkit"
import { assert, it } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Result } from "effect"
import { storage, TestDatabase } from "./TestDatabase.ts"

const now = Date.UTC(2025, 5, 1, 12)
const day = "2999-06-01"
const environment = "env"

/** One more process: a pool and batches of its own. */
const process = Effect.flatMap(Effect.scope, (scope) =>
  Layer.buildWithMemoMap(storage({ connections: 4 }), Layer.makeMemoMapUnsafe(), scope)
)

const booking = (amount: number, fields: Partial<Booking> = {}): Booking => ({
  environment,
  kind: amount < 0 ? "SEND" : "CORRECTION",
  amount,
  spent: amount < 0 ? { channel: "SMS", day, cap: null } : null,
  reference: null,
  item: null,
  at: now,
  ...fields
})

let made = 0

/** The effects of an initiate for a new person, with these bookings. */
const initiated = (booked: ReadonlyArray<Booking>): VerificationChange => {
  const identity = Result.getOrThrow(Identity.parse("MOBILE", `+9198765${String(++made).padStart(5, "0")}`))
  const decision = initiate(
    Subject.empty(environment, identity.canonical),
    null,
    {
      flow: Verification.codeFlow,
      channel: "SMS",
      identity,
      path: "SERVER",
      orderId: `order_${made}`,
      codeLength: 6,
      keyId: "key1",
      options: {},
      fallback: null,
      deviceInfo: null,
      launchId: null,
      sandbox: false,
      device: null,
      idempotencyKey: null,
      funds: null,
      earlier: null,
      fresh: {
        verificationId: Identifier.make("ver", now),
        deliveryId: Identifier.make("dlv", now),
        eventId: Identifier.make("evt", now),
        deviceId: Identifier.make("dvc", now)
      }
    },
    defaultSettings,
    now
  )
  assert.isNotNull(decision.change)
  return { ...decision.change!, booked }
}

const endow = (balances: BalanceStore["Service"], amount: number) =>
  balances.commit(BalanceStore.change(emptyBalance(environment), { booked: [booking(amount, { kind: "TOP_UP" })] }))

/** A trigger on every table records when a row of it is written. */
const traced = Effect.gen(function* () {
  const { sql } = yield* TestDatabase
  yield* sql.unsafe("create table trace (n bigserial, name text)")
  yield* sql.unsafe(
    `create function traced() returns trigger language plpgsql as $$
      begin insert into trace (name) values (tg_argv[0]); return coalesce(new, old); end $$`
  )
  yield* sql.unsafe(
    `do $$ declare t text; begin
      for t in select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = current_schema() and c.relkind in ('r', 'p') and c.relname <> 'trace' and not c.relispartition loop
        execute format('create trigger traced before insert or update or delete on %I for each row execute function traced(%L)', t, t);
      end loop; end $$`
  )
  return Effect.gen(function* () {
    const rows = yield* sql<{ name: string }>`select name from trace order by n`
    yield* sql`delete from trace`
    return rows.map(({ name }) => name).filter((name, at, all) => all[at - 1] !== name)
  })
})

it.live("every store writes the contended rows last: spending, the balance, the ledger", () =>
  Effect.gen(function* () {
    const ports = yield* process
    const written = yield* traced
    const last = ["spending", "balance", "ledger"]
    const audited = [
      auditEntry({ ...byItself, merchantId: "mer", environment }, { action: "x", target: { kind: "x", id: "x" } }, now)
    ]
    yield* endow(Context.get(ports, BalanceStore), 100)
    assert.deepStrictEqual(yield* written, ["balance", "ledger"])

    const folded = [{ environment, kind: "none", at: now, key: "none" }]
    const done = { key: "none", fence: 1 }
    yield* Context.get(ports, VerificationStore).commit({ ...initiated([booking(-1)]), audited, folded, done })
    const names = yield* written
    assert.deepStrictEqual(names.slice(-3), last)
    assert.sameMembers(names, ["subject", "order_reference", "verification", "audit", "fact", "job", "event", ...last])

    yield* Context.get(ports, SenderIdStore).commit({
      ...noRecords,
      senderId: { environment, header: "ACMEIN", createdAt: now },
      becomes: "added",
      audited,
      booked: [booking(-1)]
    })
    assert.deepStrictEqual(yield* written, ["sender_id", "audit", ...last])
  }).pipe(Effect.scoped, Effect.provide(TestDatabase.layer))
)

it.live("a balance is exact across processes that share a Postgres", () =>
  Effect.gen(function* () {
    const processes = yield* Effect.all([process, process])
    const [stores, [balances]] = [
      processes.map((ports) => Context.get(ports, VerificationStore)),
      processes.map((ports) => Context.get(ports, BalanceStore))
    ]
    yield* endow(balances!, 15 * 7)
    const race = yield* Race.together(120, (index) => stores[index % 2]!.commit(initiated([booking(-7)])))
    assert.deepStrictEqual(race.defects, [])
    assert.strictEqual(race.successes.length, 15)
    for (const failure of race.failures) assert.instanceOf(failure, Conflict)
    const { sql } = yield* TestDatabase
    const rows = yield* sql`select amount::int, entries::int, (select sum(amount)::int from ledger) as sum,
      (select count(distinct number)::int from ledger where number <= entries) as numbers,
      (select count(*)::int from verification) as verifications, (select count(*)::int from event) as events
      from balance`
    assert.deepStrictEqual(rows, [{ amount: 0, entries: 16, sum: 0, numbers: 16, verifications: 15, events: 15 }])
  }).pipe(Effect.scoped, Effect.provide(TestDatabase.layer))
)

it.live("a long lock on one merchant's balance delays other merchants' changes by at most one lock timeout", () =>
  Effect.gen(function* () {
    const ports = yield* process
    const { sql } = yield* TestDatabase
    const store = Context.get(ports, VerificationStore)
    yield* endow(Context.get(ports, BalanceStore), 100)
    const exits = yield* sql.withTransaction(
      Effect.gen(function* () {
        yield* sql`select from balance where environment = ${environment} for update`
        return yield* Effect.all(
          [initiated([booking(-1)]), initiated([]), initiated([booking(-1)])].map((change, n) =>
            Effect.exit(
              store.commit(n === 1 ? { ...change, subject: { ...change.subject, environment: "other" } } : change)
            )
          ),
          { concurrency: "unbounded" }
        )
      })
    )
    assert.deepStrictEqual(exits.map(Exit.isSuccess), [false, true, false])
  }).pipe(Effect.scoped, Effect.provide(TestDatabase.layer))
)
