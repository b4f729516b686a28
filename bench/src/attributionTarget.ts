import { AttributionStore } from "@countersign/core/storage"
import { PgStorage } from "@countersign/postgres"
import { Context, Effect, Exit, Layer, Redacted, Scope } from "effect"
import { type Bench, median } from "./Bench.ts"
import type { Finding, Target } from "./Target.ts"

const database = "attribution"
const environment = "env_live_ads"
const day = 86_400_000
const began = Date.UTC(2026, 0, 1)
const days = 30
const launches = 1_000_000
const conversions = 200_000
const visitors = 300_000

/** Origins as a merchant has them: 200 in all, and each on every day. */
const origin = (i: string) => `'source ' || ${i} % 10, 'medium ' || ${i} % 4, 'campaign ' || ${i} % 100`

const at = (i: string) =>
  `timestamptz '2026-01-01' + (${i}::bigint * 618033989 % ${days * day}) * interval '1 millisecond'`

/** A month of a busy merchant: one launch in five led to a conversion, and visitors come three times. */
const fill = async ({ postgres }: Bench) => {
  const run = (text: string) => postgres.query(database, text)
  await run(`insert into launch (environment, id, version, at, source, medium, campaign, visitor, click, state)
    select '${environment}', 'lch_' || i, 1, ${at("i")}, ${origin("i")}, 'v:' || i % ${visitors}, null,
      '{"details":{"term":null,"content":null,"installReferrer":null,"platform":"web"},"tokenHash":"${"ab".repeat(32)}"}'
    from generate_series(1, ${launches}) as i`)
  await run(`insert into trail (environment, key, version, first_id, first_at, source, medium, campaign)
    select '${environment}', 'v:' || i, 3, 'lch_' || i, ${at("i")}, ${origin("i")} from generate_series(0, ${visitors - 1}) as i`)
  await run(`insert into touch
      (environment, kind, id, at, launch_id, visitor, source, medium, campaign, micros, currency, details)
    select '${environment}', 'CONVERSION', 'cnv_' || i, ${at("i")} + interval '1 hour', 'lch_' || 5 * i,
      'v:' || 5 * i % ${visitors}, ${origin("5 * i")}, 19990000, 'INR', '{"event":"paid","requestId":null,"properties":null}'
    from generate_series(1, ${conversions}) as i`)
  await run("vacuum analyze")
  await run("checkpoint")
}

const measure = async (bench: Bench): Promise<Finding> => {
  const { postgres } = bench
  await postgres.createDatabase(database)
  const scope = Scope.makeUnsafe()
  const layer = PgStorage.layer({ url: Redacted.make(postgres.url(database)), timeout: "60 seconds" })
  const store = Context.get(await Effect.runPromise(Layer.buildWithScope(layer, scope)), AttributionStore)
  await fill(bench)
  const page: AttributionStore.SumPage = {
    environment,
    model: "last",
    days: Array.from({ length: days + 1 }, (_, n) => began + n * day),
    until: began + (days + 1) * day,
    after: null,
    limit: 1_001
  }
  const findings: Array<{ readonly model: string; readonly seconds: number }> = []
  for (const model of ["last", "first"] as const) {
    const sums = store.sums({ ...page, model })
    await Effect.runPromise(sums)
    const runs: Array<number> = []
    while (runs.length < bench.options.rounds) {
      const start = performance.now()
      const rows = await Effect.runPromise(sums)
      runs.push((performance.now() - start) / 1000)
      if (rows.length !== page.limit) throw new Error(`a report of ${rows.length} rows`)
    }
    findings.push({ model, seconds: median(runs) })
  }
  await Effect.runPromise(Scope.close(scope, Exit.void))
  await postgres.dropDatabase(database)
  return {
    figures: [
      {
        target: "S22",
        value: Math.max(...findings.map(({ seconds }) => seconds)),
        relation: "<=",
        bound: 1,
        unit: " s"
      }
    ],
    details: findings.map(({ model, seconds }) => `${model} touch: ${seconds.toFixed(2)} s`)
  }
}

export const attributionTarget: Target = {
  name: "S22",
  what: "seconds of a report over 1,000,000 launches and 200,000 conversions, the slower model",
  measure
}
