import { Core } from "@countersign/core"
import { MemoryStorage } from "@countersign/core/memory"
import { Effect, Layer, ManagedRuntime, Redacted, Result } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { ClientAddress, Dispatcher, type DispatcherOptions, type WireRequest } from "../src/index.ts"
import { contract } from "../src/Routes.ts"

type Asked = Partial<WireRequest> & { readonly headers?: Readonly<Record<string, string>> }

const token = "a-token-of-the-operator"

const serving = (options: DispatcherOptions) => {
  const runtime = ManagedRuntime.make(
    Dispatcher.layer({ adminToken: Redacted.make(token), ...options }).pipe(
      Layer.provide(
        Core.layer({ secret: Redacted.make("00".repeat(32)), publicUrl: "http://localhost", channels: [] })
      ),
      Layer.provide(MemoryStorage.layer)
    )
  )
  const at =
    (which: "public" | "management") =>
    async ({ headers = {}, ...request }: Asked) => {
      const answer = await runtime.runPromise(
        Effect.flatMap(Dispatcher, (dispatcher) =>
          (which === "management" ? dispatcher.management! : dispatcher).dispatch({
            method: "GET",
            path: "/",
            query: "",
            remoteAddress: "203.0.113.7",
            header: (name) => headers[name],
            body: () => Effect.succeed(new Uint8Array()),
            ...request
          })
        )
      )
      const body = typeof answer.body === "string" ? answer.body : new TextDecoder().decode(answer.body as Uint8Array)
      return { ...answer, body }
    }
  return { visitor: at("public"), operator: at("management"), dispose: () => runtime.dispose() }
}

const operator = { authorization: `Bearer ${token}` }
const pathOf = (path: string) => path.replace(/:\w+/g, "some-id")

describe("a separate management address", () => {
  let service: ReturnType<typeof serving>
  beforeAll(() => {
    service = serving({
      managementApart: true,
      pages: { "/dev/outbox": () => Effect.die("a page of the public address") }
    })
  })
  afterAll(() => service.dispose())

  it("serves the operator's paths, which the public address does not, and both serve the health checks", async () => {
    for (const { method, needs, path } of contract) {
      const asked = { method, path: pathOf(path), headers: operator }
      const isHealth = path === "/healthz" || path === "/readyz"
      const isAdmin = needs.credential === "admin"
      assert.strictEqual(isAdmin, path.startsWith("/v1/admin/"), path)
      const unknown = async (answer: Promise<{ readonly body: string }>) =>
        (await answer).body.includes("Nothing is served at this path")
      assert.strictEqual(await unknown(service.visitor(asked)), isAdmin, `${method} ${path} at the public address`)
      assert.strictEqual(
        await unknown(service.operator(asked)),
        !isAdmin && !isHealth,
        `${method} ${path}, the operator's`
      )
    }
    for (const path of ["/metrics", "/"]) {
      assert.strictEqual((await service.visitor({ path })).status, path === "/" ? 200 : 404)
      assert.strictEqual((await service.operator({ path })).status, path === "/" ? 404 : 200)
    }
    const outside = ["/dev/outbox", "/v1/callbacks/twilio", "/l/x", "/dashboard/oidc/callback"]
    for (const path of outside) assert.strictEqual((await service.operator({ path })).status, 404, path)
    assert.match((await service.operator({ path: "/metrics" })).body, /countersign_http_requests_total/)
  })

  it.each([
    "//v1/admin/merchants",
    "/v1//admin/merchants",
    "/v1/admin/merchants/",
    "/V1/Admin/Merchants",
    "/v1/%61dmin/merchants",
    "/v1%2fadmin%2fmerchants",
    "/v1/x/../admin/merchants",
    "/./v1/admin/merchants",
    "/v1/admin/merchants;x",
    "/v1/admin\\merchants",
    "//metrics",
    "/metrics/",
    "/%6Detrics",
    "/METRICS",
    "http://127.0.0.1/metrics"
  ])("cannot be reached through the public address with another spelling: %s", async (path) => {
    for (const method of ["GET", "HEAD", "POST", "OPTIONS"])
      assert.strictEqual((await service.visitor({ method, path, headers: operator })).status, 404, method)
  })

  it("describes in its API document exactly what it serves", async () => {
    const described = async (ask: typeof service.visitor) => {
      const { body } = await ask({ path: "/openapi.json" })
      const document = JSON.parse(body) as {
        readonly paths: Record<string, object>
        readonly tags: ReadonlyArray<{ readonly name: string; readonly description?: string }>
      }
      for (const { description, name } of document.tags) assert.match(description ?? "", /^[A-Z].{20,}\.$/, name)
      return { paths: Object.keys(document.paths).sort(), tags: document.tags.map(({ name }) => name) }
    }
    const all = [...new Set(contract.map(({ path }) => path.replace(/:(\w+)/g, "{$1}")))].sort()
    const isOperators = (path: string) => path.startsWith("/v1/admin/")
    const [visitor, own] = [await described(service.visitor), await described(service.operator)]
    assert.deepStrictEqual(
      visitor.paths,
      all.filter((path) => !isOperators(path))
    )
    assert.deepStrictEqual(
      own.paths,
      all.filter((path) => isOperators(path) || /^\/(health|ready)z$/.test(path))
    )
    assert.notInclude(visitor.tags, "Operator")
    assert.sameMembers(own.tags, ["Operator", "System"])
    assert.notInclude((await service.visitor({ path: "/docs" })).body, "/v1/admin")
    assert.include((await service.operator({ path: "/docs" })).body, "/v1/admin/merchants")
  })
})

