import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { Client, code, refused } from "./fixture/Client.ts"
import { Dashboard, tokenIn } from "./fixture/Dashboard.ts"
import { runHere } from "./fixture/Command.ts"
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
  const succeeds =
    (start: typeof run | typeof runHere) =>
    async (...args: ReadonlyArray<string>) => {
      const ended = await start(args, variables)
      assert.strictEqual(ended.code, 0, ended.stderr)
      assert.strictEqual(ended.stderr, "")
      return ended.stdout
    }
  const command = succeeds(runHere)
  const process = succeeds(run)
  const running = async () => overProcesses([(server ??= await serve(variables))])
  beforeAll(async () => {
    database = await FreshDatabase.make({ empty: true })
    variables = { ...variablesFor(database.url), COUNTERSIGN_SECRET: (await run(["keys", "secret"])).stdout.trim() }
  })
  afterAll(async () => {
    await server?.kill("SIGTERM")
    await database?.drop()
  })

  it("migrate updates the tables once, however many instances run it", async () => {
    const first = await Promise.all([process("migrate"), process("migrate"), command("migrate")])
    assert.strictEqual(first.filter((text) => text.startsWith("Migrated: ")).length, 1, first.join())
    assert.strictEqual(await command("migrate"), "The tables are already up to date\n")
  })

  it("keys secret creates a secret that the service accepts", async () => {
    const secrets = [variables["COUNTERSIGN_SECRET"] ?? "", (await command("keys", "secret")).trim()]
    for (const secret of secrets) assert.match(secret, /^[A-Za-z0-9_-]{43}$/)
    assert.notStrictEqual(secrets[0], secrets[1])
    assert.strictEqual((await (await running()).send({ path: "/readyz" })).status, 200)
  })

  it("merchant creates, lists, suspends and resumes merchants", async () => {
    const service = await running()
    const text = await process("merchant", "create", "Acme & Co")
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
    refused(await until(settings, ({ status }) => status === 401, { what: "the suspension" }), "CLIENT_INACTIVE")
    assert.include(await command("merchant", "list"), `${id}  SUSPENDED  Acme & Co\n`)
    assert.strictEqual(await command("merchant", "resume", id), `${id}  ACTIVE\n`)
    assert.strictEqual(await command("merchant", "rename", id, "Acme Ltd"), `${id}  Acme Ltd\n`)
    assert.strictEqual(await command("merchant", "usage", id), "No usage in this period\n")
    const details = await command("merchant", "show", id)
    assert.match(details, new RegExp(`^${id}  ACTIVE     Acme Ltd\n`))
    assert.match(details, /\nlive {2}SERVER {2}cs_live_\w+\n/)
    await until(settings, ({ status }) => status === 200, { what: "the resumption" })
  })

  it("merchant prices, top-up, credit and correct change the billing of a merchant, and balance shows it", async () => {
    const { id } = await (await running()).merchant()
    const prices = '{"SMS":{"default":20,"prefixes":{"977":90}}}'
    assert.strictEqual(await command("merchant", "prices", id), "live  OFF      {}\n")
    assert.strictEqual(
      await command("merchant", "prices", "--billing", "PREPAID", id, prices),
      `live  PREPAID  ${prices}\n`
    )
    const paid = await command("merchant", "top-up", "--reference", "invoice 1", id, "1000")
    assert.strictEqual(paid, "1  1000  balance 1000  invoice 1\n")
    assert.strictEqual(await command("merchant", "top-up", "--reference", "invoice 1", id, "1000"), paid)
    assert.strictEqual(
      await command("merchant", "correct", "--reason", "Charged twice", id, "take", "300"),
      "2  -300  balance 700  Charged twice\n"
    )
    assert.strictEqual(
      await command("merchant", "credit", id, "50"),
      "live  PREPAID  balance 700 INR  credit 50  available 750\n"
    )
    await command("merchant", "top-up", "--environment", "test", id, "5")
    assert.strictEqual(
      await command("merchant", "balance", id),
      "live  PREPAID  balance 700 INR  credit 50  available 750\ntest  OFF      balance 5 INR  credit 0  available 5\n"
    )
    const fails = async (problem: string, ...args: ReadonlyArray<string>) => {
      const { code, stderr, stdout } = await runHere(["merchant", ...args], variables)
      assert.deepStrictEqual([code, stdout], [1, ""])
      assert.include(stderr, problem)
    }
    await fails("amount: must be a whole number from 1", "top-up", id, "0")
    await fails("amount: must not exceed the balance of", "correct", "--reason", "x", id, "take", "751")
    await fails("prices: must be JSON", "prices", id, "SMS=20")
    await fails("prices.sms: is not a channel", "prices", id, '{"sms":1}')
    await fails("Merchant mer_none does not exist", "balance", "mer_none")
  })

  it("merchant invite and sign-in-link print links that sign people in", async () => {
    const service = await running()
    const { id } = await service.merchant()
    const link = async (...args: ReadonlyArray<string>) => {
      const { code, stderr, stdout } = await runHere(["merchant", ...args], variables)
      assert.strictEqual(code, 0, stderr)
      assert.match(stdout, /^\S+\/dashboard#redeem=[0-9a-z]{52}\n$/)
      assert.match(stderr, /^The link works once, until \S+Z\. A new link revokes it\n$/)
      return tokenIn(stdout.trim())
    }
    const redeem = (token: string) => new Dashboard(service).post("/sessions/redeem", { token })
    const first = await link("invite", id, "asha@example.com")
    const second = await link("invite", id, "Asha@example.com")
    refused(await redeem(first), "INVALID_CLIENT_CREDENTIALS")
    assert.deepInclude((await redeem(second)).body, { agent: { id: 1, email: "asha@example.com", role: "OWNER" } })
    assert.strictEqual((await redeem(await link("sign-in-link", id, "asha@example.com"))).status, 200)
    const forgotten = await command("merchant", "forget-passkeys", "asha@example.com")
    assert.strictEqual(forgotten, "Removed 0 passkeys and 0 identity provider bindings\n")
    const fails = async (problem: string, ...args: ReadonlyArray<string>) => {
      const { code, stderr, stdout } = await runHere(["merchant", ...args], variables)
      assert.deepStrictEqual([code, stdout], [1, ""])
      assert.include(stderr, problem)
    }
    await fails("belongs to an agent who is already", "invite", id, "asha@example.com")
    await fails("belongs to no agent of this merchant", "sign-in-link", id, "nobody@example.com")
    await fails("one @", "invite", id, "nobody")
    await fails("mer_none", "invite", "mer_none", "asha@example.com")
  })

  it("merchant addresses limits where server keys work from, and repairs a list that locks everyone out", async () => {
    const service = await running()
    const { id, test } = await service.merchant()
    const addresses = (...args: ReadonlyArray<string>) =>
      command("merchant", "addresses", "--environment", "test", id, ...args)
    assert.strictEqual(await addresses(), "test  anywhere\n")
    assert.strictEqual(await addresses("203.0.113.7, 2001:db8::/32"), "test  203.0.113.7, 2001:db8::/32\n")
    const settings = () => test.get("/v1/dashboard/settings")
    refused(await until(settings, ({ status }) => status === 403, { what: "the list" }), "FORBIDDEN")
    assert.strictEqual(await addresses("anywhere"), "test  anywhere\n")
    await until(settings, ({ status }) => status === 200, { what: "the end of the list" })
    const { code, stderr } = await runHere(["merchant", "addresses", id, "10.0.0.0/33"], variables)
    assert.strictEqual(code, 1)
    assert.match(stderr, /^serverAddresses\.0: /)
  })

  it("keys create and list manage the keys of an environment", async () => {
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
  })

  it("keys create creates one key of the requested type, scopes and name", async () => {
    const service = await running()
    const { id, test } = await service.merchant()
    const make = (...args: ReadonlyArray<string>) => command("keys", "create", "--environment", "test", ...args, id)
    const server = await make("--type", "server", "--scopes", "auth", "--name", "billing")
    assert.notInclude(server, "X-Public-Key")
    const client = new Client(service, { ...shown(server), publicKey: test.keys.publicKey })
    await client.verified()
    refused(await client.get("/v1/dashboard/settings"), "FORBIDDEN")
    const app = await make("--type", "public")
    assert.match(app, /^X-Public-Key +pk_test_[0-9a-z]{24}\n$/)
    const listed = await command("keys", "list", id)
    assert.match(listed, new RegExp(`^test +SERVER +${client.keys.clientId}\\n +"billing"; auth; `, "m"))
    assert.include(listed, shown(app).publicKey)
    for (const scopes of ["", "admin", "auth,admin"]) {
      const ended = await runHere(["keys", "create", "--environment", "test", "--scopes", scopes, id], variables)
      assert.strictEqual(ended.code, 1)
      assert.match(ended.stderr, /^--scopes: /)
    }
  })

  it("keys roll and revoke end secrets and keys, and running servers notice", async () => {
    const service = await running()
    const { id, live } = await service.merchant()
    const { clientId, publicKey } = live.keys
    const settings = (client: Client) => () => client.get("/v1/dashboard/settings")
    const change = { what: "a change of keys" }
    assert.strictEqual((await settings(live)()).status, 200)

    const rolled = await command("keys", "roll", id, clientId)
    assert.match(rolled, /The previous secret works until \d{4}-/)
    assert.strictEqual(shown(rolled).clientId, clientId)
    const second = new Client(service, { ...shown(rolled), publicKey })
    await until(settings(second), ({ status }) => status === 200, change)
    assert.strictEqual((await settings(live)()).status, 200)

    const last = await command("keys", "roll", "--overlap", "0", id, clientId)
    assert.include(last, "All previous secrets are revoked")
    const third = new Client(service, { ...shown(last), publicKey })
    await until(settings(third), ({ status }) => status === 200, change)
    for (const gone of [live, second]) await until(settings(gone), ({ status }) => status === 401, change)

    // The operator may revoke the last key too: creating another takes one command.
    assert.strictEqual(await command("keys", "revoke", id, clientId), `${clientId}  REVOKED\n`)
    refused(await until(settings(third), ({ status }) => status === 401, change), "INVALID_CLIENT_CREDENTIALS")
    const listed = await command("keys", "list", id)
    assert.notInclude(listed, clientId)
    assert.include(listed, publicKey)
    const other = await service.merchant()
    for (const [args, words] of [
      [["revoke", id, clientId], `Key ${clientId} does not exist at this merchant, or was revoked\n`],
      [
        ["roll", id, other.live.keys.clientId],
        `Key ${other.live.keys.clientId} does not exist at this merchant, or was revoked\n`
      ],
      [["roll", id, publicKey], "id: a public key has no secret; create another key and revoke this one\n"],
      [
        ["roll", "--overlap", "169", other.id, other.live.keys.clientId],
        "overlapHours: must be a whole number from 0 to 168\n"
      ]
    ] as const) {
      const ended = await runHere(["keys", ...args], variables)
      assert.deepStrictEqual([ended.code, ended.stderr, ended.stdout], [1, words, ""])
    }
    assert.strictEqual((await settings(other.live)()).status, 200)
  })

  it("report an unknown merchant", async () => {
    const id = "mer_00000000000000000000000000"
    const ends = await Promise.all([
      run(["merchant", "suspend", id], variables),
      runHere(["keys", "list", id], variables),
      runHere(["keys", "create", "--environment", "live", id], variables)
    ])
    for (const { code, stderr, stdout } of ends) {
      assert.strictEqual(code, 1)
      assert.strictEqual(stderr, `Merchant ${id} does not exist\n`)
      assert.strictEqual(stdout, "")
    }
  })
})

