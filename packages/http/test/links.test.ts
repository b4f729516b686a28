import { inspect } from "node:util"
import { Core, Links, logoHash, Merchants, Verifications } from "@countersign/core"
import { MemoryStorage } from "@countersign/core/memory"
import { type Storage, StoreError, VerificationStore } from "@countersign/core/storage"
import { Effect, Layer, Logger, ManagedRuntime, Redacted, Tracer } from "effect"
import { TestClock } from "effect/testing"
import { afterAll, assert, beforeAll, beforeEach, describe, it } from "vitest"
import { makeService, CountersignError, Dispatcher } from "../src/index.ts"

const secret = "0c".repeat(32)
const publicUrl = "https://verify.example.com/identity"

/** The calls to the verification store in order, and whether it is available. */
const asked: Array<string> = []
let away = false

const listening: Layer.Layer<Storage> = Layer.effect(
  VerificationStore,
  Effect.map(
    VerificationStore,
    (store) =>
      new Proxy(store, {
        get: (target, name: keyof typeof store) =>
          name !== "find"
            ? target[name]
            : (...parameters: Parameters<typeof store.find>) => {
                asked.push(`find ${parameters.length}`)
                return away
                  ? Effect.fail(new StoreError({ operation: "find", cause: "away" }))
                  : target.find(...parameters)
              }
      })
  )
).pipe(Layer.provideMerge(MemoryStorage.layer))

/** Two pictures of 96 and 95 by 32 pixels. */
const [brandLogo, another] = [
  "iVBORw0KGgoAAAANSUhEUgAAAGAAAAAgCAYAAADtwH1UAAAAcklEQVR4nO3VsQ3DAAzAMH/QTzPm/eYMGrAG7to0z//3xpkFDafNgobTZkHDabOg4bQegPUArAdgPQDrAVgPwHoA1gOwHoD1AKwHYD0A6wFYD8B6ANYDsB6A9QCsB2A9AOsBWA/AegDWA7AegPUArAdgH5uqWVpt5ocAAAAAAElFTkSuQmCC",
  "iVBORw0KGgoAAAANSUhEUgAAAF8AAAAgCAYAAAB0OKThAAAAcklEQVR4nO3UsQ3DAAzAMH/QTzPm/eYMGrAG7po0z//3xpgFDWfNgoazZkHDWbOg4ayeD/V8qOdDPR/q+VDPh3o+1POhng/1fKjnQz0f6vlQz4d6PtTzoZ4P9Xyo50M9H+r5UM+Hej7U86GeD/V8qOdDH5i7Gxr6Ma7yAAAAAElFTkSuQmCC"
].map((text) => `data:image/png;base64,${text}`) as [string, string]

