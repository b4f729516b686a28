import { SmtpSimulator, TwilioSimulator, WhatsAppSimulator } from "@countersign/testkit/simulators"
import { Effect, Exit, Fiber, Scope } from "effect"
import { TestClock } from "effect/testing"
import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises"
import { createServer } from "node:net"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { type Finding, inTime } from "../src/check/Finding.ts"
import { runHere } from "./fixture/Command.ts"
import * as FreshDatabase from "./fixture/FreshDatabase.ts"
import { serve, type Variables } from "./fixture/ServerProcess.ts"
import { secret } from "./fixture/Service.ts"
import { variablesFor } from "./fixture/Processes.ts"

const hidden = "hunter2hunter2"

const providers = Effect.gen(function* () {
  const twilio = yield* TwilioSimulator.make()
  const whatsapp = yield* WhatsAppSimulator.make()
  const smtp = yield* SmtpSimulator.make({ login: { user: "acme", password: hidden } })
  const variables = {
    TWILIO_ACCOUNT_SID: twilio.accountSid,
    TWILIO_AUTH_TOKEN: twilio.authToken,
    TWILIO_FROM: "+15005550006",
    TWILIO_RCS_SENDER: "rcs:acme",
    TWILIO_API_URL: twilio.url,
    WHATSAPP_ACCESS_TOKEN: whatsapp.accessToken,
    WHATSAPP_PHONE_NUMBER_IDS: whatsapp.phoneNumberIds.join(","),
    WHATSAPP_WABA_ID: whatsapp.wabaId,
    WHATSAPP_APP_SECRET: whatsapp.appSecret,
    WHATSAPP_VERIFY_TOKEN: whatsapp.verifyToken,
    WHATSAPP_TEMPLATE: "login_code/en",
    WHATSAPP_API_URL: whatsapp.url,
    SMTP_URL: smtp.url,
    SMTP_FROM: "codes@acme.example",
    PUBLIC_URL: "https://verify.acme.example"
  }
  const sent = Effect.map(Effect.all([twilio.seen, whatsapp.seen, smtp.seen]), (all) => all.flat())
  return { variables, sent }
})

type Found = Pick<Finding, "what" | "state" | "detail" | "advice">

/** The command's output for programs, and its exit code. */
const checked = async (variables: Variables) => {
  const { code, stderr, stdout } = await runHere(["check", "--json"], { PORT: "0", ...variables })
  assert.strictEqual(stderr, "")
  const said = JSON.parse(stdout) as { readonly ok: boolean; readonly findings: ReadonlyArray<Found> }
  assert.strictEqual(code, said.ok ? 0 : 1)
  return { ...said, stdout, of: (what: string) => said.findings.filter((finding) => finding.what === what) }
}

