import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { Client, code, phone } from "./fixture/Client.ts"
import * as FreshDatabase from "./fixture/FreshDatabase.ts"
import * as Load from "./fixture/Load.ts"
import { acknowledged, overProcesses, variablesFor } from "./fixture/Processes.ts"
import * as ServerProcess from "./fixture/ServerProcess.ts"
import { until } from "./fixture/Until.ts"
import * as Wire from "./fixture/Wire.ts"

describe("processes that stop under load", () => {
  let database: FreshDatabase.FreshDatabase
  let variables: ReturnType<typeof variablesFor>
  const running: Array<ServerProcess.ServerProcess> = []
  const serve = async () => {
    const server = await ServerProcess.serve(variables)
    running.push(server)
    return server
  }
  beforeAll(async () => {
    database = await FreshDatabase.make()
    variables = variablesFor(database.url)
  })
  afterAll(async () => {
    await Promise.all(running.map((server) => server.kill("SIGTERM")))
    await database?.drop()
  })

  const survivors = async (client: Client, ledger: Load.Ledger, what: string) => {
    assert.deepStrictEqual(ledger.unexpected, [])
    assert.deepStrictEqual(ledger.refusals, [])
    assert.deepStrictEqual(await Load.lost(client, ledger), [])
    const since = performance.now()
    let pending = await Load.undelivered(client, ledger.requestIds.keys())
    const left = pending.length
    await until(
      async () => (pending = await Load.undelivered(client, pending)),
      ({ length }) => length === 0,
      { what: "the sends left behind" }
    )
    console.log(
      `${what}: ${ledger.requestIds.size} acknowledged, 0 lost, ${ledger.unknown} unanswered; ` +
        `${left} sends left behind, all picked up after ${Math.round(performance.now() - since)} ms`
    )
  }

  it("by kill -9 lose nothing, and another process sends what they left", async () => {
    const [one, other] = [await serve(), await serve()]
    const client = await overProcesses([one, other]).client()
    let urls = [one.url, other.url]
    const load = Load.start(client, () => urls, 50)
    await acknowledged(load, 150)
    const ended = one.kill("SIGKILL")
    urls = [other.url]
    assert.strictEqual((await ended).signal, "SIGKILL")
    await acknowledged(load, 75)
    const ledger = await load.stop()
    const survivor = await overProcesses([other]).client()
    await survivors(new Client(overProcesses([other]), client.keys), ledger, "kill -9")
    assert.strictEqual((await survivor.initiate()).status, 200)
    await other.kill("SIGTERM")
  })

  it("by SIGTERM answer the requests they have started to read, exit with 0 and leave the rest to others", async () => {
    const [one, other] = [await serve(), await serve()]
    const both = overProcesses([one, other])
    const client = await both.client()
    let urls = [one.url, other.url]
    const load = Load.start(client, () => urls, 50)
    await acknowledged(load, 150)
    const bodies = Array.from({ length: 50 }, () => ({ identity: phone(), identityType: "MOBILE", mode: "OTP" }))
    const held = await Promise.all(
      bodies.map((body) => Wire.hold(one.url, client.call({ path: "/v1/auth/initiate", body })))
    )
    // The server has read these headers once it answers a request that was sent after them.
    await Wire.send(one.url, client.call({ path: "/v1/dashboard/settings" }))
    urls = [other.url]
    const begun = performance.now()
    const ended = one.kill("SIGTERM")
    await sleep(200)
    const answers = await Promise.all(held.map(({ release }) => release()))
    for (const { body, status, text } of answers) {
      assert.strictEqual(status, 200, text)
      load.ledger.requestIds.set(body.requestId, { verified: false })
    }
    const { code: exitCode, signal } = await ended
    const took = Math.round(performance.now() - begun)
    assert.deepStrictEqual({ exitCode, signal }, { exitCode: 0, signal: null })
    await acknowledged(load, 50)
    const ledger = await load.stop()
    await survivors(new Client(overProcesses([other]), client.keys), ledger, `SIGTERM, exit after ${took} ms`)
    await other.kill("SIGTERM")
  })

  it("by SIGTERM do not wait for clients that never finish a request", async () => {
    const server = await serve()
    const client = await overProcesses([server]).client()
    await client.initiate()
    const body = { identity: phone(), identityType: "MOBILE", mode: "OTP" }
    const held = await Wire.hold(server.url, client.call({ path: "/v1/auth/initiate", body }))
    assert.isFunction(held.release)
    const begun = performance.now()
    const { code: exitCode } = await server.kill("SIGTERM")
    assert.strictEqual(exitCode, 0)
    // The server drops them after 4 seconds. If it waited for them, it would take the 30 seconds that a request may
    // take.
    assert.isBelow(performance.now() - begun, 25_000)
  })

  it("can be stopped and restarted during a login", async () => {
    const first = await serve()
    const merchant = await overProcesses([first]).merchant()
    const requestId = await merchant.test.started({ orderId: "over a restart" })
    assert.strictEqual((await first.kill("SIGTERM")).code, 0)
    const second = await serve()
    const { body } = await Wire.send(
      second.url,
      merchant.test.call({ path: "/v1/auth/verify", body: { requestId, otp: code } })
    )
    assert.strictEqual(body.verified, true)
    await second.kill("SIGTERM")
  })
})
