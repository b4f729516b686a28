import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { Client, code, refused } from "./fixture/Client.ts"
import * as FreshDatabase from "./fixture/FreshDatabase.ts"
import { overProcesses, variablesFor } from "./fixture/Processes.ts"
import { run, serve, type ServerProcess, type Variables } from "./fixture/ServerProcess.ts"
import { secret } from "./fixture/Service.ts"
import { until } from "./fixture/Until.ts"

const shown = (text: string) => {
  const [, clientId = ""] = /X-Client-Id +(\S+)/.exec(text) ?? []
  const [, clientSecret = ""] = /X-Client-Secret +(\S+)/.exec(text) ?? []
  const [, publicKey = ""] = /X-Public-Key +(\S+)/.exec(text) ?? []
  return { clientId, clientSecret, publicKey }
}

describe("the operator's commands", () => {
  let database: FreshDatabase.FreshDatabase
  let variables: Variables
  let server: ServerProcess | undefined
  const command = async (...args: ReadonlyArray<string>) => {
    const ended = await run(args, variables)
    assert.strictEqual(ended.code, 0, ended.stderr)
    assert.strictEqual(ended.stderr, "")
    return ended.stdout
  }
  const running = async () => overProcesses([(server ??= await serve(variables))])
  beforeAll(async () => {
    database = await FreshDatabase.make()
    variables = variablesFor(database.url)
  }, 30_000)
  afterAll(async () => {
    await server?.kill("SIGTERM")
    await database?.drop()
  })

  it("migrate brings the tables up to date, once, however many run", async () => {
    const first = await Promise.all([command("migrate"), command("migrate"), command("migrate")])
    assert.strictEqual(first.filter((text) => text.startsWith("Migrated: ")).length, 1, first.join())
    assert.strictEqual(await command("migrate"), "The tables are up to date\n")
  }, 30_000)

  it("keys secret makes secrets that the service takes", async () => {
    const [one = "", two] = (await Promise.all([command("keys", "secret"), command("keys", "secret")])).map((text) =>
      text.trim()
    )
    assert.match(one, /^[A-Za-z0-9_-]{43}$/)
    assert.notStrictEqual(one, two)
    const other = await serve({ ...variables, COUNTERSIGN_SECRET: one })
    await other.kill("SIGTERM")
  }, 30_000)

  it("merchant makes, lists, suspends and resumes", async () => {
    const service = await running()
    const text = await command("merchant", "create", "Acme & Co")
    const [live = "", test = ""] = text.split(/^test$/m)
    const [id = ""] = /^mer_\S+/.exec(text) ?? []
    const clients = [new Client(service, shown(live)), new Client(service, shown(test))]
    for (const client of clients)
      assert.strictEqual((await client.get("/v1/dashboard/settings")).body.brand, "Acme & Co")
    const listed = await command("merchant", "list")
    assert.include(listed, `${id}  ACTIVE     Acme & Co\n`)
    for (const { keys } of clients) assert.notInclude(listed, keys.clientSecret)

    assert.strictEqual(await command("merchant", "suspend", id), `${id}  SUSPENDED\n`)
    const settings = () => clients[1]!.get("/v1/dashboard/settings")
    refused(
      await until(settings, ({ status }) => status === 401, { what: "the suspension", within: 5000 }),
      "CLIENT_INACTIVE"
    )
    assert.include(await command("merchant", "list"), `${id}  SUSPENDED  Acme & Co\n`)
    assert.strictEqual(await command("merchant", "resume", id), `${id}  ACTIVE\n`)
    await until(settings, ({ status }) => status === 200, { what: "the resumption", within: 5000 })
  }, 30_000)

  it("keys create and list add to an environment's keys", async () => {
    const service = await running()
    const merchant = await service.merchant()
    const requestId = await merchant.test.started()
    for (const [environment, first] of [
      ["test", merchant.test],
      ["live", merchant.live]
    ] as const) {
      const made = new Client(
        service,
        shown(await command("keys", "create", "--environment", environment, merchant.id))
      )
      assert.match(made.keys.clientId, new RegExp(`^cs_${environment}_`))
      for (const client of [made, first]) assert.strictEqual((await client.get("/v1/dashboard/settings")).status, 200)
      const listed = await command("keys", "list", merchant.id)
      for (const { keys } of [made, first]) {
        assert.match(listed, new RegExp(`^${environment} +SERVER +${keys.clientId}$`, "m"))
        assert.match(listed, new RegExp(`^${environment} +PUBLIC +${keys.publicKey}$`, "m"))
        assert.notInclude(listed, keys.clientSecret)
      }
      const found = await made.status({ requestId })
      if (environment === "live") refused(found, "TRANSACTION_NOT_FOUND")
      else assert.strictEqual((await made.verify({ requestId, otp: code })).body.verified, true)
    }
  }, 30_000)

  it("tell of a merchant that does not exist", async () => {
    const id = "mer_00000000000000000000000000"
    const commands = [
      ["merchant", "suspend", id],
      ["keys", "list", id],
      ["keys", "create", "--environment", "live", id]
    ]
    const ends = await Promise.all(commands.map((args) => run(args, variables)))
    for (const { code, stderr, stdout } of ends) {
      assert.strictEqual(code, 1)
      assert.strictEqual(stderr, `There is no merchant ${id}\n`)
      assert.strictEqual(stdout, "")
    }
  }, 30_000)
})

describe("the first merchant", () => {
  it("has the keys that the operator chose, made once however many processes start", async () => {
    const database = await FreshDatabase.make()
    const live = { clientId: "cs_live_chosen", clientSecret: secret(), publicKey: "pk_live_chosen" }
    const test = { clientId: "cs_test_chosen", clientSecret: secret(), publicKey: "pk_test_chosen" }
    const variables = {
      ...variablesFor(database.url),
      COUNTERSIGN_CLIENT_ID: live.clientId,
      COUNTERSIGN_CLIENT_SECRET: live.clientSecret,
      COUNTERSIGN_PUBLIC_KEY: live.publicKey,
      COUNTERSIGN_TEST_CLIENT_ID: test.clientId,
      COUNTERSIGN_TEST_CLIENT_SECRET: test.clientSecret,
      COUNTERSIGN_TEST_PUBLIC_KEY: test.publicKey
    }
    const servers = await Promise.all([serve(variables), serve(variables), serve(variables)])
    const service = overProcesses(servers)
    const { body } = await service.admin({ path: "/v1/admin/merchants" })
    assert.strictEqual(body.items.length, 1)
    for (const keys of [live, test]) {
      const client = new Client(service, keys)
      for (let i = 0; i < 3; i++) assert.strictEqual((await client.get("/v1/dashboard/settings")).status, 200)
    }
    await new Client(service, test).verified()
    for (const { output } of servers) assert.notInclude(output(), "_chosen")
    await Promise.all(servers.map((server) => server.kill("SIGTERM")))
    await database.drop()
  }, 30_000)
})
