import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { createServer as createHttpServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { MemoryStorage } from "@countersign/core/memory"
import { makeService } from "@countersign/http"
import { afterAll, assert, beforeAll, describe, test } from "vitest"
import { onDemand } from "../../../tools/onDemand.ts"

/** What the page docs/migrating/auth-js.md hands out. */
interface Recipe {
  readonly sendCode: (identity: string, request: Request) => Promise<{ readonly requestId: string }>
  readonly authorize: (credentials: object, request: Request) => Promise<{ readonly id: string } | null>
}

const authJs = onDemand("authJs")
const { Auth } = await authJs.load<{ readonly Auth: (request: Request, config: object) => Promise<Response> }>(
  "@auth/core"
)
const { default: Credentials } = await authJs.load<{ readonly default: (options: object) => object }>(
  "@auth/core/providers/credentials"
)

const root = join(import.meta.dirname, "..", "..", "..")
const page = readFileSync(join(root, "docs/migrating/auth-js.md"), "utf8")

/** The first block of the page as a module, which finds our packages as the application would. */
const recipeOf = async (): Promise<Recipe> => {
  const [, source] = /```ts\n([\s\S]*?)```/.exec(page) ?? []
  const folder = join(import.meta.dirname, "..", ".tsbuild")
  mkdirSync(folder, { recursive: true })
  const file = join(mkdtempSync(join(folder, "auth-js-")), "codes.ts")
  writeFileSync(file, source!)
  return import(/* @vite-ignore */ pathToFileURL(file).href)
}

const origin = "http://localhost:3000"

describe("the recipe for Auth.js, with Auth.js itself", () => {
  const sent: Array<{ readonly to: string; readonly text: string }> = []
  let recipe: Recipe
  let ahead = 0
  let isDown = false
  let service: Awaited<ReturnType<typeof makeService>>
  const http = createHttpServer((request, response) =>
    isDown ? request.socket.destroy() : service.nodeHandler(request, response)
  )

  beforeAll(async () => {
    await new Promise<void>((listening) => http.listen(0, "127.0.0.1", listening))
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
    const send = async (message: (typeof sent)[number]) => void sent.push(message)
    const keysOf = (kind: "live" | "test") => ({
      clientId: `cs_${kind}_${"a".repeat(24)}`,
      clientSecret: `sk_${kind}_${"b".repeat(43)}`,
      publicKey: `pk_${kind}_${"c".repeat(24)}`
    })
    const live = keysOf("live")
    service = await makeService({
      storage: MemoryStorage.layer,
      channels: [
        { name: "SMS", send },
        { name: "EMAIL", send }
      ],
      secret: "5e".repeat(32),
      baseUrl: url,
      environment: "live",
      keys: { live, test: keysOf("test") },
      clock: { now: () => Date.now() + ahead },
      logger: () => {},
      settings: { maxAttempts: 3, codeExpirySeconds: 120 }
    })
    process.env["COUNTERSIGN_URL"] = url
    process.env["COUNTERSIGN_CLIENT_ID"] = live.clientId
    process.env["COUNTERSIGN_CLIENT_SECRET"] = live.clientSecret
    recipe = await recipeOf()
  })
  afterAll(async () => {
    http.closeAllConnections()
    http.close()
    await service?.close()
  })

  const logged: Array<string> = []
  const config = () => ({
    secret: "a secret of Auth.js, at least 32 characters long",
    trustHost: true,
    basePath: "/auth",
    logger: { error: (error: Error) => logged.push(error.name), warn: () => {}, debug: () => {} },
    session: { strategy: "jwt" },
    providers: [Credentials({ credentials: { code: {} }, authorize: recipe.authorize })]
  })

  /** A browser with its cookies, and the application's route that sends a code. */
  const browser = () => {
    const jar = new Map<string, string>()
    const cookie = () => [...jar].map((pair) => pair.join("=")).join("; ")
    const call = async (path: string, form?: Readonly<Record<string, string>>) => {
      const answer = await Auth(
        new Request(`${origin}/auth/${path}`, {
          headers: { cookie: cookie() },
          ...(form === undefined ? {} : { method: "POST", body: new URLSearchParams(form) })
        }),
        config()
      )
      for (const set of answer.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? []
        if (value === "") jar.delete(name)
        else jar.set(name, value)
      }
      return answer
    }
    return {
      jar,
      ask: async (identity: string) => {
        const { requestId } = await recipe.sendCode(
          identity,
          new Request(origin, { headers: { "user-agent": "a browser" } })
        )
        jar.set("login", requestId)
      },
      /** Where Auth.js sends the browser after `signIn("credentials", { code })`. */
      enter: async (code: string) => {
        const { csrfToken } = (await (await call("csrf")).json()) as { readonly csrfToken: string }
        return (await call("callback/credentials", { csrfToken, code })).headers.get("location") ?? ""
      },
      user: async () =>
        ((await (await call("session")).json()) as { readonly user?: { readonly name: string } } | null)?.user
    }
  }

  const codeTo = async (identity: string): Promise<string> => {
    for (;;) {
      const text = sent.findLast(({ to }) => to === identity)?.text
      if (text !== undefined) return /\b\d{6}\b/.exec(text)![0]
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const wrongFor = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, "0")
  let last = 0
  const phone = () => `+9198765432${String(++last).padStart(2, "1")}`

  test.each([
    ["a number", phone()],
    ["an address", "asha@example.com"]
  ])("a person signs in with the code to %s, and the session is theirs", async (_what, identity) => {
    const person = browser()
    await person.ask(identity)
    assert.strictEqual(await person.enter(await codeTo(identity)), origin)
    assert.strictEqual((await person.user())?.name, identity)
  })

  test("a wrong code signs nobody in, and the right one still does", async () => {
    const [person, identity] = [browser(), phone()]
    await person.ask(identity)
    const code = await codeTo(identity)
    assert.include(await person.enter(wrongFor(code)), "error=CredentialsSignin")
    assert.isUndefined(await person.user())
    assert.strictEqual(await person.enter(code), origin)
    assert.strictEqual((await person.user())?.name, identity)
  })

  test("a code signs in once, in the same browser and in another one that has its cookie", async () => {
    const [person, identity] = [browser(), phone()]
    await person.ask(identity)
    const code = await codeTo(identity)
    const thief = browser()
    thief.jar.set("login", person.jar.get("login")!)
    assert.strictEqual(await person.enter(code), origin)
    assert.include(await thief.enter(code), "error=CredentialsSignin")
    assert.isUndefined(await thief.user())
    const again = browser()
    again.jar.set("login", person.jar.get("login")!)
    assert.include(await again.enter(code), "error=CredentialsSignin")
  })

  test("of eight browsers with one code at the same time, one is signed in", async () => {
    const [person, identity] = [browser(), phone()]
    await person.ask(identity)
    const code = await codeTo(identity)
    const browsers = Array.from({ length: 8 }, () => {
      const one = browser()
      one.jar.set("login", person.jar.get("login")!)
      return one
    })
    const places = await Promise.all(browsers.map((one) => one.enter(code)))
    assert.lengthOf(
      places.filter((place) => place === origin),
      1
    )
  })

  test("the code of another person is refused, and so is one without the cookie of the browser that asked", async () => {
    const [one, other] = [browser(), browser()]
    const [mine, theirs] = [phone(), phone()]
    await one.ask(mine)
    await other.ask(theirs)
    const [code, foreign] = [await codeTo(mine), await codeTo(theirs)]
    if (code !== foreign) assert.include(await one.enter(foreign), "error=CredentialsSignin")
    assert.include(await browser().enter(code), "error=CredentialsSignin")
    assert.isUndefined(await one.user())
    assert.strictEqual(await one.enter(code), origin)
    assert.strictEqual((await one.user())?.name, mine)
  })

  test("three wrong codes, and two minutes, end a login", async () => {
    const [person, identity] = [browser(), phone()]
    await person.ask(identity)
    const code = await codeTo(identity)
    for (let n = 0; n < 3; n++) await person.enter(wrongFor(code))
    assert.include(await person.enter(code), "error=CredentialsSignin")
    const [late, other] = [browser(), phone()]
    await late.ask(other)
    const old = await codeTo(other)
    ahead += 121_000
    assert.include(await late.enter(old), "error=CredentialsSignin")
    assert.isUndefined(await late.user())
  })

  test("an unreachable service is an error of its own, and signs nobody in", async () => {
    const [person, identity] = [browser(), phone()]
    await person.ask(identity)
    const code = await codeTo(identity)
    isDown = true
    const place = await person.enter(code)
    isDown = false
    assert.notInclude(place, "CredentialsSignin")
    assert.include(place, "error=")
    assert.include(logged, "CallbackRouteError")
    assert.isUndefined(await person.user())
    assert.strictEqual(await person.enter(code), origin)
  })
})
