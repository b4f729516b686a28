import { VerificationStore, Subject, Identifier, JobStore } from "@countersign/core"
import { PgStorage, PgDatabase } from "../src/index.ts"
import { Effect, Redacted } from "effect"
const [mode = "initiate", conc = "256", total = "60000", conns = "16"] = process.argv.slice(2)
const C = Number(conc), N = Number(total)
const storage = PgStorage.layer({ url: Redacted.make(process.env.URL ?? "postgres://postgres@127.0.0.1:5499/postgres"), connections: Number(conns) })
const env = "env_bench"
const mkVer = (canonical: string, now: number) => ({ id: Identifier.make("ver", now), environment: env, identity: { type: "MOBILE" as const, spelling: canonical, canonical, countryCode: null, nationalNumber: null }, mode: "OTP" as const, path: "SERVER" as const, channel: "SMS" as const, orderId: null, status: "PENDING" as const, method: null, codeLength: 6, keyId: "k1", attempts: 0, maxAttempts: 3, resends: 0, createdAt: now, sentAt: now, expiresAt: now + 300000, endsAt: now + 1800000, verifiedAt: null, undeliverable: false, deliveries: [{ id: Identifier.make("dlv", now), channel: "SMS" as const, type: "OTP" as const, status: "PENDING" as const, attemptNumber: 1, createdAt: now, options: {}, command: null, providerId: null, providerCode: null }], deviceInfo: null })
const lat: number[] = []
await Effect.runPromise(Effect.gen(function*() {
  const store = yield* VerificationStore
  const jobs = yield* JobStore
  const db = yield* PgDatabase
  let n = 0, conflicts = 0
  const persons = mode === "verify" || mode === "status" ? 20000 : 1e9
  const one = Effect.gen(function*() {
    const i = n++
    const canonical = "91" + (mode === "initiate" ? 6000000000 + ((Math.random() * 5e8) | 0) : i)
    const t0 = performance.now()
    const s = yield* store.subject(env, canonical)
    const now = Date.now()
    const v = mkVer(canonical, now)
    const next = Subject.codeMade(s, v as any, now)
    const job = { key: "send:" + v.deliveries[0]!.id, environment: env, kind: "send" as const, payload: { verificationId: v.id, deliveryId: v.deliveries[0]!.id }, runAt: now, leasedUntil: now + 15000, attempt: 1 }
    yield* store.commit({ subject: next, verification: v as any, orderId: null, events: [{ id: Identifier.make("evt", now), environment: env, type: "otp.initiated", createdAt: now, data: { requestId: v.id, identity: canonical, channel: "SMS" } }], jobs: [job], done: null }).pipe(Effect.catchTag("Conflict", () => Effect.sync(() => { conflicts++ })))
    if (mode === "full") {
      yield* store.commit({ subject: { ...next, version: s.version + 1 }, verification: { ...v, deliveries: [{ ...v.deliveries[0]!, status: "SENT" as const, providerId: "p" }] } as any, orderId: null, events: [], jobs: [], done: job })
    } else yield* jobs.complete(job)
    lat.push(performance.now() - t0)
  })
  const loop = (count: number) => Effect.suspend(function go(): Effect.Effect<void, any> { return n < count ? Effect.flatMap(one, go) : Effect.void })
  yield* Effect.forEach(Array.from({ length: C }), () => loop(5000), { concurrency: "unbounded", discard: true })
  lat.length = 0
  const start = n, t = performance.now(), cpu = process.cpuUsage()
  yield* Effect.forEach(Array.from({ length: C }), () => loop(start + N), { concurrency: "unbounded", discard: true })
  const secs = (performance.now() - t) / 1000, used = process.cpuUsage(cpu)
  lat.sort((a, b) => a - b)
  console.log(mode, "conc", C, "conns", conns, Math.round((n - start) / secs), "/s", "node cpu us/op", Math.round((used.user + used.system) / (n - start)), "p50", lat[lat.length >> 1]!.toFixed(2), "p99", lat[(lat.length * 0.99) | 0]!.toFixed(2), "conflicts", conflicts)
  if (process.env.HOT) {
    yield* Effect.sleep(1500)
    console.log((yield* db.query("select relname::text, n_tup_ins::int, n_tup_upd::int, n_tup_hot_upd::int, n_dead_tup::int from pg_stat_user_tables where n_tup_ins > 0", [])).map((r) => r.join(" ")).join("\n"))
  }
}).pipe(Effect.provide(storage)))
