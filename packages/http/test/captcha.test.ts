import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { MemoryStorage } from "@countersign/core/memory"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { makeService } from "../src/index.ts"

const key = (kind: string) => ({
  clientId: `cs_${kind}_captcha`,
  clientSecret: `sk_${kind}_0123456789abcdef`,
  publicKey: `pk_${kind}_captcha`
})

describe("the captcha of an application that embeds the service", () => {
  /** The captcha's provider: a token is right if it begins with `right`. `broken` fails. */
  const asked: Array<{ readonly token: string; readonly clientIp: string | null }> = []
  const provider = createServer((request, response) => {
    let text = ""
    request.on("data", (chunk) => (text += String(chunk)))
    request.on("end", () => {
      const question: (typeof asked)[number] = JSON.parse(text)
      asked.push(question)
      if (question.token === "broken") response.socket?.destroy()
      else response.end(JSON.stringify(question.token.startsWith("right")))
    })
  })
  let countersign: Awaited<ReturnType<typeof makeService>>
  let n = 1_000
  const phone = () => `+99891234${(n += 7)}`

  beforeAll(async () => {
    await new Promise<void>((listening) => provider.listen(0, "127.0.0.1", listening))
    const url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
    countersign = await makeService({
      storage: MemoryStorage.layer,
      channels: [{ name: "SMS", send: async () => {} }],
      secret: "0c".repeat(32),
      keys: { live: key("live"), test: key("test") },
      settings: { guardEnforces: ["PREFIX_UNVERIFIED"], sdkInitiatesPerIpPerHour: 1_000 },
      clientAddress: () => "203.0.113.7",
      checkCaptcha: async (token, { clientIp }) => {
        const response = await fetch(url, { method: "POST", body: JSON.stringify({ token, clientIp }) })
        return (await response.json()) === true
      }
    })
    let isRefused = false
    for (let sent = 0; !isRefused && sent < 40; sent++) {
      isRefused = await countersign.initiate({ identity: phone(), identityType: "MOBILE" }).then(
        () => false,
        () => true
      )
    }
    assert.isTrue(isRefused)
  })
  afterAll(async () => {
    await countersign?.close()
    provider.closeAllConnections()
    await new Promise((closed) => provider.close(closed))
  })

  interface Answer {
    readonly errorCode?: string
    readonly challenge: { readonly token: string; readonly kind: string }
  }

  const initiate = async (phone: string, challenge?: object) => {
    const response = await countersign.handler(
      new Request("http://localhost/v1/sdk/auth/initiate", {
        method: "POST",
        headers: { "x-public-key": key("live").publicKey, "content-type": "application/json" },
        body: JSON.stringify({ phone, challenge })
      })
    )
    return { status: response.status, body: (await response.json()) as Answer }
  }

  it("lets an app pass with a token that it accepts, and is asked nothing about stolen answers", async () => {
    const number = phone()
    const { token, kind } = (await initiate(number)).body.challenge
    assert.strictEqual(kind, "CAPTCHA")
    const wrong = await initiate(number, { token, answer: "wrong" })
    assert.deepStrictEqual([wrong.status, wrong.body.errorCode], [400, "INVALID_REQUEST"])
    assert.strictEqual((await initiate(phone(), { token, answer: "right-1" })).status, 400)
    assert.strictEqual((await initiate(number, { token, answer: "x".repeat(8_193) })).status, 400)
    assert.deepStrictEqual(asked.splice(0), [{ token: "wrong", clientIp: "203.0.113.7" }])
    const sent = await initiate(number, { token, answer: "right-1" })
    assert.strictEqual(sent.status, 200, JSON.stringify(sent.body))
    assert.strictEqual((await initiate(number, { token, answer: "right-1" })).status, 400)
    assert.strictEqual(asked.splice(0).length, 1)
  })

  it("is replaced by a proof of work when its provider fails", async () => {
    const number = phone()
    const { token } = (await initiate(number)).body.challenge
    const away = await initiate(number, { token, answer: "broken" })
    assert.strictEqual(away.status, 429)
    assert.strictEqual(away.body.challenge.kind, "PROOF_OF_WORK")
  })
})
