import { hash } from "node:crypto"
import { afterAll, assert, beforeAll, describe, test } from "vitest"
import { type App, startApp } from "./startApp.ts"
import { visitors } from "./visitors.ts"

const { noBrowser, visitor } = await visitors()

interface Refusal {
  readonly challenge: { readonly token: string; readonly difficulty: number }
}
interface Answered {
  readonly challenge?: { readonly token: string; readonly answer: string }
}

describe.skipIf(noBrowser)("signing in while the guard holds a block of numbers back", () => {
  let app: App
  let next = 1_000
  const phone = () => `+99891234${(next += 7)}`
  beforeAll(async () => {
    app = await startApp({ mounted: true })
    assert.strictEqual(await app.post("/v1/dashboard/protection/reasons/PREFIX_UNVERIFIED/enforce", {}), 204)
  })
  afterAll(() => app?.close())

  /** Requests codes that nobody enters, until the guard holds the next request back. */
  const holdBack = async () => {
    const initiate = () => app.post("/v1/auth/initiate", { identity: phone(), identityType: "MOBILE", mode: "OTP" })
    let status = await initiate()
    for (let sent = 0; status === 200 && sent < 40; sent++) status = await initiate()
    assert.strictEqual(status, 429)
  }

  for (const policy of ["the page's own policy", "a policy without workers"] as const) {
    test(`works by a proof of work that the browser computes, with ${policy}`, async () => {
      await holdBack()
      const who = await visitor(app.url)
      if (policy === "a policy without workers") {
        await who.context.route(app.url, async (route) => {
          const response = await route.fetch()
          const allowed = response.headers()["content-security-policy"] ?? ""
          assert.include(allowed, "worker-src blob:")
          const headers = {
            ...response.headers(),
            "content-security-policy": allowed.replace("worker-src blob:; ", "")
          }
          await route.fulfill({ response, headers })
        })
        await who.page.reload()
        await who.sees("Sign in")
      }
      let workers = 0
      who.page.on("worker", () => workers++)
      const answers: Array<Promise<Refusal>> = []
      const requests: Array<Answered> = []
      who.page.on("response", (response) => {
        if (!response.url().endsWith("/v1/sdk/auth/initiate") || response.request().method() !== "POST") return
        requests.push(response.request().postDataJSON())
        answers.push(response.json())
      })
      const identity = phone()
      await who.ask(identity)
      await who.code.fill(await app.codeFor(identity))
      await who.sees("You are signed in")
      assert.strictEqual(requests.length, 2)
      const { challenge } = (await answers[0])!
      const { answer, token } = requests[1]!.challenge!
      assert.strictEqual(token, challenge.token)
      const firstBits = Number.parseInt(hash("sha256", token + answer).slice(0, 8), 16)
      assert.isBelow(firstBits * challenge.difficulty, 2 ** 32)
      if (policy === "the page's own policy") assert.strictEqual(workers, 1)
      else {
        assert.isTrue(
          who.problems.some((problem) => problem.includes("worker-src")),
          who.problems.join()
        )
        who.forgive()
      }
    })
  }
})
