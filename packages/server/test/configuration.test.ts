import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import * as Configuration from "../src/Configuration.ts"
import { runHere } from "./fixture/Command.ts"
import { run, type Variables } from "./fixture/ServerProcess.ts"
import { secret } from "./fixture/Service.ts"

const hidden = "hunter2-do-not-print-me"
const good = { DATABASE_URL: "postgres://u:p@127.0.0.1:1/x", COUNTERSIGN_SECRET: secret() }
const first = {
  COUNTERSIGN_CLIENT_ID: "cs_live_first",
  COUNTERSIGN_CLIENT_SECRET: `${hidden}1`,
  COUNTERSIGN_PUBLIC_KEY: "pk_live_first"
}
const firstTest = {
  COUNTERSIGN_TEST_CLIENT_ID: "cs_test_first",
  COUNTERSIGN_TEST_CLIENT_SECRET: `${hidden}2`,
  COUNTERSIGN_TEST_PUBLIC_KEY: "pk_test_first"
}

const bad: ReadonlyArray<[what: string, variables: Variables, names: ReadonlyArray<string>]> = [
  ["no secret with a database", { DATABASE_URL: good.DATABASE_URL }, ["COUNTERSIGN_SECRET"]],
  ["an empty secret", { ...good, COUNTERSIGN_SECRET: " " }, ["COUNTERSIGN_SECRET"]],
  ["a short secret", { ...good, COUNTERSIGN_SECRET: hidden }, ["COUNTERSIGN_SECRET"]],
  ["another database", { ...good, DATABASE_URL: `mysql://root:${hidden}@127.0.0.1/x` }, ["DATABASE_URL"]],
  ["no URL", { ...good, DATABASE_URL: hidden }, ["DATABASE_URL"]],
  ["a port that is none", { ...good, PORT: "http" }, ["PORT"]],
  ["a port out of range", { ...good, PORT: "65536" }, ["PORT"]],
  ["a negative port", { ...good, PORT: "-1" }, ["PORT"]],
  ["an sslmode that is none", { ...good, DATABASE_URL: `${good.DATABASE_URL}?sslmode=${hidden}` }, ["DATABASE_URL"]],
  [
    "a certificate that is not there",
    { ...good, DATABASE_URL: `${good.DATABASE_URL}?sslrootcert=/${hidden}` },
    ["DATABASE_URL"]
  ],
  ["a wait that is none", { ...good, COUNTERSIGN_DATABASE_WAIT_SECONDS: "-1" }, ["COUNTERSIGN_DATABASE_WAIT_SECONDS"]],
  ["days that are none", { ...good, COUNTERSIGN_RETENTION_DAYS: "30,x" }, ["COUNTERSIGN_RETENTION_DAYS"]],
  ["a biller in capitals", { ...good, COUNTERSIGN_BILLED_BY: "OPERATOR" }, ["COUNTERSIGN_BILLED_BY"]],
  ["a biller that is none", { ...good, COUNTERSIGN_BILLED_BY: "me" }, ["COUNTERSIGN_BILLED_BY"]],
  ["a currency in small letters", { ...good, COUNTERSIGN_CURRENCY: "inr" }, ["COUNTERSIGN_CURRENCY"]],
  [
    "campaigns without end",
    { ...good, COUNTERSIGN_CAMPAIGNS_PER_SECOND: "1001" },
    ["COUNTERSIGN_CAMPAIGNS_PER_SECOND"]
  ],
  [
    "a captcha without a secret",
    { ...good, CAPTCHA_VERIFY_URL: "https://captcha.example.com/verify" },
    ["CAPTCHA_SECRET"]
  ],
  ["a captcha without an address", { ...good, CAPTCHA_SECRET: hidden }, ["CAPTCHA_VERIFY_URL"]],
  [
    "a captcha over plain http",
    { ...good, CAPTCHA_VERIFY_URL: "http://captcha.example.com/verify", CAPTCHA_SECRET: hidden },
    ["CAPTCHA_VERIFY_URL"]
  ],
  ["a currency that is none", { ...good, COUNTERSIGN_CURRENCY: "RUPEES" }, ["COUNTERSIGN_CURRENCY"]],
  ["a dashboard that is neither on nor off", { ...good, COUNTERSIGN_DASHBOARD: "true" }, ["COUNTERSIGN_DASHBOARD"]],
  ["no day", { ...good, COUNTERSIGN_RETENTION_DAYS: "0" }, ["COUNTERSIGN_RETENTION_DAYS"]],
  ["too many days", { ...good, COUNTERSIGN_RETENTION_DAYS: "30,401" }, ["COUNTERSIGN_RETENTION_DAYS"]],
  ["three numbers of days", { ...good, COUNTERSIGN_RETENTION_DAYS: "1,2,3" }, ["COUNTERSIGN_RETENTION_DAYS"]],
  ["a public address that is none", { ...good, PUBLIC_URL: "verify.example.com" }, ["PUBLIC_URL"]],
  ["a public address that is a script", { ...good, PUBLIC_URL: "javascript:alert(1)" }, ["PUBLIC_URL"]],
  [
    "an old secret that is none",
    { ...good, COUNTERSIGN_SECRET_PREVIOUS: `${secret()},${hidden}` },
    ["COUNTERSIGN_SECRET_PREVIOUS"]
  ],
  ["a short admin token", { ...good, COUNTERSIGN_ADMIN_TOKEN: "hunter2" }, ["COUNTERSIGN_ADMIN_TOKEN"]],
  [
    "a short admin token of before",
    { ...good, COUNTERSIGN_ADMIN_TOKEN: `${hidden}3`, COUNTERSIGN_ADMIN_TOKEN_PREVIOUS: "hunter2" },
    ["COUNTERSIGN_ADMIN_TOKEN_PREVIOUS"]
  ],
  [
    "an admin token of before alone",
    { ...good, COUNTERSIGN_ADMIN_TOKEN_PREVIOUS: `${hidden}3` },
    ["COUNTERSIGN_ADMIN_TOKEN"]
  ],
  [
    "a part of the first merchant",
    { ...good, ...first, COUNTERSIGN_PUBLIC_KEY: undefined },
    ["COUNTERSIGN_PUBLIC_KEY"]
  ],
  ["a short client secret", { ...good, ...first, COUNTERSIGN_CLIENT_SECRET: "hunter2" }, ["COUNTERSIGN_CLIENT_SECRET"]],
  ["an odd client id", { ...good, ...first, COUNTERSIGN_CLIENT_ID: "cs live first" }, ["COUNTERSIGN_CLIENT_ID"]],
  ["test keys alone", { ...good, ...firstTest }, ["COUNTERSIGN_CLIENT_ID"]],
  ["a collector that is none", { ...good, OTEL_EXPORTER_OTLP_ENDPOINT: hidden }, ["OTEL_EXPORTER_OTLP_ENDPOINT"]],
  ["a proxy that is a name", { ...good, TRUSTED_PROXIES: `loopback, ${hidden}` }, ["TRUSTED_PROXIES"]],
  ["a range too wide", { ...good, TRUSTED_PROXIES: "10.0.0.0/33" }, ["TRUSTED_PROXIES"]],
  ["a proxy in octal", { ...good, TRUSTED_PROXIES: "010.0.0.1" }, ["TRUSTED_PROXIES"]],
  ["no workers", { ...good, WORKERS: "0" }, ["WORKERS"]],
  ["two workers on one embedded database", { WORKERS: "2" }, ["WORKERS"]],
  ["a comma too many", { ...good, TRUSTED_PROXIES: "10.0.0.1,," }, ["TRUSTED_PROXIES"]]
]

