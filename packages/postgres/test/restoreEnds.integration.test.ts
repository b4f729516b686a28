import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Code, Keyring, Merchants, Verifications } from "@countersign/core"
import { AuditStore, VerificationStore } from "@countersign/core/storage"
import { assert, it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { PgBackup, PgStorage } from "../src/index.ts"
import { core, secret } from "./Login.ts"
import { storage, TestDatabase } from "./TestDatabase.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "countersign-restored-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)
const fits = () => Effect.succeed(true)

/** Columns that grant access through the hash of a secret. A new column must say what a restore does with it. */
const openings = {
  "credential.secret_hash": "reported to the operator",
  "session.hash": "ended",
  "sign_in_link.hash": "ended"
} as const

it.live("a restore ends every column with a secret's hash, or reports it to the operator", () =>
  Effect.gen(function* () {
    const { sql, url } = yield* TestDatabase
    yield* PgStorage.migrate({ url })
    const rows = yield* sql<{ name: string }>`select table_name || '.' || column_name as name
      from information_schema.columns where table_schema = 'countersign'
      and (column_name ~ 'hash' or column_name ~ 'token' or column_name ~ 'secret') order by 1`
    assert.deepStrictEqual(
      rows.map(({ name }) => name),
      Object.keys(openings)
    )
  }).pipe(Effect.provide(TestDatabase.layer))
)

it.live(
  "a restore ends pending verifications and sign-ins and records it in the audit log; with resume they continue",
  () =>
    Effect.gen(function* () {
      const { sql, url } = yield* TestDatabase
      const file = join(yield* folder, "a.backup")
      const stores = yield* Layer.build(storage())
      const services = yield* Layer.build(Layer.provide(core, Layer.succeedContext(stores)))
      const merchants = Context.get(services, Merchants)
      const { live, merchant } = yield* merchants.create("Acme")
      const caller = yield* merchants.authenticate(live.clientId, live.clientSecret)
      const { verification } = yield* Context.get(services, Verifications).initiate(caller, {
        identity: "+919876543210",
        identityType: "MOBILE",
        mode: "OTP"
      })
      const requestId = verification.id
      yield* sql`insert into session values (${merchant.id}, 'ses_1', 1, 1, 'hash', now(), now(), null, '{}')`
      yield* sql`insert into sign_in_link values (${merchant.id}, 1, 1, 'hash', now() + interval '1 day', '{}')`
      yield* PgBackup.backup({ from: { url }, to: file, version: "0.0.0" })

      const codeOf = Effect.gen(function* () {
        const keyring = Context.get(yield* Layer.build(Keyring.layer({ secret: Redacted.make(secret) })), Keyring)
        const found = yield* Context.get(stores, VerificationStore).find(caller.environment, requestId)
        return Code.derive(keyring.current, found!.id, found!.codeLength)
      })
      const otp = yield* codeOf
      const restored = Effect.fnUntraced(function* (schema: string, resume: boolean) {
        const { ended } = yield* PgBackup.restore({ into: { url, schema }, from: file, fits, resume })
        const ports = yield* Layer.build(storage({ schema }))
        const over = yield* Layer.build(Layer.provide(core, Layer.succeedContext(ports)))
        const answer = yield* Effect.result(Context.get(over, Verifications).verify(caller, { requestId, otp }))
        const filter = { merchantId: merchant.id, action: "storage.restored" }
        const audited = yield* Context.get(ports, AuditStore).list(filter, { after: null, limit: 9 })
        const [open] = yield* sql.unsafe<{ sessions: number; links: number }>(`select
        (select count(*)::int from ${schema}.session where ended_at is null) as sessions,
        (select count(*)::int from ${schema}.sign_in_link where expires_at > now()) as links`)
        return { ended, answer, audited, open }
      })
      const ended = yield* restored("ended", false)
      assert.deepStrictEqual(ended.ended, { verifications: 1, sessions: 1 })
      assert.include(JSON.stringify(ended.answer), "VerificationExpired")
      assert.lengthOf(ended.audited, 1)
      assert.deepStrictEqual(ended.open, { sessions: 0, links: 0 })
      const resumed = yield* restored("resumed", true)
      assert.isNull(resumed.ended)
      assert.include(JSON.stringify(resumed.answer), "Verified")
      assert.notInclude(JSON.stringify(resumed.answer), "VerificationExpired")
      assert.lengthOf(resumed.audited, 0)
      assert.deepStrictEqual(resumed.open, { sessions: 1, links: 1 })
    }).pipe(Effect.scoped, Effect.provide(TestDatabase.layer))
)
