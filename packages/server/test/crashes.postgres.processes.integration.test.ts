import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { refused } from "./fixture/Client.ts"
import * as Load from "./fixture/Load.ts"
import * as OwnPostgres from "./fixture/OwnPostgres.ts"
import { acknowledged, overProcesses, variablesFor } from "./fixture/Processes.ts"
import * as ServerProcess from "./fixture/ServerProcess.ts"
import { until } from "./fixture/Until.ts"

describe("a crash of Postgres under load", () => {
  let postgres: OwnPostgres.OwnPostgres
  let server: ServerProcess.ServerProcess
  beforeAll(async () => {
    postgres = await OwnPostgres.make()
    server = await ServerProcess.serve(variablesFor(postgres.url))
  })
  afterAll(async () => {
    await server?.kill("SIGTERM")
    await postgres?.close()
  })

  it("causes refusals, then recovery within seconds, and loses nothing that was acknowledged", async () => {
    const service = overProcesses([server])
    const client = await service.client()
    const load = Load.start(client, () => service.urls, 32)
    const recoveries: Array<number> = []
    for (let crash = 0; crash < 2; crash++) {
      await acknowledged(load, 200)
      await postgres.crash()
      await until(
        () => service.send({ path: "/readyz" }),
        ({ status }) => status === 503,
        { what: "unreadiness" }
      )
      assert.strictEqual((await service.send({ path: "/healthz" })).status, 200)
      for (const answer of [
        await client.initiate(),
        await client.status({ requestId: "ver_00000000000000000000000000" })
      ]) {
        refused(answer, "INTERNAL_ERROR")
        assert.strictEqual(answer.status, 500)
        assert.match(String(answer.headers["retry-after"]), /^[1-9][0-9]*$/)
      }
      await postgres.start()
      const back = performance.now()
      await until(
        () => client.initiate(),
        ({ status }) => status === 200,
        { what: "recovery" }
      )
      recoveries.push(Math.round(performance.now() - back))
      await until(
        () => service.send({ path: "/readyz" }),
        ({ status }) => status === 200,
        { what: "readiness" }
      )
    }
    await acknowledged(load, 200)
    const ledger = await load.stop()
    const healed = performance.now()
    assert.deepStrictEqual(ledger.unexpected, [])
    assert.strictEqual(ledger.unknown, 0)
    for (const { headers } of ledger.refusals) assert.match(String(headers["retry-after"]), /^[1-9][0-9]*$/)
    assert.deepStrictEqual(await Load.lost(client, ledger), [])
    let pending: ReadonlyArray<string> = [...ledger.requestIds.keys()]
    await until(
      async () => (pending = await Load.undelivered(client, pending)),
      ({ length }) => length === 0,
      { what: "the sends that the crashes interrupted" }
    )
    console.log(
      `Postgres crashed ${recoveries.length} times: ${ledger.requestIds.size} acknowledged, 0 lost, ${ledger.refusals.length} refused; ` +
        `works again after ${recoveries.join(", ")} ms; every send done ${Math.round(performance.now() - healed)} ms after the last`
    )
  })
})
