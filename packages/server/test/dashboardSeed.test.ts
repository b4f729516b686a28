import type { Storage } from "@countersign/core/storage"
import { PgDatabase, PgStorage } from "@countersign/postgres"
import { Context, Effect, Layer } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import {
  type Call,
  hundredThousand,
  type Many,
  type Query,
  seedMany,
  seedOne
} from "../../dashboard/test/fixture/seed.ts"
import { inProcess, secret, type Service, token } from "./fixture/Service.ts"
import { until } from "./fixture/Until.ts"

/** A small seed that still covers what the service reads. */
const times = 0.002
const many = Object.fromEntries(
  Object.entries(hundredThousand).map(([name, count]) => [name, Math.ceil(count * times)])
) as unknown as Many

let service: Service
let query: Query

beforeAll(async () => {
  const opened = PgStorage.layerEmbedded().pipe(
    Layer.tap((context) =>
      Effect.sync(() => {
        const database = Context.get(context, PgDatabase)
        query = (sql) => Effect.runPromise(database.query(sql, []))
      })
    )
  )
  service = await inProcess({
    mode: "embedded",
    storage: opened as unknown as Layer.Layer<Storage>,
    channels: [],
    adminToken: token(),
    secret: secret(),
    log: () => {}
  })
})
afterAll(() => service.close())

describe("the seed data of the dashboard tests", () => {
  it("is readable by the service like data that it wrote itself", async () => {
    const { test } = await service.withOwner()
    const call: Call = async (method, path, body) => {
      const answer = await (path.endsWith("/settings")
        ? test.settings(body as { readonly [name: string]: unknown })
        : method === "GET"
          ? test.get(path)
          : test.send({ method, path, body }))
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`)
      return answer.body
    }
    const { leadId } = await seedOne(call)
    const [[environment]] = (await query(
      "select environment from verification order by id desc limit 1"
    )) as unknown as [[string]]
    // Refusals are stored a second later.
    await until(
      () => query("select 1 from refusal"),
      (rows) => rows.length > 0,
      { what: "a refusal" }
    )
    await seedMany(query, environment, many)
    const { items } = await call("GET", "/v1/dashboard/verifications?limit=50")
    assert.strictEqual(items.length, 50)
    for (const { deliveries, orderId } of items) assert.isTrue(orderId.startsWith("order-") && deliveries.length === 1)
    assert.isNotEmpty((await call("GET", "/v1/dashboard/verifications?country=FR")).items)
    assert.isNotEmpty((await call("GET", `/v1/dashboard/verifications/${items[0].requestId}/timeline`)).items)
    assert.isAtLeast((await call("GET", "/v1/whatsapp/leads?size=40")).length, 40)
    assert.isNotEmpty((await call("GET", `/v1/dashboard/leads/${leadId}/messages`)).items)
    const [sum] = (await call("GET", "/v1/dashboard/stats/funnel")).items
    assert.isAtLeast(sum.asked, many.verifications * 0.9)
    const ledger = (await call("GET", "/v1/dashboard/ledger?limit=2")).items
    assert.strictEqual(ledger[0].balance, (await call("GET", "/v1/dashboard/balance")).balance)
    for (const list of ["audit", "refusals", "events"]) {
      assert.isAbove((await call("GET", `/v1/dashboard/${list}?limit=10`)).items.length, 1, list)
    }
  })
})
