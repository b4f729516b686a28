import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { Client, phone } from "./fixture/Client.ts"
import * as FreshDatabase from "./fixture/FreshDatabase.ts"
import { overProcesses } from "./fixture/Processes.ts"
import { type ServerProcess, serveSources as serve } from "./fixture/ServerProcess.ts"
import { secret, token as operatorsToken } from "./fixture/Service.ts"
import { until } from "./fixture/Until.ts"
import * as Wire from "./fixture/Wire.ts"

/** The demo page's first request. */
const session = async (server: ServerProcess) => (await Wire.send(server.url, { path: "/demo/api/session" })).body

/** The demo page's request for an email address. */
const signIn = async (server: ServerProcess, email: string) => {
  const headers = { "sec-fetch-site": "same-origin" }
  const post = (path: string, body: object, cookie = "") =>
    Wire.send(server.url, { method: "POST", path: `/demo/api/${path}`, body, headers: { ...headers, cookie } })
  const { body, headers: given, text } = await post("email/start", { email })
  assert.isString(body.requestId, text)
  const cookie = (given["set-cookie"] ?? []).map((line) => line.split(";")[0]).join("; ")
  const outbox = await until(
    () => Wire.send(server.url, { path: "/dev/outbox" }),
    ({ body }) => body.items.some(({ to }: any) => to === email),
    { what: "the message" }
  )
  const { code } = outbox.body.items.find(({ to }: any) => to === email)
  return (await post("email/verify", { requestId: body.requestId, code }, cookie)).body.user
}

const pages = ["/dev/outbox", "/dev/outbox.css", "/dev/outbox.js", "/demo/api/session"]
const statuses = (server: ServerProcess, host: string) =>
  Promise.all(pages.map(async (path) => (await Wire.send(server.url, { path, headers: { host } })).status))

describe("/dev and /demo", () => {
  const token = operatorsToken()
  const variables = { COUNTERSIGN_ADMIN_TOKEN: token }
  const merchants = async (server: ServerProcess): Promise<ReadonlyArray<string>> => {
    const headers = { authorization: `Bearer ${token}` }
    const { body } = await Wire.send(server.url, { path: "/v1/admin/merchants", headers })
    return body.items.map(({ name }: any) => name).sort()
  }
  let directory: string
  /** The first start in this directory. */
  let first: ServerProcess
  let demo: object
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "countersign-demo-"))
    first = await serve(variables, directory)
  })
  afterAll(() => rm(directory, { recursive: true, force: true }))

  it("sign people in with the demo's own merchant, which is created at the first use", async () => {
    assert.include(first.output(), "demo login: ")
    const ways = await Wire.send(first.url, { path: "/v1/dashboard/sign-in" })
    assert.deepStrictEqual(ways.body, { email: true, oidc: false, passkey: true, outbox: "/dev/outbox" })
    assert.deepStrictEqual(await merchants(first), ["Countersign"])
    const page = await fetch(`${first.url}/demo`)
    assert.deepStrictEqual([page.status, page.url], [200, `${first.url}/demo/`])
    assert.include(await page.text(), "<title>Sign in")
    const { outboxUrl, rules, service } = await session(first)
    assert.strictEqual(outboxUrl, "/dev/outbox")
    assert.deepInclude(rules, { resendCooldownSeconds: 15, oneTap: true })
    assert.match(service.publicKey, /^pk_live_demo_/)
    demo = service
    assert.deepInclude(await signIn(first, "ada@example.com"), { identity: "ada@example.com", oneTap: false })
  })

  it("are printed at the start, and answer only a loopback Host, so that a page on another name cannot read codes", async () => {
    const [, clientId = ""] = /X-Client-Id +(cs_live_\w+)/.exec(first.output()) ?? []
    const [, clientSecret = ""] = /X-Client-Secret +(sk_live_\w+)/.exec(first.output()) ?? []
    const client = new Client(overProcesses([first]), { clientId, clientSecret, publicKey: "" })
    await client.started({ identity: phone() })
    for (const host of ["localhost", "localhost:1", "127.0.0.1:8080", "[::1]:8080", "[::1]"])
      assert.deepStrictEqual(await statuses(first, host), [200, 200, 200, 200], host)
    for (const host of ["evil.example.com", "evil.example.com:8080", "127.0.0.1.evil.example.com", "192.168.1.7"])
      assert.deepStrictEqual(await statuses(first, host), [403, 403, 403, 403], host)
    const { body, text } = await Wire.send(first.url, { path: "/dev/outbox", headers: { host: "evil.example.com" } })
    assert.strictEqual(body.errorCode, "FORBIDDEN")
    assert.notMatch(text, /\d{6}/)

    // The start printed their addresses, and keys with an example login to paste.
    const kept = join(directory, ".countersign")
    assert.match(first.output(), /^Countersign is listening on http:\/\/127\.0\.0\.1:[1-9]\d*$/m)
    assert.include(first.output(), `\n  storage   embedded, in ${kept}\n  SMS       console\n  WHATSAPP  console\n`)
    assert.include(first.output(), "Read the code in this console or at ")
  })

  it("keep the demo's merchant after a restart", async () => {
    await first.kill("SIGTERM")
    const second = await serve(variables, directory)
    assert.deepStrictEqual((await session(second)).service, demo)
    assert.deepStrictEqual(await merchants(second), ["Countersign", "Demo"])
    for (const path of ["/demox", "/dem", "/Demo/"])
      assert.deepInclude((await Wire.send(second.url, { path })).body, { errorCode: "NOT_FOUND" })
    assert.strictEqual((await second.kill("SIGTERM")).code, 0)
  })

  it("do not exist with the operator's own database", async () => {
    const database = await FreshDatabase.make()
    const server = await serve({ DATABASE_URL: database.url, COUNTERSIGN_SECRET: secret() }, directory)
    assert.notInclude(server.output(), "/demo")
    for (const path of ["/demo", "/demo/", "/demo/api/session"]) {
      const answer = await Wire.send(server.url, { path })
      assert.strictEqual(answer.status, 404)
      assert.deepInclude(answer.body, { errorCode: "NOT_FOUND", requestId: null })
    }
    await server.kill("SIGTERM")
    await database.drop()
  })
})