const everything: Variables = {
  DATABASE_URL: hidden,
  COUNTERSIGN_SECRET: hidden,
  PORT: hidden,
  PUBLIC_URL: hidden,
  COUNTERSIGN_SECRET_PREVIOUS: hidden,
  COUNTERSIGN_ADMIN_TOKEN: "hunter2",
  TRUSTED_PROXIES: hidden,
  COUNTERSIGN_PUBLIC_KEY: "pk_live_first"
}

const assertNamed = (lines: ReadonlyArray<string>, names: ReadonlyArray<string>) => {
  const text = lines.join("\n")
  assert.sameMembers(
    lines.map((line) => line.slice(0, line.indexOf(":"))),
    [...names],
    text
  )
  for (const line of lines) assert.match(line, /^[A-Z_, ]+: ./)
  assert.notInclude(text, "hunter2")
}

describe("an invalid configuration", () => {
  let directory: string
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "countersign-configuration-"))
  })
  afterAll(() => rm(directory, { recursive: true, force: true }))

  const assertRefused = async (
    args: ReadonlyArray<string>,
    variables: Variables,
    names: ReadonlyArray<string>,
    start: typeof run | typeof runHere = runHere
  ) => {
    const { code, stderr, stdout } = await start(args, variables, directory)
    assert.strictEqual(code, 1, stderr)
    assert.strictEqual(stdout, "")
    assertNamed(stderr.trimEnd().split("\n"), names)
    assert.notMatch(stderr, /\bat .+:\d+|node_modules|_tag/)
  }

  it.each(bad)("is named in the error: %s", async (_, variables, names) => {
    const { problems } = await Effect.runPromise(Effect.flip(Configuration.read(variables)))
    assertNamed(problems, names)
  })

  it("is rejected, while a valid one is accepted", async () => {
    const read = (variables: Variables) => Effect.runPromise(Configuration.read(variables))
    await read({})
    await read({
      ...good,
      ...first,
      ...firstTest,
      COUNTERSIGN_ADMIN_TOKEN: hidden,
      COUNTERSIGN_SECRET_PREVIOUS: `${"0a".repeat(32)}, ${secret()}`
    })
    assert.deepInclude(await read({ PORT: "", DATABASE_URL: " " }), {
      port: 8080,
      host: "127.0.0.1",
      databaseUrl: undefined
    })
    assert.deepInclude(await read(good), { host: "0.0.0.0", publicUrl: "http://localhost:8080" })
    assert.strictEqual((await read({ PUBLIC_URL: "https://x.example.com/" })).publicUrl, "https://x.example.com")
  })

  it("never makes the server trust proxies that it does not name", async () => {
    const trusted = async (variables: Variables) =>
      (await Effect.runPromise(Configuration.read(variables))).trustedProxies.map(({ text }) => text)
    assert.deepStrictEqual(await trusted({}), [])
    assert.deepStrictEqual(await trusted({ TRUSTED_PROXIES: " " }), [])
    assert.deepStrictEqual(await trusted({ TRUSTED_PROXIES: "loopback,192.0.2.7 , 2001:DB8::/32" }), [
      "127.0.0.0/8",
      "::1/128",
      "192.0.2.7/32",
      "2001:db8::/32"
    ])
  })

  it("stops the start with one line per problem, with the variable and without secrets", async () => {
    const names = [...Object.keys(everything), "COUNTERSIGN_CLIENT_ID", "COUNTERSIGN_CLIENT_SECRET"].filter(
      (name) => name !== "COUNTERSIGN_PUBLIC_KEY"
    )
    await Promise.all([
      assertRefused(["serve"], everything, names, run),
      assertRefused(["serve"], { DATABASE_URL: good.DATABASE_URL }, ["COUNTERSIGN_SECRET"])
    ])
  })

  it("stops the start when the database is unreachable or refuses the login", async () => {
    const wrongPassword = new URL(inject("databaseUrl"))
    wrongPassword.password = hidden
    const missing = new URL(inject("databaseUrl"))
    missing.pathname = "no_such_database"
    const urls = [`postgres://u:${hidden}@127.0.0.1:1/x`, wrongPassword.href, missing.href]
    await Promise.all(
      urls.map((url) =>
        assertRefused(["serve"], { ...good, PORT: "0", DATABASE_URL: url, COUNTERSIGN_DATABASE_WAIT_SECONDS: "0" }, [
          "DATABASE_URL"
        ])
      )
    )
  })

  it("stops the start when the port is taken, or the data directory is not usable", async () => {
    const file = join(directory, "file")
    await writeFile(file, "x")
    await assertRefused(["serve"], { COUNTERSIGN_DATA_DIR: file }, ["COUNTERSIGN_DATA_DIR"])
    const server = createServer()
    const port = await new Promise<number>((resolve) => {
      server.listen(0, "127.0.0.1", () => resolve((server.address() as { readonly port: number }).port))
    })
    const { code, stderr } = await run(["serve"], { HOST: "127.0.0.1", PORT: String(port) }, directory)
    assert.strictEqual(code, 1)
    assert.match(stderr, /^HOST, PORT: .+\n$/)
    await new Promise((resolve) => server.close(resolve))
  })

  it("stops every other command as well", async () => {
    await Promise.all([
      assertRefused(["migrate"], {}, ["DATABASE_URL"], run),
      assertRefused(["merchant", "list"], { DATABASE_URL: hidden }, ["DATABASE_URL"]),
      ...[["serv"], ["merchant", "create"], ["--nonsense"]].map(async (args) => {
        const { code, stdout } = await (args[0] === "serv" ? run(args) : runHere(args))
        assert.deepStrictEqual([code, stdout], [2, ""], args.join(" "))
      })
    ])
  })
})
