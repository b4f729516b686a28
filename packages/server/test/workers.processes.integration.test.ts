import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { Client } from "./fixture/Client.ts"
import * as FreshDatabase from "./fixture/FreshDatabase.ts"
import * as Load from "./fixture/Load.ts"
import { acknowledged, overProcesses, variablesFor } from "./fixture/Processes.ts"
import * as ServerProcess from "./fixture/ServerProcess.ts"
import { until } from "./fixture/Until.ts"
import * as Wire from "./fixture/Wire.ts"

describe("a group of two workers", () => {
  let database: FreshDatabase.FreshDatabase
  let directory: string
  let secretFile: string
  let server: ServerProcess.ServerProcess
  let client: Client

  beforeAll(async () => {
    database = await FreshDatabase.make()
    directory = await mkdtemp(join(tmpdir(), "countersign-workers-"))
    secretFile = join(directory, "secret")
    const { COUNTERSIGN_SECRET, ...variables } = variablesFor(database.url)
    await writeFile(secretFile, COUNTERSIGN_SECRET)
    server = await ServerProcess.serve({ ...variables, COUNTERSIGN_SECRET_FILE: secretFile, WORKERS: "2" })
    client = await overProcesses([server]).client()
  })
  afterAll(async () => {
    await server?.kill("SIGKILL")
    await database?.drop()
    await rm(directory, { recursive: true, force: true })
  })

  const workers = async (): Promise<ReadonlyArray<number>> =>
    (await readFile(`/proc/${server.pid}/task/${server.pid}/children`, "utf8")).trim().split(" ").map(Number)

  const said = (text: string) => server.output().split(text).length - 1

  const replaced = (times: number) =>
    until(
      async () => said("Replaced all workers"),
      (found) => found === times,
      { what: "the end of the replacement" }
    )

  /** Sends requests over a new connection each time, and records the answers. */
  const newConnections = () => {
    let running = true
    const done = (async () => {
      let answered = 0
      while (running) {
        const { status } = await Wire.send(server.url, { path: "/readyz", headers: { connection: "close" } })
        assert.strictEqual(status, 200)
        answered++
        await sleep(20)
      }
      return answered
    })()
    return () => {
      running = false
      return done
    }
  }

  it("prints its address once", () => {
    assert.strictEqual(said("Countersign is listening on"), 1)
    assert.strictEqual(said("Countersign is ready"), 1)
  })

  it("is replaced by SIGHUP without a failed request, over existing and new connections", async () => {
    const before = await workers()
    const load = Load.start(client, () => [server.url], 8, 100)
    const stopAsking = newConnections()
    await acknowledged(load, 50)
    process.kill(server.pid, "SIGHUP")
    await replaced(1)
    await acknowledged(load, 50)
    const ledger = await load.stop()
    assert.isAbove(await stopAsking(), 0)
    assert.deepStrictEqual(ledger.unexpected, [])
    assert.deepStrictEqual(ledger.refusals, [])
    assert.strictEqual(ledger.unknown, 0)
    assert.deepStrictEqual(await Load.lost(client, ledger), [])
    const after = await workers()
    assert.strictEqual(after.length, 2)
    assert.deepStrictEqual(
      after.filter((pid) => before.includes(pid)),
      []
    )
  })

  it("keeps its running workers when a replacement cannot start", async () => {
    const good = await readFile(secretFile, "utf8")
    const before = await workers()
    await writeFile(secretFile, "no secret")
    // Sent to a worker, which forwards it to its parent.
    process.kill(before[0]!, "SIGHUP")
    await until(
      async () => said("the previous workers continue"),
      (found) => found === 1,
      { what: "the failure of the successor" }
    )
    assert.match(server.output(), /^COUNTERSIGN_SECRET/m)
    assert.deepStrictEqual(await workers(), before)
    assert.strictEqual((await client.initiate()).status, 200)
    await writeFile(secretFile, good)
  })

  it("answers with the metrics of both workers from either one", async () => {
    for (let i = 0; i < 4; i++) {
      const { text } = await Wire.send(server.url, { path: "/metrics", headers: { connection: "close" } })
      for (const worker of ["1", "2"]) assert.match(text, new RegExp(`^countersign_\\w+\\{worker="${worker}"`, "m"))
      const helps = text.match(/^# HELP \S+/gm) ?? []
      assert.strictEqual(new Set(helps).size, helps.length)
    }
  })

  it("loses nothing that was acknowledged when a worker is killed, and restarts it", async () => {
    const [one = 0, other = 0] = await workers()
    const load = Load.start(client, () => [server.url], 8, 100)
    await acknowledged(load, 50)
    process.kill(one, "SIGKILL")
    await until(workers, (pids) => pids.length === 2 && !pids.includes(one) && pids.includes(other), {
      what: "another worker"
    })
    await acknowledged(load, 50)
    const ledger = await load.stop()
    assert.deepStrictEqual(ledger.unexpected, [])
    assert.deepStrictEqual(await Load.lost(client, ledger), [])
    assert.strictEqual(said("ended with SIGKILL: restarting in 0.5 s"), 1)
  })

  it("exits with 0 after two replacement requests and a stop request", async () => {
    const all = await workers()
    process.kill(server.pid, "SIGHUP")
    process.kill(server.pid, "SIGHUP")
    const { code } = await server.kill("SIGTERM")
    assert.strictEqual(code, 0)
    for (const pid of all) assert.throws(() => process.kill(pid, 0))
  })
})

describe("a group of one worker on an embedded database", () => {
  it("keeps the running worker when the reloaded configuration is invalid", async () => {
    const directory = await mkdtemp(join(tmpdir(), "countersign-worker-"))
    const tokenFile = join(directory, "token")
    await writeFile(tokenFile, "a-token-of-the-operator")
    const server = await ServerProcess.serve({
      COUNTERSIGN_ADMIN_TOKEN_FILE: tokenFile,
      COUNTERSIGN_DATA_DIR: join(directory, "data"),
      WORKERS: "1"
    })
    const worker = () => readFile(`/proc/${server.pid}/task/${server.pid}/children`, "utf8")
    const before = await worker()
    await writeFile(tokenFile, "")
    const { stdout } = await ServerProcess.run(["reload", "--pid", before.trim()], {}, directory)
    assert.include(stdout, `Process ${server.pid} is replacing its workers`)
    await until(
      async () => /^COUNTERSIGN_ADMIN_TOKEN_FILE: the file is empty/m.test(server.output()),
      (said) => said,
      { what: "the reason" }
    )
    assert.strictEqual(await worker(), before)
    assert.strictEqual((await Wire.send(server.url, { path: "/readyz" })).status, 200)
    await server.kill("SIGKILL")
    await rm(directory, { recursive: true, force: true })
  })
})
