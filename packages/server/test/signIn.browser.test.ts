import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { MemoryStorage } from "@countersign/core/memory"
import { makeService } from "@countersign/http"
import { Oidc } from "@countersign/oidc"
import { Passkeys } from "@countersign/passkeys"
import { Effect, Redacted } from "effect"
import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { launch } from "../../../tools/chromium.ts"
import * as RealProvider from "../../oidc/test/fixtures/RealProvider.ts"
import { uuid } from "./fixture/Client.ts"
import { until } from "./fixture/Until.ts"

const browser = await launch()

const keysOf = (kind: string) => ({
  clientId: `cs_${kind}_sign_in`,
  clientSecret: `sk_${kind}_${uuid()}`,
  publicKey: `pk_${kind}_sign_in`
})

interface Answered {
  readonly status: number
  readonly body: any
}

describe.skipIf("skipped" in browser)("signing in to the dashboard in a browser", () => {
  const keys = { live: keysOf("live"), test: keysOf("test") }
  const server = createServer()
  /** The mailed codes by recipient. */
  const codes = new Map<string, string>()
  let countersign: Awaited<ReturnType<typeof makeService>>
  let provider: RealProvider.RealProvider
  let base = ""

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    base = `http://localhost:${(server.address() as AddressInfo).port}`
    provider = await RealProvider.start({
      clients: [{ id: "countersign", secret: "ours", redirectUri: `${base}/dashboard/oidc/callback` }],
      accounts: {
        asha: { email: "asha@example.com", emailVerified: true },
        eve: { email: "eve@example.com", emailVerified: true },
        ravi: { email: "asha@example.com", emailVerified: false }
      }
    })
    countersign = await makeService({
      storage: MemoryStorage.layer,
      channels: [{ name: "EMAIL", send: async ({ code, to }) => void codes.set(to, code) }],
      secret: "0d".repeat(32),
      baseUrl: base,
      keys,
      dashboard: {
        passkeys: Passkeys.make(),
        oidc: await Effect.runPromise(
          Oidc.make({ issuer: provider.issuer, clientId: "countersign", clientSecret: Redacted.make("ours") })
        )
      }
    })
    server.on("request", countersign.nodeHandler)
  })
  afterAll(async () => {
    await countersign.close()
    await provider.close()
    server.closeAllConnections()
    server.close()
  })

  /** A request of the merchant's backend with its key. */
  const ask = async (method: string, path: string, body?: unknown): Promise<Answered> => {
    const answer = await fetch(`${base}/v1/dashboard${path}`, {
      method,
      headers: {
        "content-type": "application/json",
        "x-client-id": keys.live.clientId,
        "x-client-secret": keys.live.clientSecret
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    return { status: answer.status, body: await answer.json() }
  }

  const agents = new Map<string, number>()
  const hire = async (email: string, fields: { readonly [name: string]: unknown } = {}) => {
    const { body, status } = await ask("POST", "/agents", { email, role: "ADMIN", ...fields })
    assert.strictEqual(status, 201)
    agents.set(email, body.id)
  }

  /** A page of the service's own origin, as the dashboard would be. */
  const open = async () => {
    if ("skipped" in browser) throw new Error(browser.skipped)
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(`${base}/healthz`)
    return { page, close: () => context.close() }
  }

  /** A request of the page's script, with the browser's cookies. */
  const fromPage = (page: Page, method: string, path: string, body?: unknown): Promise<Answered> =>
    page.evaluate(
      async ([method, path, body]) => {
        const answer = await fetch(`/v1/dashboard${path}`, {
          method,
          headers: { "content-type": "application/json" },
          ...(body === undefined ? {} : { body: JSON.stringify(body) })
        })
        const text = await answer.text()
        return { status: answer.status, body: text === "" ? null : JSON.parse(text) }
      },
      [method, path, body] as const
    )

  const me = async (page: Page) => {
    const { body, status } = await fromPage(page, "GET", "/me")
    return status === 200 ? body.agent.email : status
  }

  const signInByCode = async (page: Page, email: string) => {
    codes.delete(email)
    assert.strictEqual((await fromPage(page, "POST", "/sessions", { email })).status, 202)
    const code = await until(
      async () => codes.get(email),
      (code) => code !== undefined,
      { what: "a code by mail" }
    )
    const { body, status } = await fromPage(page, "POST", "/sessions/confirm", { email, code })
    assert.strictEqual(status, 200)
    return body
  }

  it("a code by email opens a session in an HttpOnly cookie, and signing out ends it", async () => {
    await hire("asha@example.com")
    const { close, page } = await open()
    assert.strictEqual(await me(page), 401)
    const { agent } = await signInByCode(page, "asha@example.com")
    assert.deepInclude(agent, { email: "asha@example.com", role: "ADMIN" })
    assert.strictEqual(await me(page), "asha@example.com")
    const named = async (name: string) => (await page.context().cookies()).filter((cookie) => cookie.name === name)
    const [cookie] = await named("countersign-dev")
    assert.deepInclude(cookie, { name: "countersign-dev", httpOnly: true, sameSite: "Lax", path: "/" })
    assert.strictEqual(await page.evaluate("document.cookie"), "")
    assert.strictEqual((await fromPage(page, "DELETE", "/sessions/current")).status, 204)
    assert.strictEqual(await me(page), 401)
    assert.deepStrictEqual(await named("countersign-dev"), [])
    await close()
  })

  it("a link signs in once, and an invited person becomes active", async () => {
    await hire("ravi@example.com", { status: "INVITED", role: "AGENT" })
    const { body, status } = await ask("POST", `/agents/${agents.get("ravi@example.com")}/invite`)
    assert.strictEqual(status, 200)
    const token = new URL(body.url).hash.replace("#redeem=", "")
    const { close, page } = await open()
    assert.strictEqual((await fromPage(page, "POST", "/sessions/redeem", { token })).status, 200)
    assert.strictEqual(await me(page), "ravi@example.com")
    const other = await open()
    assert.strictEqual((await fromPage(other.page, "POST", "/sessions/redeem", { token })).status, 401)
    const agent = await ask("GET", `/agents/${agents.get("ravi@example.com")}`)
    assert.strictEqual(agent.body.status, "ACTIVE")
    await other.close()
    await close()
  })

  it("a passkey created in one session opens the next one without a code", async () => {
    const { close, page } = await open()
    const cdp = await page.context().newCDPSession(page)
    await cdp.send("WebAuthn.enable")
    const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true
      }
    })
    await signInByCode(page, "asha@example.com")

    /** The browser's answer to passkey options: it creates a passkey, or uses one. */
    const answer = (kind: "create" | "get", options: unknown): Promise<unknown> =>
      page.evaluate(
        async ([kind, options]) => {
          const page = globalThis as any
          const { PublicKeyCredential } = page
          const credential =
            kind === "create"
              ? await page.navigator.credentials.create({
                  publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options)
                })
              : await page.navigator.credentials.get({
                  publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options)
                })
          return credential.toJSON()
        },
        [kind, options] as const
      )

    const options = await fromPage(page, "POST", "/passkeys/options")
    const made = { response: await answer("create", options.body), name: "My laptop" }
    const kept = await fromPage(page, "POST", "/passkeys", made)
    assert.strictEqual(kept.status, 201, JSON.stringify(kept.body))
    assert.strictEqual((await fromPage(page, "POST", "/passkeys", made)).status, 400)
    await fromPage(page, "DELETE", "/sessions/current")
    assert.strictEqual(await me(page), 401)

    const request = await fromPage(page, "POST", "/sessions/passkey/options")
    const used = { response: await answer("get", request.body) }
    const signedIn = await fromPage(page, "POST", "/sessions/passkey", used)
    assert.strictEqual(signedIn.status, 200, JSON.stringify(signedIn.body))
    assert.strictEqual(await me(page), "asha@example.com")
    assert.strictEqual((await fromPage(page, "POST", "/sessions/passkey", used)).status, 401)

    // An authenticator without user verification cannot sign a person in.
    await cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false })
    const again = await fromPage(page, "POST", "/sessions/passkey/options")
    const refused = await answer("get", again.body).catch((error: unknown) => String(error))
    assert.include(String(refused), "NotAllowedError")

    const [passkey] = (await fromPage(page, "GET", "/passkeys")).body.items
    assert.deepInclude(passkey, { id: kept.body.id, name: "My laptop" })
    assert.strictEqual((await fromPage(page, "DELETE", `/passkeys/${passkey.id}`)).status, 204)
    assert.deepStrictEqual((await fromPage(page, "GET", "/passkeys")).body.items, [])
    await close()
  })

  /** Signs in on the provider's own pages, as a person would. */
  const throughProvider = async (page: Page, login: string) => {
    await page.goto(`${base}/dashboard/oidc/start`)
    for (let pages = 0; pages < 4 && !page.url().startsWith(`${base}/dashboard`); pages++) {
      const name = page.locator("input[name=login]")
      if ((await name.count()) > 0) {
        await name.fill(login)
        await page.locator("input[name=password]").fill("any")
      }
      await page.locator("button[type=submit]").click()
      await page.waitForLoadState()
    }
    return page.url().slice(base.length)
  }

  it("an identity provider signs in only team members that it knows", async () => {
    const { close, page } = await open()
    assert.strictEqual(await throughProvider(page, "asha"), "/dashboard")
    assert.strictEqual(await me(page), "asha@example.com")
    const names = (await page.context().cookies()).map(({ name }) => name)
    assert.deepStrictEqual(
      names.filter((name) => name.endsWith("-oidc")),
      []
    )
    for (const stranger of ["eve", "ravi"]) {
      const other = await open()
      assert.strictEqual(await throughProvider(other.page, stranger), "/dashboard#sign-in=refused")
      assert.strictEqual(await me(other.page), 401)
      await other.close()
    }
    await close()
  })

  it("an answer from the identity provider is accepted only in the browser that started the sign-in", async () => {
    const [victim, thief] = [await open(), await open()]
    const start = await thief.page.request.get(`${base}/dashboard/oidc/start`, { maxRedirects: 0 })
    const returned = await RealProvider.visit(
      new URL(start.headers()["location"] ?? ""),
      "asha",
      `${base}/dashboard/oidc/callback`
    )
    await victim.page.goto(returned.href)
    assert.strictEqual(victim.page.url(), `${base}/dashboard#sign-in=refused`)
    assert.strictEqual(await me(victim.page), 401)
    await victim.close()
    await thief.close()
  })
})
