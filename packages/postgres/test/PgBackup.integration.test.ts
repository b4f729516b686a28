import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  type Campaign,
  CampaignStore,
  type Job,
  JobStore,
  noRecords,
  noProgress,
  OutboxStore,
  type Recipient
} from "@countersign/core/storage"
import { assert, it } from "@effect/vitest"
import { Clock, Context, Effect, Layer } from "effect"
import * as BackupFile from "../src/backup/BackupFile.ts"
import { PgBackup, PgStorage } from "../src/index.ts"
import { storage, TestDatabase } from "./TestDatabase.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "countersign-backup-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

const version = "0.0.0"
const fits = () => Effect.succeed(true)

const append = Effect.fnUntraced(function* (ports: Context.Context<OutboxStore>, index: number) {
  const now = yield* Clock.currentTimeMillis
  const job: Job.NewJob = { key: `job ${index}`, environment: "env", kind: "send", payload: { ä: '\\"\n' }, runAt: now }
  yield* Context.get(ports, OutboxStore).append({ ...noRecords, jobs: [job] })
  return index
})

/** A message that is being sent. */
const running: Campaign = {
  environment: "env",
  id: "cmp_running",
  version: 0,
  name: "Diwali",
  channel: "SMS",
  text: { id: "tpl_1", version: 1 },
  status: "RUNNING",
  pausedFor: null,
  problem: null,
  total: 2,
  command: null,
  startAt: 1,
  createdAt: 1,
  finishedAt: null,
  run: 1,
  counts: null
}

const recipientOf = (number: number): Recipient.Recipient => ({
  environment: "env",
  campaignId: running.id,
  number,
  version: 0,
  phone: `+91981234567${number}`,
  values: [],
  status: "PENDING",
  handedAt: null,
  tries: 0,
  price: null,
  providerId: null,
  providerCode: null
})

it.live(
  "a backup of an embedded database under load contains everything acknowledged, and restores into Postgres",
  () =>
    Effect.gen(function* () {
      const path = yield* folder
      const directory = join(path, "from")
      const file = join(path, "a.backup")
      const ports = yield* Layer.build(PgStorage.layerEmbedded({ directory }))
      yield* Context.get(ports, CampaignStore).addRecipients([1, 2].map(recipientOf))
      yield* Context.get(ports, CampaignStore).commit(CampaignStore.change({ campaign: running }))
      const acknowledged: Array<number> = []
      const times: Array<number> = []
      let next = 0
      const load = yield* Effect.forkScoped(
        Effect.forever(
          Effect.suspend(() => append(ports, next++)).pipe(
            Effect.tap((index) => Effect.sync(() => acknowledged.push(index))),
            Effect.tap((index) => Effect.map(Clock.currentTimeMillis, (now) => (times[index] = now)))
          )
        )
      )
      while (acknowledged.length < 20) yield* Effect.sleep(5)
      const before = [...acknowledged]
      yield* PgBackup.backup({ from: { directory }, to: file, version })
      assert.strictEqual(statSync(file).mode & 0o777, 0o600)
      assert.isAbove(acknowledged.length, before.length)
      load.interruptUnsafe()

      const { sql, url } = yield* TestDatabase
      const restored = yield* PgBackup.restore({ into: { url }, from: file, fits, resume: false })
      assert.isAtLeast(restored.putAside.jobs, before.length)
      const kept = new Set(
        (yield* sql<{ key: string }>`select key from job where dead_at is not null`).map(({ key }) => key)
      )
      for (const index of before)
        assert.isTrue(kept.has(`job ${index}`), `job ${index} was acknowledged and is not there`)
      const instant = Date.parse(restored.header.at)
      for (const index of acknowledged.filter((each) => times[each]! < instant))
        assert.isTrue(kept.has(`job ${index}`), `job ${index} was acknowledged before the instant of the backup`)
      // Jobs that would message people a second time are buried.
      assert.strictEqual(restored.putAside.campaigns, 1)
      const campaigns = Context.get(yield* Layer.build(storage()), CampaignStore)
      assert.deepStrictEqual(yield* campaigns.get("env", running.id), {
        ...running,
        version: 2,
        status: "PAUSED",
        pausedFor: "PERSON"
      })
      assert.deepStrictEqual(yield* campaigns.progress("env", running.id), { ...noProgress, PENDING: 2 })
      const again = yield* Effect.flip(PgBackup.restore({ into: { url }, from: file, fits, resume: false }))
      assert.include(again.message, "already")
    }).pipe(Effect.scoped, Effect.provide(TestDatabase.layer))
)

it.live("a backup of Postgres restores into a directory; a damaged, truncated or foreign backup leaves nothing", () =>
  Effect.gen(function* () {
    const { sql, url } = yield* TestDatabase
    const path = yield* folder
    const file = join(path, "a.backup")
    const ports = yield* Layer.build(storage())
    for (let index = 0; index < 30; index++) yield* append(ports, index)
    yield* PgBackup.backup({ from: { url }, to: file, version })
    const directory = join(path, "into")
    const refused = (from: string, secrets = true) =>
      Effect.map(
        Effect.flip(PgBackup.restore({ into: { directory }, from, fits: () => Effect.succeed(secrets), resume: true })),
        ({ message }) => message
      )
    const whole = readFileSync(file)
    const cut = join(path, "cut")
    writeFileSync(cut, whole)
    truncateSync(cut, whole.length - 40)
    assert.match(yield* refused(cut), /incomplete/)
    writeFileSync(
      cut,
      Uint8Array.from(whole, (byte, at) => (at === whole.length >> 1 ? byte ^ 1 : byte))
    )
    assert.match(yield* refused(cut), /damaged|changed/)
    writeFileSync(cut, "not a backup")
    assert.match(yield* refused(cut), /not a backup/)
    assert.match(yield* refused(file, false), /another master secret/)
    const elsewhere = { url, schema: "second" }
    const into = (from: string) =>
      Effect.map(Effect.flip(PgBackup.restore({ into: elsewhere, from, fits, resume: true })), ({ message }) => message)
    const strange = async function* () {
      for await (const header of BackupFile.read(file)) return yield* [header, '{"table":"strange","columns":[]}']
    }
    yield* Effect.promise(() => BackupFile.write(strange(), cut))
    assert.match(yield* into(cut), /a table that this service does not know/)
    yield* sql`insert into second.countersign_migrations (migration_id, name) values (99999, 'later')`
    assert.match(yield* into(file), /newer backup was interrupted here/)
    yield* PgBackup.restore({ into: { directory }, from: file, fits, resume: true })
    const embedded = yield* Layer.build(PgStorage.layerEmbedded({ directory }))
    const now = yield* Clock.currentTimeMillis
    const claimed = yield* Context.get(embedded, JobStore).claim({
      kinds: [{ kind: "send", lease: 1_000 }],
      limit: 99,
      now: now + 1_000
    })
    assert.lengthOf(claimed, 30)
  }).pipe(Effect.scoped, Effect.provide(TestDatabase.layer))
)