describe("the operator's allowed addresses", () => {
  const list = (...entries: ReadonlyArray<string>) => Result.getOrThrow(ClientAddress.parseProxies(entries))
  const path = "/v1/admin/merchants"
  let service: ReturnType<typeof serving>
  let proxied: ReturnType<typeof serving>
  beforeAll(() => {
    const adminAddresses = list("198.51.100.0/24", "2001:db8::/32", "loopback")
    service = serving({ adminAddresses })
    proxied = serving({ adminAddresses, trustedProxies: list("10.0.0.0/8") })
  })
  afterAll(() => Promise.all([service.dispose(), proxied.dispose()]))

  it.each<readonly [string | null, number]>([
    ["198.51.100.9", 200],
    ["::ffff:198.51.100.9", 200],
    ["::ffff:c633:6409", 200],
    ["2001:db8::1", 200],
    ["127.0.0.1", 200],
    ["198.51.101.9", 403],
    ["::ffff:203.0.113.7", 403],
    ["::198.51.100.9", 403],
    ["64:ff9b::198.51.100.9", 403],
    ["nonsense", 403],
    [null, 403]
  ])(
    "let in callers from these addresses in any spelling, and refuse unknown addresses: %s",
    async (remoteAddress, status) => {
      const answer = await service.visitor({ path, remoteAddress, headers: operator })
      assert.strictEqual(answer.status, status, answer.body)
      if (status === 403)
        assert.strictEqual((JSON.parse(answer.body) as { readonly errorCode: string }).errorCode, "FORBIDDEN")
    }
  )

  it("never reveal to other addresses whether a token is valid, and refusals are counted", async () => {
    const from = (headers: Readonly<Record<string, string>>) => service.visitor({ path, headers })
    const [right, wrong, none] = [await from(operator), await from({ authorization: "Bearer wrong" }), await from({})]
    assert.deepStrictEqual([wrong.status, wrong.body], [right.status, right.body])
    assert.deepStrictEqual([none.status, none.body], [403, right.body])
    assert.strictEqual((await service.visitor({ path, remoteAddress: "198.51.100.9" })).status, 401)
    assert.match(
      (await service.visitor({ path: "/metrics", remoteAddress: "127.0.0.1" })).body,
      /countersign_refused_addresses_total\{credential="operator"\} [1-9]/
    )
  })

  it.each<readonly [string, string | undefined, number]>([
    ["203.0.113.7", "198.51.100.9", 403],
    ["10.0.0.1", "198.51.100.9", 200],
    ["10.0.0.1", "198.51.100.9, 203.0.113.7", 403],
    ["10.0.0.1", "198.51.100.9, 10.0.0.2", 200],
    ["10.0.0.1", "198.51.100.9, nonsense", 403],
    ["10.0.0.1", "", 403],
    ["10.0.0.1", undefined, 403]
  ])("believe no X-Forwarded-For but a trusted proxy's: %s says %s", async (remoteAddress, forwarded, status) => {
    const headers = { ...operator, ...(forwarded === undefined ? {} : { "x-forwarded-for": forwarded }) }
    assert.strictEqual((await proxied.visitor({ path, remoteAddress, headers })).status, status)
  })
})
