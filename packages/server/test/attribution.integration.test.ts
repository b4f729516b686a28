import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { appOf } from "./fixture/App.ts"
import { type Client, code, uuid } from "./fixture/Client.ts"
import * as FreshDatabase from "./fixture/FreshDatabase.ts"
import { overProcesses, variablesFor } from "./fixture/Processes.ts"
import * as ServerProcess from "./fixture/ServerProcess.ts"
import type { Service } from "./fixture/Service.ts"
import { until } from "./fixture/Until.ts"

/** Texts that could identify a person again. */
const said = {
  utm: { source: "srcmark", medium: "medmark", campaign: "cammark", term: "termark", content: "conmark" },
  clickId: "clkmark",
  installReferrer: "utm_source=refmark",
  fingerprint: "fngmark",
  platform: "pltmark"
}
const marks = ["srcmark", "medmark", "cammark", "termark", "conmark", "clkmark", "refmark", "fngmark", "pltmark"]

describe("two processes on one Postgres", () => {
  let database: FreshDatabase.FreshDatabase
  let servers: ReadonlyArray<ServerProcess.ServerProcess> = []
  let service: Service
  beforeAll(async () => {
    database = await FreshDatabase.make()
    const variables = variablesFor(database.url)
    servers = await Promise.all([ServerProcess.serve(variables), ServerProcess.serve(variables)])
    service = overProcesses(servers)
  })
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.kill("SIGTERM")))
    await database?.drop()
  })

  /** Every row of every table as text, except due jobs and processes, which change by themselves. */
  const dump = async () => {
    const tables = await database.query(
      `select relname from pg_class where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace
        and not relispartition and relname not in ('job', 'process', 'fact') order by 1`
    )
    const rows = await Promise.all(
      tables.map(async ([table]) =>
        (await database.query(`select t::text from "${String(table)}" t`)).map(
          ([row]) => `${String(table)}: ${String(row)}`
        )
      )
    )
    return rows.flat().sort()
  }

  const tell = (client: Client, path: string, body: unknown, headers = {}) =>
    service.send({
      path: `/v1/sdk/attribution/${path}`,
      body,
      headers: { "x-public-key": client.keys.publicKey, ...headers }
    })
  const withdraw = (client: Client, { launchId, launchToken }: any) =>
    service.send({
      method: "DELETE",
      path: `/v1/sdk/attribution/launch/${launchId}`,
      headers: { "x-public-key": client.keys.publicKey, authorization: `Bearer ${launchToken}` }
    })
  const report = async (client: Client) => (await client.get("/v1/dashboard/attribution")).body.items

  it("store no row of a launch without consent, even with an idempotency key per request", async () => {
    const client = await service.client()
    await report(client)
    const before = await dump()
    for (const consent of [false, null, undefined, "true", 1]) {
      for (let i = 0; i < 10; i++) {
        const { body, status } = await tell(client, "launch", { ...said, consent }, { "idempotency-key": uuid() })
        assert.strictEqual(status, typeof consent === "boolean" || consent == null ? 200 : 400)
        if (status === 200) assert.deepStrictEqual(body, { recorded: false, launchId: null, launchToken: null })
      }
    }
    const after = await dump()
    assert.deepStrictEqual(after, before)
    for (const mark of marks) assert.notInclude(after.join("\n"), mark)
    for (const { output } of servers) for (const mark of marks) assert.notInclude(output(), mark)
  })

  it("store no fingerprint and no token, and a withdrawal deletes everything that the launch reported", async () => {
    const client = await service.client()
    const app = await appOf(client)
    const launch = async (more: object) => (await tell(client, "launch", { ...said, ...more, consent: true })).body
    const [first, second] = [await launch({}), await launch({ clickId: "clkother" })]
    const { sessionId } = (await app.initiate({ launchId: first.launchId })).body
    assert.isTrue((await app.verify({ sessionId, code })).body.verified)
    await tell(client, "conversion", { event: "evtmark", launchId: first.launchId, properties: { note: "prpmark" } })
    await tell(client, "conversion", { event: "evtmark", requestId: sessionId })
    await until(
      () => report(client),
      (rows) => rows.some((row: any) => row.verifications === 1),
      { what: "the verification in the report" }
    )
    const full = (await dump()).join("\n")
    for (const mark of [...marks.filter((mark) => mark !== "fngmark"), "evtmark", "prpmark"]) assert.include(full, mark)
    for (const secret of ["fngmark", first.launchToken, second.launchToken]) assert.notInclude(full, secret)
    for (const each of [first, second, first]) assert.strictEqual((await withdraw(client, each)).status, 204)
    const left = await dump()
    for (const mark of [...marks, "evtmark", "prpmark", "clkother"]) assert.notInclude(left.join("\n"), mark)
    for (const table of ["launch", "touch", "trail"]) {
      assert.deepStrictEqual(
        left.filter((row) => row.startsWith(`${table}: `)),
        []
      )
    }
    // The verification keeps the id of the deleted launch.
    assert.sameMembers(
      left.filter((row) => row.includes(first.launchId)).map((row) => row.split(":")[0]),
      ["verification"]
    )
    assert.deepStrictEqual(await report(client), [])
  })

  it("delete every trace of a launch that is withdrawn while its conversions and new launches arrive", async () => {
    for (let round = 0; round < 5; round++) {
      const client = await service.client()
      const launch = (source: string) => tell(client, "launch", { consent: true, fingerprint: "same", utm: { source } })
      const { body: gone } = await launch("gone")
      const answers = await Promise.all(
        Array.from({ length: 30 }, (_, i) =>
          i === 15
            ? withdraw(client, gone)
            : i % 3 === 0
              ? launch("later")
              : tell(client, "conversion", { event: "paid", launchId: gone.launchId })
        )
      )
      for (const { status, text } of answers) assert.include([200, 204], status, text)
      const environment = `environment = (select environment from launch where source = 'later' order by id desc limit 1)`
      const [[launches, touches, named]] = (await database.query(
        `select (select count(*)::int from launch where ${environment}),
          (select count(*)::int from touch where ${environment}),
          (select count(*)::int from touch where launch_id = '${gone.launchId}')`
      )) as any
      assert.deepStrictEqual([launches, named], [9, 0])
      assert.isAtMost(touches, 20)
      // The earliest remaining launch is the visitor's first.
      const [[first, earliest]] = (await database.query(
        `select (select first_id from trail where ${environment}),
          (select id from launch where ${environment} order by at, id limit 1)`
      )) as any
      assert.strictEqual(first, earliest)
    }
  })
})
