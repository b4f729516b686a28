import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { appOf } from "./fixture/App.ts"
import { phone, uuid, wrong } from "./fixture/Client.ts"
import * as FreshDatabase from "./fixture/FreshDatabase.ts"
import { overProcesses, variablesFor } from "./fixture/Processes.ts"
import * as ServerProcess from "./fixture/ServerProcess.ts"
import type { Service } from "./fixture/Service.ts"
import type { Answer } from "./fixture/Wire.ts"

const count = Number(process.env["FUZZ_REQUESTS"] ?? 500)
const width = 64

/** Kinds of junk bodies; each is refused for another reason. */
const junk: ReadonlyArray<() => unknown> = [
  () => "{",
  () => [],
  () => ({}),
  () => ({ phone: 5 }),
  () => ({ phone: "not a number" }),
  () => ({ phone: "+9112" }),
  () => ({ phone: phone(), channel: "fax" }),
  () => ({ phone: phone(), orderId: "" }),
  () => ({ phone: phone(), sessionId: "ver_nobody" }),
  () => ({ phone: phone(), deviceInfo: { model: "x".repeat(5000) } }),
  () => ({ phone: "+977 9812345678" })
]

describe("refused requests", () => {
  let database: FreshDatabase.FreshDatabase
  let server: ServerProcess.ServerProcess
  let service: Service
  beforeAll(async () => {
    database = await FreshDatabase.make()
    server = await ServerProcess.serve(variablesFor(database.url))
    service = overProcesses([server])
  })
  afterAll(async () => {
    await server?.kill("SIGTERM")
    await database?.drop()
  })

  /** Refusals write at most a few counters and one example per second. */
  const ofRefusals = /^(fact|refusal|stat_\w+|stat)$/

  /** The number of rows by table; partitions count with their table. */
  const rows = async () => {
    const tables = await database.query(
      "select relname from pg_class where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace and not relispartition order by 1"
    )
    assert.isAbove(tables.length, 20, "the tables are somewhere else")
    const counts = await Promise.all(
      tables.map(async ([table]) => [
        table,
        (await database.query(`select count(*)::int from "${String(table)}"`))[0]![0]
      ])
    )
    return Object.fromEntries(counts.filter(([table]) => !ofRefusals.test(String(table)))) as {
      readonly [table: string]: number
    }
  }

  const statuses = async (count: number, send: (i: number) => Promise<Answer>) => {
    const found: { [status: string]: number } = {}
    let next = 0
    const worker = async () => {
      while (next < count) {
        const { status } = await send(next++)
        found[status] = (found[status] ?? 0) + 1
      }
    }
    await Promise.all(Array.from({ length: width }, worker))
    return found
  }

  it(`leave no row, though each of ${count} has its own idempotency key`, async () => {
    const client = await service.client({ sdkInitiatesPerIpPerHour: 100_000, blockedPrefixes: ["977"] })
    const app = await appOf(client)
    const before = await rows()
    const found = await statuses(count, (i) =>
      service.send({
        path: "/v1/sdk/auth/initiate",
        body: junk[i % junk.length]!(),
        headers: { "x-public-key": app.publicKey, "idempotency-key": uuid() }
      })
    )
    assert.deepStrictEqual(Object.keys(found), ["400", "403"])
    const sessionId = "ver_00000000000000000000000000"
    const proofs = [{}, { sessionId, code: "" }, { sessionId, code: "x" }, { sessionId, code: "x", state: "y" }]
    const refused = await statuses(40, (i) => app.truecaller(proofs[i % proofs.length]!, { "idempotency-key": uuid() }))
    assert.deepStrictEqual(refused, { 400: 40 })
    assert.deepStrictEqual(await rows(), before)
  })

  it("leave no row when the address limit is reached, and a repeat still gets its answer", async () => {
    const client = await service.client({ sdkInitiatesPerIpPerHour: 3 })
    const app = await appOf(client)
    const [header, fields] = [{ "idempotency-key": uuid() }, { phone: phone() }]
    const first = await app.initiate(fields, header)
    assert.strictEqual(first.status, 200, first.text)
    for (let i = 0; i < 2; i++) assert.strictEqual((await app.initiate({}, { "idempotency-key": uuid() })).status, 200)
    const before = await rows()
    const found = await statuses(20, () => app.initiate({}, { "idempotency-key": uuid() }))
    assert.deepStrictEqual(found, { 429: 20 })
    const again = await app.initiate(fields, header)
    assert.deepStrictEqual([again.status, again.text, again.headers["idempotency-replayed"]], [200, first.text, "true"])
    assert.deepStrictEqual(await rows(), before)
  })

  it("leave no row with an app's session token, though each has its own idempotency key", async () => {
    const client = await service.client()
    const app = await appOf(client)
    const { body } = await app.initiate()
    for (let i = 0; i < 3; i++) await app.verify({ sessionId: body.sessionId, code: wrong })
    const over = await app.verify({ sessionId: body.sessionId, code: wrong }, { "idempotency-key": uuid() })
    assert.strictEqual(over.status, 400, over.text)
    const before = await rows()
    const fields = [{}, { sessionId: "ver_nobody", code: wrong }, { sessionId: body.sessionId, code: wrong }]
    const found = await statuses(60, (i) => app.verify(fields[i % fields.length]!, { "idempotency-key": uuid() }))
    assert.deepStrictEqual(found, { 400: 60 })
    assert.deepStrictEqual(await rows(), before)
  })

  it("get 429 before any other check after ten refusals per allowed initiate from one address", async () => {
    const client = await service.client({ sdkInitiatesPerIpPerHour: 2 })
    const app = await appOf(client)
    assert.deepStrictEqual(await statuses(20, () => app.initiate({ phone: "junk" })), { 400: 20 })
    const refused = await app.initiate()
    assert.strictEqual(refused.status, 429, refused.text)
    assert.match(refused.body.message, /refused requests from this address/)
    assert.isAtLeast(Number(refused.headers["retry-after"]), 3500)
    // Each environment counts separately.
    assert.strictEqual((await (await appOf(await service.client())).initiate()).status, 200)
  })

  it("get 404 for an id of 8 KB with an idempotency key", async () => {
    const { status, text } = await service.admin({
      method: "POST",
      path: `/v1/admin/merchants/${"x".repeat(8000)}/suspend`,
      headers: { "idempotency-key": uuid() }
    })
    assert.strictEqual(status, 404, text)
  })

  it("are not stored for 50 concurrent repeats of one key in one session", async () => {
    const client = await service.client({ sdkInitiatesPerIpPerHour: 5 })
    const app = await appOf(client)
    const [header, fields] = [{ "idempotency-key": uuid() }, { phone: phone() }]
    const answers = await Promise.all(Array.from({ length: 50 }, () => app.initiate(fields, header)))
    assert.deepStrictEqual(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, 1)
    assert.strictEqual(answers[0]!.status, 200)
    assert.lengthOf((await client.events({ type: "otp.initiated" })).body.items, 1)
  })
})