describe("links in a service with a test clock and observed storage", () => {
  const log: Array<string> = []
  const spans: Array<Tracer.NativeSpan> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  const runtime = ManagedRuntime.make(
    Dispatcher.layer({ publicUrl, tracing: true }).pipe(
      Layer.provideMerge(Core.layer({ secret: Redacted.make(secret), publicUrl, channels: [] })),
      Layer.provideMerge(listening),
      Layer.provideMerge(Logger.layer([Logger.map(Logger.formatJson, (line) => void log.push(line))])),
      Layer.provideMerge(Layer.succeed(Tracer.Tracer, tracer)),
      Layer.provideMerge(TestClock.layer())
    )
  )
  afterAll(() => runtime.dispose())
  beforeEach(() => {
    asked.length = 0
  })

  const send = async (path: string, form?: { readonly [name: string]: string }) => {
    const answer = await runtime.runPromise(
      Effect.flatMap(Dispatcher, ({ dispatch }) =>
        dispatch({
          method: form === undefined ? "GET" : "POST",
          path,
          query: "",
          remoteAddress: path === "/metrics" ? "127.0.0.1" : null,
          header: (name) => (name === "content-type" ? "application/x-www-form-urlencoded" : undefined),
          body: () => Effect.succeed(new TextEncoder().encode(new URLSearchParams(form).toString()))
        })
      )
    )
    const { "x-request-id": _, ...headers } = answer.headers
    return { status: answer.status, headers, text: answer.body as string }
  }

  let next = 0
  /** Starts a login by link and returns its token. */
  const token = () =>
    runtime.runPromise(
      Effect.gen(function* () {
        const merchants = yield* Merchants
        const { environments } = yield* merchants.ensureInProcess("Acme")
        const caller = yield* merchants.callerIn(environments.find(({ kind }) => kind === "test")!.id, "x")
        const identity = `a${next++}@example.com`
        const request = { identity, identityType: "EMAIL", mode: "MAGIC_LINK" }
        const { verification } = yield* (yield* Verifications).initiate(caller, request)
        const { testLink } = yield* (yield* Links).shown(caller, verification)
        assert.isTrue(testLink?.startsWith(`${publicUrl}/l/`), String(testLink))
        return testLink!.slice(`${publicUrl}/l/`.length)
      })
    )

  it("make the same storage call whether a link is valid, expired, used, cut off or unknown", async () => {
    const [good, used, expired] = [await token(), await token(), await token()]
    await send("/l", { token: used })
    const [environment, id] = good.split(".")
    const none = [used, good.slice(0, -1), `${environment}.${id}.${"0".repeat(26)}`, `x${good}`, "", "x"]
    asked.length = 0
    const page = await send(`/l/${good}`)
    assert.deepStrictEqual([page.status, asked.splice(0)], [200, ["find 2"]])
    assert.include(page.text, `<form method="post" action="${publicUrl}/l">`)
    const [unknown] = [await send("/l/unknown")]
    asked.length = 0
    for (const token of none) {
      assert.deepStrictEqual(await send(`/l/${token}`), unknown, token)
      assert.deepStrictEqual(asked.splice(0), ["find 2"], token)
      assert.deepStrictEqual(await send("/l", { token }), unknown, token)
      assert.deepStrictEqual(asked.splice(0), ["find 2"], token)
    }
    await runtime.runPromise(TestClock.adjust("239 seconds"))
    assert.include((await send(`/l/${expired}`)).text, "3 minutes ago")
    await runtime.runPromise(TestClock.adjust("61 seconds"))
    asked.length = 0
    assert.deepStrictEqual(await send(`/l/${expired}`), unknown)
    assert.deepStrictEqual(await send("/l", { token: expired }), unknown)
    assert.deepStrictEqual(asked, ["find 2", "find 2"])
  })

  it("answer with a server error while storage is unavailable, and valid links stay valid", async () => {
    const good = await token()
    log.length = 0
    away = true
    const answers = [await send(`/l/${good}`), await send("/l", { token: good })]
    away = false
    for (const { headers, status, text } of answers) {
      assert.strictEqual(status, 500)
      assert.include(text, "The problem is on our side")
      assert.deepInclude(headers, { "retry-after": "1", "content-type": "text/html; charset=utf-8" })
      assert.include(headers["content-security-policy"], "default-src 'none'")
    }
    assert.isNotEmpty(log)
    assert.strictEqual((await send("/l", { token: good })).status, 200)
  })

  it("look like the merchant's brand, whose hostile name stays a text", async () => {
    const change = (settings: { readonly [name: string]: unknown }) =>
      runtime.runPromise(
        Effect.gen(function* () {
          const merchants = yield* Merchants
          const { environments } = yield* merchants.ensureInProcess("Acme")
          const { id } = environments.find(({ kind }) => kind === "test")!
          yield* merchants.changeSettings(yield* merchants.callerIn(id, "x"), settings)
          return id
        })
      )
    const id = await change({ brand: `</title><script>alert(1)</script>`, brandColor: "#FFD600", brandLogo })
    const page = await send(`/l/${await token()}`)
    const policy = page.headers["content-security-policy"] ?? ""
    const styles = [...page.text.matchAll(/<style>([^]*?)<\/style>/g)].map(([, text = ""]) => text)
    assert.include(styles[1], "--fill:#ffd600;--on:#000000")
    for (const text of styles) {
      const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))
      assert.include(policy, `'sha256-${Buffer.from(hash).toString("base64")}'`)
    }
    assert.include(policy, "img-src data:")
    assert.include(page.text, `<img class="logo" src="${brandLogo}" alt="" width="96" height="32">`)
    assert.notInclude(page.text, "<script>alert")
    assert.include(page.text, "&#60;script&#62;alert(1)")

    const address = `/logos/${id}/${logoHash(brandLogo)}.png`
    const logo = await send(address)
    assert.deepStrictEqual(`data:image/png;base64,${Buffer.from(logo.text).toString("base64")}`, brandLogo)
    assert.deepInclude(logo.headers, {
      "content-type": "image/png",
      "x-content-type-options": "nosniff",
      "cache-control": "public, max-age=31536000, immutable"
    })
    assert.include(logo.headers["content-security-policy"], "sandbox")
    for (const path of [
      address.replace(id, `${id}x`),
      `/logos/${id}/${logoHash(another)}.png`,
      address.replace(".png", ".svg"),
      address.replace("/logos/", "/logos/../")
    ])
      assert.strictEqual((await send(path)).status, 404, path)
    assert.strictEqual((await send(address, {})).status, 405)
    await change({ brandLogo: another })
    assert.strictEqual((await send(address)).status, 404)
    await change({ brand: "Acme", brandColor: null, brandLogo: null })
    assert.include((await send(`/l/${await token()}`)).text, "--fill:#0f766e")
  })

  it("never write a token to logs, traces or metrics", async () => {
    const good = await token()
    spans.length = 0
    await send(`/l/${good}`)
    await send("/l", { token: good })
    await send("/l", { token: good })
    away = true
    await send(`/l/${good}`)
    away = false
    assert.deepStrictEqual([...new Set(spans.map(({ name }) => name))], ["unknown"])
    // Trace collectors receive these. They never receive the answer itself, which a span holds until its end.
    const seen = inspect(
      spans.map(({ attributes, events, links, name }) => ({ attributes, events, links, name })),
      { depth: 9 }
    )
    const metrics = (await send("/metrics")).text
    assert.include(metrics, 'route="none"')
    const proof = good.split(".")[2]!
    for (const text of [seen, metrics, log.join("\n")]) assert.notInclude(text, proof)
  })
})

