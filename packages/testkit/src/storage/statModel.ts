import {
  attempt,
  approve,
  type Decision,
  defaultSettings,
  deliver,
  Identity,
  type InitiateCommand,
  initiate,
  type StatQuery,
  Statistics,
  Verification
} from "@countersign/core"
import {
  countsOf,
  counted,
  FactStore,
  noRecords,
  makeFoldSome,
  noPrices,
  OutboxStore,
  refused,
  type Storage,
  StatStore,
  Subject,
  VerificationStore
} from "@countersign/core/storage"
import { assert } from "@effect/vitest"
import { Clock, Effect, Layer, Result } from "effect"
import { drawsOf } from "./drawsOf.ts"
import { fresh } from "./fixtures.ts"

const quarter = 15 * 60_000
const day = 24 * 60 * 60_000
const zones = ["UTC", "Asia/Kathmandu", "America/New_York"]

const people = [
  { type: "MOBILE", spelling: "9876543210", country: "IN" },
  { type: "MOBILE", spelling: "+14155552671", country: "US" },
  { type: "EMAIL", spelling: "a@example.com", country: null }
] as const

const handover = { redirectUri: null, state: "s", codeChallenge: null }
const ways: ReadonlyArray<Pick<InitiateCommand, "channel" | "flow">> = [
  { flow: Verification.codeFlow, channel: "SMS" },
  { flow: Verification.codeFlow, channel: "WHATSAPP" },
  { flow: { kind: "Link", mode: "MAGIC_LINK", handover }, channel: "SMS" },
  { flow: { kind: "Number", mode: "OAUTH", handover }, channel: "TRUECALLER" }
]

const settings = { ...defaultSettings, hourlyLimit: 1_000, canonicalHourlyLimit: 0, maxConsecutiveFailures: 0 }
const reports = ["SENT", "SENT", "DELIVERED", "DELIVERED", "READ", "FAILED", "SKIPPED"] as const

type Row = readonly [verification: Verification.Verification, country: string | null]

const groupsOf = ([verification, country]: Row, entry: string) => ({
  channel: entry.split(" ")[1]!,
  country,
  path: verification.path,
  template: null
})

