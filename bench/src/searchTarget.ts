import { searched, type SearchFilter, VerificationStore } from "@countersign/core/storage"
import { PgStorage } from "@countersign/postgres"
import { Context, Effect, Exit, Layer, Redacted, Scope } from "effect"
import { type Bench, median } from "./Bench.ts"
import type { Finding, Target } from "./Target.ts"

const environment = "env_live_search"
const began = Date.UTC(2026, 0, 1)
const month = 30 * 86_400_000
const small = 10_000
const mostPerStatement = 500_000
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

/** The time part of identifiers, in SQL. */
const timeText = (at: string) =>
  `(select string_agg(substr('${alphabet}', ((${at} >> (5 * (9 - g))) & 31)::int + 1, 1), '' order by g) from generate_series(0, 9) g)`

/** One in 10,000 is French, one in 1,000 over RCS, one in 100 FAILED. */
const country = "case when i % 10000 = 7 then 'FR' else 'IN' end"
const channel = "case when i % 1000 = 3 then 'RCS' when i % 5 = 0 then 'WHATSAPP' else 'SMS' end"
const status = "case when i % 100 = 1 then 'FAILED' when i % 5 = 2 then 'EXPIRED' else 'VERIFIED' end"
const person = "(916000000000 + (i * 618033989::bigint) % 1000000000)::text"

const fill = async ({ postgres }: Bench, database: string, rows: number) => {
  const at = `(${began} + i * ${month}::bigint / ${rows})`
  const state = `'{"identity":{"type":"MOBILE","spelling":"+' || ${person} || '","canonical":"' || ${person} || '","countryCode":"91","nationalNumber":null},"mode":"OTP","path":"SERVER","channel":"' || ${channel} || '","orderId":"order-' || i || '","status":"' || ${status} || '","method":null,"codeLength":6,"keyId":"key1","attempts":0,"maxAttempts":3,"resends":0,"createdAt":' || ${at} || ',"sentAt":' || ${at} || ',"expiresAt":' || ${at} || ',"endsAt":' || ${at} || ',"verifiedAt":null,"expiryAnnounced":true,"undeliverable":false,"deliveries":[{"id":"dlv_01kaj3v9c0q5w8xn2rz7t4m6hd","channel":"SMS","type":"OTP","status":"DELIVERED","attemptNumber":1,"createdAt":' || ${at} || ',"options":{},"command":null,"providerId":"SM0123456789abcdef0123456789abcdef","providerCode":null}],"fallback":null,"deviceInfo":null}'`
  for (let from = 1; from <= rows; from += mostPerStatement) {
    const to = Math.min(rows, from + mostPerStatement - 1)
    await postgres.query(
      database,
      `insert into verification (environment, id, canonical, state, expires_at, open, status, channel, country, order_id)
       select '${environment}', 'ver_' || ${timeText(at)} || lpad(i::text, 16, '0'), ${person}, ${state},
         to_timestamp(${at} / 1000.0), false, ${status}, ${channel}, ${country}, 'order-' || i
       from generate_series(${from}::bigint, ${to}::bigint) i`
    )
  }
  await postgres.query(database, "vacuum analyze verification")
  await postgres.query(database, "checkpoint")
}

const personOf = (i: number) => String(916_000_000_000n + ((BigInt(i) * 618_033_989n) % 1_000_000_000n))
const idAt = (instant: number) => {
  let text = ""
  for (let rest = instant, n = 0; n < 10; n++) {
    text = alphabet[rest % 32]! + text
    rest = Math.floor(rest / 32)
  }
  return `ver_${text}`
}

interface Asked {
  readonly filter: (i: number) => SearchFilter
  readonly ofDay: boolean
}

const questions: { readonly [name: string]: Asked } = {
  "a person": { filter: (i) => ({ canonical: personOf(i) }), ofDay: false },
  "an order": { filter: (i) => ({ orderId: `order-${i}` }), ofDay: false },
  "a day": { filter: () => ({}), ofDay: true },
  "a day, FAILED": { filter: () => ({ status: "FAILED" }), ofDay: true },
  "a day, FAILED over WhatsApp": { filter: () => ({ status: "FAILED", channel: "WHATSAPP" }), ofDay: true },
  "a day, a country of 1 in 10,000": { filter: () => ({ country: "FR" }), ofDay: true },
  "a day, a channel of 1 in 1,000": { filter: () => ({ channel: "RCS" }), ofDay: true },
  "a person, VERIFIED": { filter: (i) => ({ canonical: personOf(i), status: "VERIFIED" }), ofDay: false }
}

const asks = 60
const percentile = (values: ReadonlyArray<number>, share: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!

const measure = async (bench: Bench): Promise<Finding> => {
  const { postgres } = bench
  const scope = Scope.makeUnsafe()
  const open = async (rows: number) => {
    const database = `search_${rows}`
    await postgres.createDatabase(database)
    const layer = PgStorage.layer({ url: Redacted.make(postgres.url(database)), timeout: "60 seconds" })
    const store = Context.get(await Effect.runPromise(Layer.buildWithScope(layer, scope)), VerificationStore)
    await fill(bench, database, rows)
    const ask = async ({ filter, ofDay }: Asked) => {
      const i = 1 + Math.floor(Math.random() * rows)
      const day = began + Math.floor(Math.random() * 29) * 86_400_000
      const begun = performance.now()
      await Effect.runPromise(
        searched(store, {
          environment,
          filter: filter(i),
          before: ofDay ? idAt(day + 86_400_000) : "ver_~",
          since: ofDay ? idAt(day) : "ver_",
          now: began + 2 * month,
          limit: 50,
          most: 5_000
        })
      )
      return performance.now() - begun
    }
    return { database, ask }
  }
  const [few, many] = [await open(small), await open(bench.options.rows)]
  const figures: Array<{ readonly name: string; readonly ratio: number; readonly p50: number; readonly p95: number }> =
    []
  for (const [name, asked] of Object.entries(questions)) {
    const times: Array<{ readonly few: number; readonly many: number }> = []
    for (let n = 0; n < asks; n++) times.push({ few: await few.ask(asked), many: await many.ask(asked) })
    figures.push({
      name,
      ratio: median(times.map((one) => one.few)) / median(times.map((one) => one.many)),
      p50: median(times.map((one) => one.many)),
      p95: percentile(
        times.map((one) => one.many),
        0.95
      )
    })
  }
  await Effect.runPromise(Scope.close(scope, Exit.void))
  for (const { database } of [few, many]) await postgres.dropDatabase(database)
  return {
    figures: [
      { target: "S24", value: Math.max(...figures.map(({ p95 }) => p95)), relation: "<=", bound: 50, unit: " ms" },
      {
        target: "S24",
        value: Math.min(...figures.filter(({ name }) => !name.startsWith("a day,")).map(({ ratio }) => ratio)),
        relation: ">=",
        bound: 0.8
      }
    ],
    details: figures.map(
      ({ name, p50, p95, ratio }) =>
        `${name}: p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, ${ratio.toFixed(2)} of the small table's pace`
    )
  }
}

export const searchTarget: Target = {
  name: "S24",
  what: "first pages of searches over `--rows` verifications of 30 days: the slowest p95; by person, order and day ÷ over 10,000",
  measure
}
