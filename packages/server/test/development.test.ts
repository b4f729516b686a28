import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { Client, phone, refused } from "./fixture/Client.ts"
import { overProcesses } from "./fixture/Processes.ts"
import { run, serve, serveSources, type ServerProcess, type Variables } from "./fixture/ServerProcess.ts"
import { secret } from "./fixture/Service.ts"
import * as Wire from "./fixture/Wire.ts"

const pages = ["/dev/outbox", "/dev/outbox.css", "/dev/outbox.js", "/demo/api/session"]
const statuses = (server: ServerProcess, host: string) =>
  Promise.all(pages.map(async (path) => (await Wire.send(server.url, { path, headers: { host } })).status))

const noChannel = "  channels  none: live keys cannot send codes. Set the variables of a provider"

/** The live keys that the first start printed. */
const keysOf = (server: ServerProcess) => {
  const [, clientId = ""] = /X-Client-Id +(cs_live_\w+)/.exec(server.output()) ?? []
  const [, clientSecret = ""] = /X-Client-Secret +(sk_live_\w+)/.exec(server.output()) ?? []
  return { clientId, clientSecret, publicKey: "" }
}

describe("console channels, /dev and /demo", () => {
  let directory: string
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "countersign-development-"))
  })
  afterAll(() => rm(directory, { recursive: true, force: true }))
  let keys: ReturnType<typeof keysOf> | undefined

  // stage.test.ts tests the other conditions that close them.
  it.each<readonly [string, typeof serve, Variables, string]>([
    // Started from sources, the server would include the demo.
    ["the server listens on all addresses", serveSources, { HOST: "0.0.0.0" }, noChannel],
    [
      "one real provider is configured",
      serve,
      { SMTP_URL: "smtp://127.0.0.1:1", SMTP_FROM: "a@example.com", COUNTERSIGN_DASHBOARD: "off" },
      "  SMS       not enabled\n  WHATSAPP  not enabled\n  RCS       not enabled\n  EMAIL     smtp\n"
    ]
  ])("do not exist when %s: the channel is not enabled", async (_, start, variables, said) => {
    // All share one directory: the first start prints its keys, also without the pages.
    const server = await start(variables, directory)
    keys ??= keysOf(server)
    assert.deepStrictEqual(await statuses(server, "localhost"), [404, 404, 404, 404])
    // The dashboard is served in every stage, unless it was not built in.
    const isOff = variables["COUNTERSIGN_DASHBOARD"] === "off"
    const [front, page] = [
      await Wire.send(server.url, { path: "/" }),
      await Wire.send(server.url, { path: "/dashboard" })
    ]
    assert.deepStrictEqual([front.status, page.status], isOff ? [200, 404] : [302, 200])
    assert.strictEqual(front.headers.location, isOff ? undefined : "/dashboard")
    assert.strictEqual(server.output().includes("/dashboard,"), !isOff)
    assert.isNull((await Wire.send(server.url, { path: "/v1/dashboard/sign-in" })).body.outbox)
    const client = new Client(overProcesses([server]), keys)
    refused(await client.initiate({ identity: phone(), channel: "SMS" }), "INVALID_CHANNEL")
    assert.notInclude(server.output(), "/dev/outbox")
    assert.include(server.output(), said)
    await server.kill("SIGTERM")
  })

  it("cannot be simulated where others could reach them: each reason is a configuration error", async () => {
    const { code, stderr, stdout } = await run(
      ["serve", "--simulate"],
      {
        DATABASE_URL: "postgres://u:p@127.0.0.1:1/x",
        COUNTERSIGN_SECRET: secret(),
        HOST: "0.0.0.0",
        PUBLIC_URL: "https://verify.example.com"
      },
      directory
    )
    assert.deepStrictEqual([code, stdout], [1, ""])
    const [warning, ...lines] = stderr.trimEnd().split("\n")
    assert.match(warning!, /^TRUSTED_PROXIES: is empty/)
    assert.deepStrictEqual(
      lines.map((line) => line.split(":")[0]),
      ["DATABASE_URL", "HOST", "PUBLIC_URL"]
    )
    for (const line of lines) assert.include(line, "--simulate")
  })
})