/** The local day of an instant, computed independently of the tested code. */
const dayIn = (tz: string, at: number) => formats.get(tz)!.format(at - (at % quarter))
const formats = new Map(
  zones.map((timeZone) => [timeZone, new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" })])
)

const byName = ([a = ""]: ReadonlyArray<string>, [b = ""]: ReadonlyArray<string>) => (a < b ? -1 : 1)

const shown = ["asked", "sent", "delivered", "verified", "failed", "expired", "resent", "fallbacks", "oneTap"] as const

/** The expected sums from a count over the rows, by day and group. */
const expectedOf = (rows: ReadonlyArray<Row>, tz: string, groupBy: keyof ReturnType<typeof groupsOf> | null) => {
  const sums = new Map<string, { [name: string]: number }>()
  for (const row of rows) {
    for (const [entry, n] of Object.entries(countsOf(row[0]))) {
      const name = entry.split(/[ @]/)[0]!
      if (!shown.some((one) => one === name)) continue
      const key = `${dayIn(tz, row[0].createdAt)} ${groupBy === null ? null : groupsOf(row, entry)[groupBy]}`
      const sum = sums.get(key) ?? {}
      sums.set(key, sum)
      sum[name] = (sum[name] ?? 0) + n
    }
  }
  return [...sums].map(([key, sum]) => [key, shown.map((name) => sum[name] ?? 0).join()]).sort(byName)
}

/**
 * Runs this many operations on people's verifications over three days, as services would: starts, resends, code
 * attempts, and reports that are late, repeated and reordered. Some are decided and never committed, some are committed
 * twice, some are folded by two processes concurrently. It compares the statistics with a count over the rows from time
 * to time.
 */
export const playStatistics = (operations: number, seed: number): Effect.Effect<void, unknown, Storage> =>
  Effect.gen(function* () {
    const { draw, oneOf } = drawsOf(seed)
    const environment = fresh("env")
    const store = yield* VerificationStore
    const stats = yield* StatStore
    const statistics = yield* Statistics
    const folding = { commit: stats.commit, facts: yield* FactStore, store: stats }
    const fold = makeFoldSome(folding)
    const countries = new Map<string, string | null>()
    const started = (yield* Clock.currentTimeMillis) - 3 * day
    let now = started
    let refusals = 0
    let made = 0

    const commit = Effect.fnUntraced(function* ({ change }: Decision<unknown>) {
      // Simulates a process that dies before its commit, or after it and repeats it.
      if (change === null || draw() < 0.1) return
      yield* store.commit(change)
      if (draw() < 0.1) assert.strictEqual((yield* Effect.flip(store.commit(change)))._tag, "Conflict")
    })

    const begin = Effect.fnUntraced(function* () {
      const person = oneOf(people)
      const identity = Result.getOrThrow(Identity.parse(person.type, person.spelling))
      const subject = yield* store.subject(environment, identity.canonical)
      const command: InitiateCommand = {
        ...oneOf(ways),
        identity,
        path: oneOf(["SERVER", "SDK"]),
        orderId: null,
        codeLength: 6,
        keyId: "key1",
        options: {},
        fallback: draw() < 0.5 ? { channel: "RCS", after: 60_000 } : null,
        deviceInfo: null,
        launchId: null,
        sandbox: false,
        device: null,
        idempotencyKey: null,
        funds: null,
        earlier: null,
        fresh: {
          verificationId: fresh("ver"),
          deliveryId: fresh("dlv"),
          eventId: fresh("evt"),
          deviceId: fresh("dvc")
        }
      }
      const wanted = { spelling: identity.spelling, mode: command.flow.mode, login: null, idempotencyKey: null }
      const found = command.path === "SDK" ? undefined : Subject.liveOf(subject, wanted, now)
      const live = found === undefined ? null : yield* store.find(environment, found.id)
      const decision = initiate(subject, live, command, settings, now)
      yield* commit(decision)
      if (decision.change?.verification != null) countries.set(decision.change.verification.id, person.country)
    })

    const known = Effect.fnUntraced(function* () {
      const ids = [...countries.keys()]
      // Usually a recent verification, sometimes one from days ago.
      const id = draw() < 0.2 ? oneOf(ids) : ids[Math.max(0, ids.length - 1 - Math.floor(draw() * 4))]
      return id === undefined ? null : yield* store.load(environment, id)
    })

    const report = Effect.gen(function* () {
      const loaded = yield* known()
      const deliveryId = loaded === null ? undefined : oneOf(loaded.verification.deliveries)?.id
      if (loaded === null || deliveryId === undefined) return
      const news = { deliveryId, status: oneOf(reports), providerId: null, providerCode: null }
      yield* commit(deliver(loaded, [news], { eventId: fresh("evt"), deliveryId: fresh("dlv") }, noPrices, null, now))
    })

    const enter = Effect.gen(function* () {
      const loaded = yield* known()
      if (loaded === null) return
      const right = draw() < 0.5
      const eventId = fresh("evt")
      const device = { device: null, label: null, keyId: "key1" }
      yield* commit(
        loaded.verification.kind === "Code"
          ? attempt(loaded, { ...device, eventId, mark: null, matches: () => right }, settings, now)
          : approve(loaded, { method: "LINK", isRight: () => right, eventId }, now)
      )
    })

    const refuse = Effect.gen(function* () {
      const fact = refused.fact({
        environment,
        at: now,
        key: `${++made}`,
        value: { path: "SDK", reason: "limit", channel: null, country: null, n: 2 }
      })
      refusals += 2
      yield* (yield* OutboxStore).append({ ...noRecords, facts: [fact] })
    })

    /** Two processes read the same facts. The slower one conflicts, and writes nothing. */
    const foldTwice = makeFoldSome({
      ...folding,
      commit: (change) => Effect.andThen(fold(counted.name, environment), stats.commit(change))
    })

    const operation = Effect.suspend((): Effect.Effect<void, unknown, Storage> => {
      const chance = draw()
      now += Math.floor(draw() * draw() * ((6 * day) / operations))
      if (chance < 0.35) return begin()
      if (chance < 0.6) return report
      if (chance < 0.85) return enter
      if (chance < 0.9) return refuse
      if (chance < 0.95) return Effect.asVoid(Effect.forEach([counted, refused], ({ name }) => fold(name, environment)))
      return Effect.asVoid(Effect.catchTag(foldTwice(counted.name, environment), "Conflict", () => Effect.void))
    })

    const compare = Effect.gen(function* () {
      const rows: Array<Row> = []
      for (const [id, country] of countries) {
        const verification = yield* store.find(environment, id)
        if (verification !== null) rows.push([verification, country])
      }
      const range = { from: new Date(started - day).toISOString(), to: new Date(now + day).toISOString() }
      const ask = Effect.fnUntraced(function* (query: StatQuery) {
        const { items } = yield* statistics.series({ environment }, { ...range, ...query })
        return items
      })
      for (const tz of zones) {
        for (const groupBy of [null, "channel", "country", "path", "template"] as const) {
          const items = yield* ask({ tz, groupBy })
          const actual = items.map((item) => [
            `${dayIn(tz, item.at)} ${item.group}`,
            shown.map((name) => item[name]).join()
          ])
          const nothing = shown.map(() => 0).join()
          assert.deepStrictEqual(
            actual.filter(([, counts]) => counts !== nothing).sort(byName),
            expectedOf(rows, tz, groupBy).filter(([, counts]) => counts !== nothing)
          )
          assert.strictEqual(
            items.reduce((sum, item) => sum + item.refused, 0),
            refusals
          )
        }
      }
    })

    for (let n = 1; n <= operations; n++) {
      yield* operation
      if (n % Math.ceil(operations / 4) === 0) yield* compare
    }
    yield* fold(counted.name, environment)
    yield* fold(refused.name, environment)
    const left = yield* folding.facts.list({ kind: counted.name, environment, after: null, limit: 1 })
    assert.deepStrictEqual(left, [])
    yield* compare
  }).pipe(Effect.provide(Statistics.layer.pipe(Layer.orDie)))
