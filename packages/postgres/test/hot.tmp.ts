import { VerificationStore, Subject, Identifier } from "@countersign/core"
import { PgStorage, PgDatabase } from "../src/index.ts"
import { Effect, Redacted } from "effect"
const storage = PgStorage.layer({ url: Redacted.make("postgres://postgres@127.0.0.1:5499/hot") })
const sizes = "select relname::text, pg_total_relation_size(oid)::int from pg_class where relkind='r' and (relname = 'subject' or relname like 'verification_2%') and pg_total_relation_size(oid) > 100000"
await Effect.runPromise(Effect.gen(function*() {
  const store = yield* VerificationStore
  const db = yield* PgDatabase
  const N = 20000
  const now = Date.now()
  const ids = Array.from({ length: N }, () => Identifier.make("ver", now))
  const order = ids.map((_, i) => i)
  const shuffle = () => { if (process.env.SHUF) for (let i = order.length; i-- > 1;) { const j = (Math.random() * (i + 1)) | 0; [order[i], order[j]] = [order[j]!, order[i]!] } }
  const commit = (version: number, i: number) => Effect.suspend(() => { const id = ids[i]!; return store.commit({ subject: { ...Subject.empty("e", "91" + i), version, failures: version, failedAt: now, codes: [{ spelling: "91" + i, path: "SERVER", at: [now] }], live: [{ spelling: "91" + i, path: "SERVER", mode: "OTP", id, expiresAt: now }] }, verification: { id, environment: "e", identity: { type: "MOBILE", spelling: "91" + i, canonical: "91" + i, countryCode: null, nationalNumber: null }, mode: "OTP", path: "SERVER", channel: "SMS", orderId: null, status: "PENDING", attempts: version, deliveries: [{ id: "dlv_" + id.slice(4), channel: "SMS", type: "OTP", status: "SENT", attemptNumber: 1, createdAt: now, options: {}, command: null, providerId: null, providerCode: null }], createdAt: now, sentAt: now, expiresAt: now, endsAt: now, verifiedAt: null, undeliverable: false, deviceInfo: null, keyId: "k1", codeLength: 6, maxAttempts: 3, resends: 0, method: null } as any, orderId: null, events: [], jobs: [], done: null }) })
  const run = (version: number) => { shuffle(); return Effect.forEach(order, (i) => commit(version, i), { concurrency: 256, discard: true }) }
  const ff = process.env.FF
  if (ff) for (const t of ["subject", ...(yield* db.query("select relname::text from pg_class where relname like 'verification_2%' and relkind='r'", [])).map((r) => r[0])]) yield* db.query(`alter table ${t} set (fillfactor=${ff})`, [])
  yield* db.query("select pg_stat_reset()", [])
  yield* db.query("truncate subject, verification", [])
  if (process.env.FLOW) {
    yield* Effect.forEach(order, (i) => Effect.forEach([0, 1, 2, 3], (v) => Effect.andThen(v >= 2 ? Effect.sleep(Math.random() * 300) : Effect.void, commit(v, i))), { concurrency: 256, discard: true })
  } else {
  yield* run(0)
  console.log(yield* db.query(sizes, []))
  for (let v = 1; v <= 8; v++) yield* run(v)
  }
  console.log(yield* db.query(sizes, []))
  yield* Effect.sleep(2000)
  console.log((yield* db.query("select relname::text, n_tup_ins::int, n_tup_upd::int, n_tup_hot_upd::int, round(n_tup_hot_upd * 100.0 / n_tup_upd, 1)::text from pg_stat_user_tables where n_tup_upd > 0", [])))
}).pipe(Effect.provide(storage)))
