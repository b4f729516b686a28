import { assert, describe, test } from "vitest"
import { makeWorld as makeAnyWorld, type World } from "./fixtures/world.ts"

const email = "asha@example.com"
const verifyPath = "/magic-link/verify"

const makeWorld = (options: Parameters<typeof makeAnyWorld>[0] = {}) =>
  makeAnyWorld({ environment: "test", ...options })

/** The last link. */
const linkOf = ({ links }: World) => links.at(-1)!

/** Opens the link and presses the button of its page. Returns the address that the browser is sent to. */
const approve = async (link: string) => {
  const page = await (await fetch(link)).text()
  const [, action = "", token = ""] =
    /action="([^"]+)"><input type="hidden" name="token" value="([^"]+)"/.exec(page) ?? []
  const answer = await fetch(action, { method: "POST", redirect: "manual", body: new URLSearchParams({ token }) })
  return answer.headers.get("location") ?? `${answer.status} ${await answer.text()}`
}

describe("a magic link", () => {
  test.each(["http", "process"] as const)(
    "signs in after it was approved, and sets the session cookie, over %s",
    async (over) => {
      const world = await makeWorld({ over })
      const visitor = world.browser()
      const asked = await visitor.post("/sign-in/magic-link", {
        email,
        callbackURL: "/home",
        newUserCallbackURL: "/welcome"
      })
      assert.strictEqual(asked.status, 200)
      const back = await approve(linkOf(world))
      assert.include(back, verifyPath)
      const answer = await visitor.get(back)
      assert.strictEqual(answer.status, 302)
      assert.strictEqual(new URL(answer.headers.get("location")!).pathname, "/welcome")
      assert.deepInclude(await visitor.user(), { email, emailVerified: true })
    }
  )

  test("is not used up when a mail scanner opens it, and its token is in no message and no address", async () => {
    const world = await makeWorld()
    await world.browser().post("/sign-in/magic-link", { email })
    const link = linkOf(world)
    for (const _ of [1, 2, 3]) assert.strictEqual((await fetch(link)).status, 200)
    assert.isEmpty(world.rows.session)
    assert.notInclude(link, "token=")
    const back = await approve(link)
    assert.notInclude(back, "token=")
    const visitor = world.browser()
    await visitor.get(back)
    assert.deepInclude(await visitor.user(), { email })
  })

  test("signs in once", async () => {
    const world = await makeWorld()
    await world.browser().post("/sign-in/magic-link", { email, callbackURL: "/home", errorCallbackURL: "/failed" })
    const back = await approve(linkOf(world))
    const answers = await Promise.all(Array.from({ length: 10 }, () => world.browser().get(back)))
    const places = answers.map(({ headers }) => new URL(headers.get("location")!).pathname)
    assert.lengthOf(
      places.filter((place) => place === "/home"),
      1
    )
    assert.lengthOf(
      places.filter((place) => place === "/failed"),
      9
    )
    assert.lengthOf(world.rows.session, 1)
  })

  test("does not sign in with the approval of another address", async () => {
    const world = await makeWorld()
    await world.browser().post("/sign-in/magic-link", { email })
    const victim = new URL(await approve(linkOf(world)))
    await world.browser().post("/sign-in/magic-link", { email: "thief@example.com" })
    const thief = new URL(await approve(linkOf(world)))
    const mixed = new URL(victim)
    mixed.searchParams.set("code", thief.searchParams.get("code")!)
    const visitor = world.browser()
    await visitor.get(mixed.href)
    assert.isNull(await visitor.user())
  })

  test("is refused without a code, with a changed state, and with a token of one's own", async () => {
    const world = await makeWorld()
    await world.browser().post("/sign-in/magic-link", { email })
    const back = new URL(await approve(linkOf(world)))
    const stored = String(world.rows.verification[0]!["identifier"]).replace("magic-link:", "")
    const variants: ReadonlyArray<(query: URLSearchParams) => void> = [
      (query) => query.delete("code"),
      (query) => query.delete("state"),
      (query) => query.set("state", query.get("state")!.replace(/.{9}$/, "AAAAAAAAA")),
      (query) => query.set("state", `A${query.get("state")}`),
      (query) => {
        query.delete("code")
        query.set("token", stored)
      }
    ]
    for (const change of variants) {
      const url = new URL(back)
      change(url.searchParams)
      const visitor = world.browser()
      await visitor.get(url.href)
      assert.isNull(await visitor.user(), String(change))
    }
  })

  test("needs its address in the setting redirectUris, and the operator reads that", async () => {
    const world = await makeWorld({ settings: { redirectUris: [] } })
    const refused = await world.browser().post("/sign-in/magic-link", { email })
    assert.deepStrictEqual([refused.status, refused.body["code"]], [503, "VERIFICATION_UNAVAILABLE"])
    assert.match(world.logged.join("\n"), /INVALID_REQUEST: redirectUri/)
  })

  test("is refused with 429 when it is requested too soon", async () => {
    const world = await makeWorld({ settings: { resendCooldownSeconds: 30, hourlyLimit: 1 } })
    await world.browser().post("/sign-in/magic-link", { email })
    const refused = await world.browser().post("/sign-in/magic-link", { email })
    assert.deepStrictEqual([refused.status, refused.body["code"]], [429, "RATE_LIMIT_EXCEEDED"])
  })
})
