import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { Client, type Keys, phone } from "./fixture/Client.ts"
import { overProcesses } from "./fixture/Processes.ts"
import { run, serve, type ServerProcess } from "./fixture/ServerProcess.ts"
import * as Wire from "./fixture/Wire.ts"

/** The steps of a new user: start in an empty directory, and paste the printed command. */
describe("the embedded start", () => {
  let directory: string
  /** The credentials that the first start printed. */
  let login: { readonly keys: Keys; readonly requestId: string } | undefined
  /** The most recent start. */
  let server: ServerProcess | undefined
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "countersign-newcomer-"))
  })
  afterAll(() => rm(directory, { recursive: true, force: true }))

  it("prints keys once, keeps all data after kill -9, and admits one process at a time", async () => {
    const first = await serve({}, directory)
    const banner = first.output()
    const ids = [...banner.matchAll(/X-Client-Id +(cs_\w+)/g)].map(([, id]) => id!)
    const secrets = [...banner.matchAll(/X-Client-Secret +(sk_\w+)/g)].map(([, one]) => one!)
    assert.strictEqual(ids.length, 2)
    assert.match(ids[0]!, /^cs_live_/)
    const keys = { clientId: ids[0]!, clientSecret: secrets[0]!, publicKey: "" }
    const client = new Client(overProcesses([first]), keys)
    const identity = phone()
    const requestId = await client.started({ identity, orderId: "first-login" })
    await client.settled(requestId)

    const outbox = await Wire.send(first.url, { path: "/dev/outbox" })
    const [message] = outbox.body.items
    assert.strictEqual(message.to, identity)
    assert.match(message.code, /^[0-9]{6}$/)
    assert.include(message.text, message.code)
    assert.include(first.output(), message.text)

    const second = await run(["serve"], { HOST: "127.0.0.1", PORT: "0" }, directory)
    assert.strictEqual(second.code, 1)
    assert.match(second.stderr, /^COUNTERSIGN_DATA_DIR: .*in use by process \d+.*\n$/)
    assert.notInclude(second.stdout + second.stderr, secrets[0]!)
    assert.strictEqual((await client.status({ requestId })).body.authStatus, "PENDING")

    await first.kill("SIGKILL")
    const third = await serve({}, directory)
    assert.notInclude(third.output(), "sk_")
    const again = new Client(overProcesses([third]), keys)
    assert.strictEqual((await again.verify({ orderId: "first-login", otp: message.code })).body.verified, true)
    assert.deepInclude((await again.status({ requestId })).body, { authStatus: "VERIFIED", identity })
    assert.strictEqual((await third.kill("SIGINT")).code, 0)

    const kept = join(directory, ".countersign")
    assert.strictEqual((await stat(kept)).mode & 0o077, 0)
    assert.strictEqual((await stat(join(kept, "secret"))).mode & 0o777, 0o600)
    assert.deepStrictEqual((await readdir(kept)).sort(), ["data", "lock.2", "secret"])
    login = { keys, requestId }
  })

  it("refuses to start after a lost secret, and works again with all data when it is restored", async () => {
    const secret = join(directory, ".countersign", "secret")
    const kept = await readFile(secret, "utf8")
    for (const lose of [() => rm(secret), () => writeFile(secret, "")]) {
      await lose()
      const { code, stderr, stdout } = await run(["serve"], { PORT: "0" }, directory)
      assert.deepStrictEqual([code, stdout], [1, ""])
      assert.match(
        stderr,
        /^COUNTERSIGN_DATA_DIR: .*secret (is missing|does not contain a secret), but the existing data needs it.*\n$/
      )
      for (const way of ["backup", "COUNTERSIGN_SECRET", "remove"]) assert.include(stderr, way)
    }
    // An operator's command needs no secret, and creates none.
    await rm(secret, { force: true })
    assert.match((await run(["merchant", "list"], {}, directory)).stdout, /^mer_\w+ +ACTIVE/)
    await writeFile(secret, `${"0a".repeat(32)}\n`)
    const other = await run(["serve"], { PORT: "0" }, directory)
    assert.match(other.stderr, /^COUNTERSIGN_DATA_DIR: .*secret is not the secret that the data in .countersign was/)
    await writeFile(secret, kept)
    server = await serve({}, directory)
    const { keys, requestId } = login!
    const { body } = await new Client(overProcesses([server]), keys).status({ requestId })
    assert.strictEqual(body.authStatus, "VERIFIED")
  })

  it("has no /v1/admin without an admin token, and stops on request", async () => {
    server ??= await serve({}, directory)
    for (const call of [
      { path: "/v1/admin/merchants" },
      { path: "/v1/admin/merchants", body: { name: "x" } },
      { path: "/v1/admin/merchants/x" }
    ]) {
      for (const authorization of [undefined, "Bearer ", "Bearer undefined", "Bearer null"]) {
        const headers = authorization === undefined ? {} : { authorization }
        const { body, status } = await Wire.send(server.url, { ...call, headers })
        assert.deepInclude(body, { errorCode: "NOT_FOUND" })
        assert.strictEqual(status, 404)
      }
    }
    assert.strictEqual((await server.kill("SIGTERM")).code, 0)
  })
})
