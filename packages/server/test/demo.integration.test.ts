import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import * as FreshDatabase from "./fixture/FreshDatabase.ts"
import { type ServerProcess, serveSources as serve } from "./fixture/ServerProcess.ts"
import { secret, token as operatorsToken } from "./fixture/Service.ts"
import { until } from "./fixture/Until.ts"
import * as Wire from "./fixture/Wire.ts"

/** What the demo's page asks for first. */
const session = async (server: ServerProcess) => (await Wire.send(server.url, { path: "/demo/api/session" })).body

/** What the demo's page does for an e-mail address. */
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

describe("/demo", () => {
  let directory: string
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "countersign-demo-"))
  })
  afterAll(() => rm(directory, { recursive: true, force: true }))

  it("signs people in with a merchant of its own, which is made once, and not before it is asked for", async () => {
    const token = operatorsToken()
    const variables = { COUNTERSIGN_ADMIN_TOKEN: token }
    const merchants = async (server: ServerProcess): Promise<ReadonlyArray<string>> => {
      const headers = { authorization: `Bearer ${token}` }
      const { body } = await Wire.send(server.url, { path: "/v1/admin/merchants", headers })
      return body.items.map(({ name }: any) => name).sort()
    }
    const first = await serve(variables, directory)
    assert.include(first.output(), "a login to try: ")
    assert.deepStrictEqual(await merchants(first), ["Countersign"])
    const page = await fetch(`${first.url}/demo`)
    assert.deepStrictEqual([page.status, page.url], [200, `${first.url}/demo/`])
    assert.include(await page.text(), "<title>Sign in")
    const { outboxUrl, rules, service } = await session(first)
    assert.strictEqual(outboxUrl, "/dev/outbox")
    assert.deepInclude(rules, { resendCooldownSeconds: 15, oneTap: true })
    assert.match(service.publicKey, /^pk_live_demo_/)
    assert.deepInclude(await signIn(first, "ada@example.com"), { identity: "ada@example.com", oneTap: false })
    await first.kill("SIGTERM")

    const second = await serve(variables, directory)
    assert.deepStrictEqual((await session(second)).service, service)
    assert.deepStrictEqual(await merchants(second), ["Countersign", "Demo"])
    for (const path of ["/demox", "/dem", "/Demo/"])
      assert.deepInclude((await Wire.send(second.url, { path })).body, { errorCode: "NOT_FOUND" })
    assert.strictEqual((await second.kill("SIGTERM")).code, 0)
  })

  it("is not there with a database of the operator's", async () => {
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