describe("links of an embedded service", () => {
  const plain = (kind: string) => ({
    clientId: `cs_${kind}_links`,
    clientSecret: `sk_${kind}_links_0123456789`,
    publicKey: `pk_${kind}_links`
  })
  const request = { identity: "+919876543210", identityType: "MOBILE", mode: "MAGIC_LINK" }
  const redirectUri = "https://shop.example.com/back"
  let countersign: Awaited<ReturnType<typeof makeService>>
  beforeAll(async () => {
    countersign = await makeService({
      storage: MemoryStorage.layer,
      channels: [],
      secret,
      baseUrl: publicUrl,
      basePath: "/identity",
      environment: "test",
      keys: { live: plain("live"), test: plain("test") },
      settings: { redirectUris: [redirectUri], linkNumberMatch: true }
    })
  })
  afterAll(() => countersign.close())

  it("verify an identity from the method to the page, below the path where the handlers are mounted", async () => {
    const { link = "", matchNumber = "", message, requestId } = await countersign.initiate({ ...request, redirectUri })
    assert.strictEqual(message, "Link sent successfully")
    assert.strictEqual((await countersign.status({ requestId })).matchNumber, matchNumber)
    const page = await countersign.handler(new Request(link))
    const [, action = ""] = /<form method="post" action="([^"]*)">/.exec(await page.text()) ?? []
    assert.strictEqual(action, `${publicUrl}/l`)
    const token = link.slice(`${publicUrl}/l/`.length)
    const body = new URLSearchParams({ token, number: matchNumber })
    const pressed = await countersign.handler(new Request(action, { method: "POST", body }))
    assert.strictEqual(pressed.status, 303)
    const code = new URL(pressed.headers.get("location") ?? "").searchParams.get("code") ?? ""
    assert.strictEqual((await countersign.status({ requestId })).code, code)
    const { idToken, ...who } = await countersign.token({ code })
    assert.deepStrictEqual(who, { requestId, identity: request.identity, identityType: "MOBILE", deviceTrusted: false })
    assert.strictEqual((await countersign.confirm({ idToken })).phoneNumber, request.identity)
    const failure = await countersign.token({ code }).catch((error: unknown) => error)
    assert.instanceOf(failure, CountersignError)
    assert.deepInclude(failure, { errorCode: "TRANSACTION_NOT_FOUND" })
  })

  it("are refused without a public URL, and the error names the option to set", async () => {
    const nowhere = await makeService({
      storage: MemoryStorage.layer,
      channels: [],
      secret,
      environment: "test"
    })
    const failure = await nowhere.initiate(request).catch((error: unknown) => error)
    assert.instanceOf(failure, CountersignError)
    assert.strictEqual((failure as CountersignError).errorCode, "INVALID_MODE")
    assert.include((failure as CountersignError).message, "baseUrl")
    assert.strictEqual((await nowhere.handler(new Request("http://localhost/l/x"))).status, 404)
    await nowhere.close()
  })
})
