import { Code, Keyring, Keys, Merchants, SecretHash, Verifications } from "@countersign/core"
import { EventStore, JobStore, Subject, VerificationStore } from "@countersign/core/storage"
import { assert, it } from "@effect/vitest"
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import * as Migrations from "../src/Migrations.ts"
import * as Migrator from "../src/Migrator.ts"
import * as Partitions from "../src/Partitions.ts"
import { PgDatabase, PgStorage } from "../src/index.ts"
import { asOfOld, caller, codeFor, core, environment, secret } from "./OldLogin.ts"
import { storage, TestDatabase } from "./TestDatabase.ts"

it.live("the tables of the first version are brought up to date with what is in them", () =>
  Effect.gen(function* () {
    const { sql, url } = yield* TestDatabase
    const now = yield* Clock.currentTimeMillis

    // The first version's tables, with partitions as it made them.
    yield* Migrator.run({ url }, { "0001_tables": Migrations.all["0001_tables"] })

    // Codes as today's core makes them, written down as the first version did: one is still good, many are long over.
    const keyring = Context.get(yield* Layer.build(Keyring.layer({ secret: Redacted.make(secret) })), Keyring)
    const made = (index: number, expiresAt: number) => codeFor(keyring.current.id, index, expiresAt)
    const all = Array.from({ length: 200 }, (_, index) => made(index, index < 2 ? now + 200_000 : now - 1_000 * index))
    for (const verification of all) {
      const { canonical } = verification.identity
      const subject = Subject.nowLive(Subject.empty(environment, canonical), verification, verification.createdAt)
      const old = asOfOld(subject, verification)
      yield* sql`insert into subject values (${environment}, ${canonical}, 1, ${old.subject})`
      yield* sql`insert into verification values (${environment}, ${verification.id}, ${canonical}, ${old.verification})`
    }
    yield* sql`insert into event values (${environment}, 'evt_1', 'otp.initiated', now(), '{"requestId":"ver_1"}')`
    yield* sql`insert into job (key, environment, kind, payload, run_at, attempt)
      values ('old:1', ${environment}, 'kept', '{"id":1}', now() - interval '1 hour', 0)`
    // Its fourth try failed and the fifth comes later, or it is being made for the fourth time.
    yield* sql`insert into job (key, environment, kind, payload, run_at, attempt) values
      ('webhook:waits', ${environment}, 'webhook', '{}', now() + interval '1 hour', 4),
      ('webhook:runs', ${environment}, 'webhook', '{}', now() + interval '20 seconds', 4),
      ('webhook:new', ${environment}, 'webhook', '{}', now(), 0),
      ('send:busy', ${environment}, 'send', '{}', now() + interval '1 hour', 19)`

    yield* sql`insert into merchant values ('mer_1', 'Acme', 'ACTIVE', now())`
    yield* sql`insert into environment values (${environment}, 'mer_1', 'live', '{}', 1)`
    const hash = SecretHash.hash("sk_1")
    yield* sql`insert into credential values ('cs_1', ${environment}, 'SERVER', ${hash}, now())`
    yield* sql`insert into credential values ('pk_1', ${environment}, 'PUBLIC', null, now())`
    yield* sql`insert into credential values ('pk_live_in_process', ${environment}, 'PUBLIC', null, now())`

    const ran = yield* PgStorage.migrate({ url })
    assert.deepStrictEqual(ran, Object.keys(Migrations.all).slice(1))

    const failures = yield* sql`select key, failures from job where key <> 'old:1' order by key`
    assert.deepStrictEqual(failures, [
      { key: "send:busy", failures: 0 },
      { key: "webhook:new", failures: 0 },
      { key: "webhook:runs", failures: 3 },
      { key: "webhook:waits", failures: 4 }
    ])

    const stores = yield* Layer.build(storage())
    const services = yield* Layer.build(Layer.provide(core, Layer.succeedContext(stores)))
    const verifications = Context.get(services, Verifications)
    const [good, tried] = all
    const codeOf = ({ id, codeLength }: (typeof all)[number]) => Code.derive(keyring.current, id, codeLength)
    const verified = yield* verifications.verify(caller, { requestId: good!.id, otp: codeOf(good!) })
    assert.strictEqual(verified._tag, "Verified")
    const wrong = `${codeOf(tried!).slice(0, -1)}${(Number(codeOf(tried!).at(-1)) + 1) % 10}`
    assert.deepInclude(yield* verifications.verify(caller, { requestId: tried!.id, otp: wrong }), { left: 2 })
    const over = yield* Effect.flip(verifications.verify(caller, { requestId: all[9]!.id, otp: codeOf(all[9]!) }))
    assert.strictEqual(over._tag, "VerificationExpired")

    // Nobody hears of codes that were over before, but of those that somebody has tried since.
    const store = Context.get(stores, VerificationStore)
    const awaited = yield* store.expired({ after: { expiresAt: 0, id: "" }, until: now + 1e9, limit: 1_000 })
    assert.deepStrictEqual(
      awaited.map(({ id }) => id),
      [tried!.id]
    )
    const told = yield* Context.get(stores, EventStore).list({
      environment,
      type: "otp.expired",
      after: null,
      limit: 9
    })
    assert.deepStrictEqual(
      told.map(({ data }) => data),
      [
        {
          requestId: all[9]!.id,
          identity: all[9]!.identity.spelling,
          identityType: "MOBILE",
          mode: "OTP",
          channel: "SMS",
          orderId: null
        }
      ]
    )

    // Work that waited is found, and in no lane.
    const [job] = yield* Context.get(stores, JobStore).claim({
      kinds: [{ kind: "kept", lease: 1_000 }],
      limit: 9,
      now: yield* Clock.currentTimeMillis
    })
    assert.deepInclude(job, { key: "old:1", payload: { id: 1 }, fence: 1, failures: 0 })
    assert.notProperty(job, "lane")

    // While this version is rolled out, one that knows no scopes goes on making keys beside it.
    yield* sql`insert into credential (id, environment, kind, secret_hash, created_at)
      values ('cs_2', ${environment}, 'SERVER', ${hash}, now()), ('pk_2', ${environment}, 'PUBLIC', null, now())`

    // Keys of before may call everything, but for the one that everybody knows.
    const merchants = Context.get(services, Merchants)
    const scopes = ["auth", "leads", "dashboard"] as const
    assert.deepInclude(yield* merchants.authenticate("cs_1", Redacted.make("sk_1")), { environment, scopes })
    assert.deepInclude(yield* merchants.authenticate("cs_2", Redacted.make("sk_1")), { environment, scopes })
    for (const key of ["pk_1", "pk_2"])
      assert.deepInclude(yield* merchants.callerOfPublicKey(key), { environment, scopes: [] })
    assert.strictEqual(
      (yield* Effect.flip(merchants.callerOfPublicKey("pk_live_in_process")))._tag,
      "InvalidCredentials"
    )
    const known = Context.get(services, Keys)
    assert.deepStrictEqual(
      (yield* known.list({ environment })).map(({ id, name, retiringAt }) => [id, name, retiringAt]),
      ["cs_1", "pk_1", "cs_2", "pk_2"].map((id) => [id, null, null])
    )

    // Partitions go on being made, and what is in the default one moves into them.
    yield* Partitions.add(Context.get(stores, PgDatabase), now + 400 * 86_400_000)
    assert.strictEqual((yield* store.find(environment, good!.id))?.status, "VERIFIED")
  }).pipe(Effect.scoped, Effect.provide(TestDatabase.layer))
)