describe("countersign check", () => {
  let scope: Scope.Closeable
  let simulated: Effect.Success<typeof providers>
  let directory: string
  beforeAll(async () => {
    scope = Effect.runSync(Scope.make())
    simulated = await Effect.runPromise(Scope.provide(providers, scope))
    directory = await mkdtemp(join(tmpdir(), "countersign-check-"))
  })
  afterAll(async () => {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await rm(directory, { recursive: true, force: true })
  })

  it("tests the whole configuration, sends no message and creates nothing", async () => {
    const database = await FreshDatabase.make({ empty: true })
    const variables = { ...variablesFor(database.url), ...simulated.variables, TRUSTED_PROXIES: "loopback" }
    const { findings, of, ok } = await checked(variables)
    assert.isTrue(ok, JSON.stringify(findings))
    assert.deepStrictEqual(findings.map(({ what }) => what).sort(), [
      "EMAIL through smtp",
      "PUBLIC_URL",
      "SMS, RCS through twilio",
      "WHATSAPP through whatsapp",
      "database",
      "durability", // The test run's Postgres does not wait for its disk.
      "port",
      "variables"
    ])
    assert.match(of("database")[0]!.detail, /^Postgres \d+\.\d+; no tables yet: the first start creates them$/)
    assert.strictEqual(of("SMS, RCS through twilio")[0]!.detail, "the account is active")
    assert.deepStrictEqual(await Effect.runPromise(simulated.sent), [])
    assert.deepStrictEqual(await database.query("select 1 from pg_tables where schemaname = current_schema()"), [])
    const text = await runHere(["check"], { PORT: "0", ...variables })
    assert.match(text.stdout, /^ok {7}variables +are valid\n[^]+\n\n1 warning\n$/)
    await database.drop()
  })

  it("reports every problem with its solution, and no secret", async () => {
    const database = await FreshDatabase.make()
    const variables = { ...variablesFor(database.url), ...simulated.variables }
    const server = await serve(variables)
    const { findings, of, ok, stdout } = await checked({
      ...variables,
      COUNTERSIGN_SECRET: secret(),
      COUNTERSIGN_CURRENCY: hidden,
      COUNTERSIGN_SECRTE: hidden,
      PORT: new URL(server.url).port,
      TWILIO_AUTH_TOKEN: hidden,
      SMTP_URL: variables.SMTP_URL.replace(hidden, `${hidden}x`),
      WHATSAPP_TEMPLATE: "another",
      PUBLIC_URL: "http://verify.acme.example"
    })
    assert.isFalse(ok)
    const problems = findings.filter(({ state }) => state === "problem")
    assert.deepStrictEqual(problems.map(({ what }) => what).sort(), [
      "COUNTERSIGN_CURRENCY",
      "COUNTERSIGN_SECRET",
      "EMAIL through smtp",
      "SMS, RCS through twilio",
      "WHATSAPP through whatsapp"
    ])
    assert.deepStrictEqual(
      findings.filter(({ state }) => state === "warning").map(({ what }) => what),
      ["COUNTERSIGN_SECRTE", "PUBLIC_URL", "durability"]
    )
    assert.match(of("database")[0]!.detail, /; the tables are up to date$/)
    assert.match(of("SMS, RCS through twilio")[0]!.advice ?? "", /compare both/)
    assert.notInclude(stdout, "hunter2")
    for (const [name, value] of Object.entries(variables))
      if (/SECRET|TOKEN/.test(name)) assert.notInclude(stdout, value, name)
    await server.kill("SIGTERM")
    await database.drop()
  })

  it("says that tables from before version 1.0 need a new database", async () => {
    const database = await FreshDatabase.make()
    await database.query("update countersign_migrations set name = 'tables' where migration_id = 1")
    const { of, ok } = await checked({ ...variablesFor(database.url), ...simulated.variables })
    assert.isFalse(ok)
    const [tables] = of("tables")
    assert.match(tables!.detail, /^were created by a version of Countersign before 1\.0/)
    assert.match(tables!.advice ?? "", /set DATABASE_URL to an empty database, or DATABASE_SCHEMA to another schema/)
    await database.drop()
  })

  it("distinguishes a running Countersign from another program on the port", async () => {
    const server = createServer((socket) => socket.destroy())
    const port = await new Promise<number>((resolve) =>
      server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port))
    )
    const other = await checked({ PORT: String(port), COUNTERSIGN_DATA_DIR: join(directory, "none") })
    assert.match(other.of("port")[0]!.advice ?? "", /another program already listens there/)
    await new Promise((resolve) => server.close(resolve))
  })

  it("explains why the database refuses the connection, and hides the password", async () => {
    const url = new URL(inject("databaseUrl"))
    url.password = hidden
    const { of, stdout } = await checked(variablesFor(url.href))
    assert.match(of("database")[0]!.detail, /^Postgres cannot be used: the password is wrong/)
    assert.notInclude(stdout, "hunter2")
  })

  it("inspects the data directory without creating or opening it", async () => {
    const open = join(directory, "open")
    await mkdir(join(open, "data"), { recursive: true })
    const detail = async (path: string) => (await checked({ COUNTERSIGN_DATA_DIR: path })).of("data directory")[0]!
    assert.match((await detail(join(directory, "new"))).detail, /^the first start creates .*new$/)
    assert.match((await detail(open)).detail, /secret is missing, but there is data$/)
    const empty = join(directory, "empty")
    await mkdir(empty)
    await chmod(empty, 0o755)
    assert.strictEqual((await detail(empty)).state, "warning")
    assert.match((await detail(import.meta.filename)).detail, /is not a directory$/)
    assert.deepStrictEqual((await detail(join(directory, "new"))).state, "ok")
  })

  it("gives up after ten seconds on services that never answer", async () => {
    const waited = Effect.gen(function* () {
      const probe = yield* Effect.forkChild(inTime("database", Effect.never), { startImmediately: true })
      yield* TestClock.adjust("9999 millis")
      assert.isUndefined(probe.pollUnsafe())
      yield* TestClock.adjust("1 millis")
      return yield* Fiber.join(probe)
    })
    const [finding] = await Effect.runPromise(Effect.provide(waited, TestClock.layer()))
    assert.match(finding!.detail, /did not answer within 10 seconds/)
  })
})

describe("an invalid command", () => {
  it.each([
    [["serv"], "Unknown command serv; did you mean serve?\nTry: countersign --help\n"],
    [["serve", "--simulat"], "Unknown option --simulat; did you mean --simulate?\nTry: countersign serve --help\n"],
    [["serve", `--secret=${hidden}`], "Unknown option --secret\nTry: countersign serve --help\n"],
    [["migrate", hidden], "Too many arguments for this command\nTry: countersign migrate --help\n"],
    [["merchant", "suspend"], "<merchant> is missing\nTry: countersign merchant suspend --help\n"],
    [
      ["keys", "roll", "--overlap", hidden, "a", "b"],
      "--overlap has an invalid value\nTry: countersign keys roll --help\n"
    ]
  ])("exits with 2 and two lines that contain no possible secret: %j", async (args, expected) => {
    assert.deepStrictEqual(await runHere(args), { code: 2, stdout: "", stderr: expected })
  })

  it("goes to stderr, while requested help goes to stdout", async () => {
    const root = await runHere(["--help"])
    assert.match(root.stdout, /SUBCOMMANDS[^]+EXAMPLES[^]+VARIABLES[^]+TWILIO_AUTH_TOKEN/)
    assert.deepStrictEqual([root.code, root.stderr], [0, ""])
    const all = await runHere(["help", "variables"])
    assert.match(
      all.stdout,
      /\n {2}TWILIO_AUTH_TOKEN\n {6}the account's primary auth token\. Default: none\. [^]+TWILIO_AUTH_TOKEN_FILE/
    )
    assert.include((await runHere(["serve", "--help"])).stdout, all.stdout)
    assert.strictEqual(
      (await runHere(["help", "keys", "roll"])).stdout,
      (await runHere(["keys", "roll", "--help"])).stdout
    )
    assert.match((await runHere([])).stdout, /SUBCOMMANDS/)
  })
})