describe("the first merchant", () => {
  it("has the keys that the operator chose, and is created once however many processes start", async () => {
    const database = await FreshDatabase.make({ empty: true })
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
    const servers = await Promise.all([serve(variables), serve(variables)])
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
  })

  it("gets a new secret from a new configuration, while processes with the old one still run", async () => {
    const database = await FreshDatabase.make()
    const publicKey = "pk_live_rotated"
    const keys = { clientId: "cs_live_rotated", publicKey }
    const [first, second] = [secret(), secret()]
    const base = variablesFor(database.url)
    const withSecret = (clientSecret: string) => ({
      ...base,
      COUNTERSIGN_CLIENT_ID: keys.clientId,
      COUNTERSIGN_CLIENT_SECRET: clientSecret,
      COUNTERSIGN_PUBLIC_KEY: publicKey
    })
    const old = await serve(withSecret(first))
    const renewed = await serve(withSecret(second))
    // An old process that starts again after the new one reverts nothing.
    const restarted = await serve(withSecret(first))
    const servers = [old, renewed, restarted]
    for (const one of servers) {
      for (const clientSecret of [first, second]) {
        const client = new Client(overProcesses([one]), { ...keys, clientSecret })
        const answers = () => client.get("/v1/dashboard/settings")
        await until(answers, ({ status }) => status === 200, { what: "both secrets" })
      }
    }
    const operator = new Client(overProcesses([old]), { ...keys, clientSecret: second })
    const { items } = (await operator.get("/v1/dashboard/keys")).body
    const away = Date.parse(items.find(({ id }: any) => id === keys.clientId).retiringAt) - Date.now()
    assert.isTrue(away > 23 * 3_600_000 && away <= 24 * 3_600_000, String(away))
    assert.include(renewed.output(), "the previous secret works for one more day")
    assert.include(restarted.output(), "replaced and stops working soon")
    for (const { output } of servers) for (const one of [first, second]) assert.notInclude(output(), one)
    await Promise.all(servers.map((server) => server.kill("SIGTERM")))
    // An id of another merchant stops the start, and the error names the variable.
    const { stderr, code } = await runHere(["serve"], {
      ...withSecret(second),
      COUNTERSIGN_TEST_CLIENT_ID: "cs_test_rotated",
      COUNTERSIGN_TEST_CLIENT_SECRET: second,
      COUNTERSIGN_TEST_PUBLIC_KEY: publicKey,
      PORT: "0"
    })
    assert.deepStrictEqual([code, stderr.includes(`${publicKey} already belongs to`)], [1, true], stderr)
    await database.drop()
  })
})
