import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { appOf } from "./fixture/App.ts"
import { code, email, phone } from "./fixture/Client.ts"
import { Random } from "./fixture/Random.ts"
import * as Requests from "./fixture/Requests.ts"
import { postgres, type Service } from "./fixture/Service.ts"
import { type Answer, type Call, pool, send } from "./fixture/Wire.ts"

const count = Number(process.env["FUZZ_REQUESTS"] ?? 1_000)
const seed = Number(process.env["FUZZ_SEED"] ?? 20_260_131)
const width = 64

let service: Service
beforeAll(async () => {
  service = await postgres()
})
afterAll(() => service?.close())

describe("invalid requests", () => {
  it(
    `of which ${count} are sent never cause a defect, and all get the error envelope`,
    async () => {
      const random = new Random(seed)
      const clients = await Promise.all(
        Array.from({ length: 8 }, () =>
          service.client({
            maxConsecutiveFailures: 0,
            canonicalHourlyLimit: 0,
            sdkInitiatesPerIpPerHour: 100_000,
            oneTap: true
          })
        )
      )
      const apps = await Promise.all(clients.map(appOf))
      const victim = await service.merchant()
      const verified = await victim.test.verified({ orderId: "order" })
      const identities = Array.from({ length: 50 }, (_, i) => (i % 5 === 0 ? email() : phone()))
      const requestIds = await Promise.all(identities.slice(1, 5).map((identity) => clients[0]!.started({ identity })))
      const sessions = await Promise.all(apps.slice(0, 4).map((app) => app.initiate({ phone: identities[1] })))
      const known: Requests.Known = {
        identity: identities,
        identityType: ["MOBILE", "MOBILE", "MOBILE", "EMAIL"],
        mode: ["OTP", "OTP", "OTP", "OAUTH", "MAGIC_LINK"],
        channel: ["SMS", "WHATSAPP", "EMAIL", "RCS", "TRUECALLER", "sms", "auto", null],
        otpLength: [4, 5, 6, 7, 8, null],
        orderId: ["order", "o-1", "o-2", null],
        requestId: [...requestIds, verified.requestId],
        otp: [code, "000000", ` ${code}`],
        phone: identities.filter((identity) => identity.startsWith("+")),
        sessionId: [...sessions.map(({ body }) => body.sessionId), null],
        code: [code, "000000"],
        codeVerifier: ["v".repeat(43), "v".repeat(128)],
        deviceToken: [...sessions.map(({ body }) => body.deviceToken), null],
        scope: ["sdk", null],
        template: [null, null, "welcome"],
        idToken: [verified.idToken, `${verified.idToken}x`],
        templateId: ["1".repeat(19), null],
        header: ["ACMECO", null],
        wabaId: [null, "123"],
        redirectUri: [null, "https://example.com"],
        deviceInfo: [{ model: "x" }, null],
        id: [victim.id],
        type: ["otp.verified", "otp.initiated"],
        limit: ["1", "200"],
        name: ["Acme"],
        settings: Object.keys((await victim.test.get("/v1/dashboard/settings")).body)
      }
      const operations = Requests.operationsOf((await service.send({ path: "/openapi.json" })).body)
      assert.isAtLeast(operations.length, 20)
      const agent = pool(width)
      const statuses = new Map<number, number>()
      const bad: Array<string> = []

      const credentialsFor = (path: string) => {
        if (random.chance(0.03)) return {}
        if (/^\/v1\/sdk\/auth\/(initiate|truecaller|verify-number)/.test(path))
          return { "x-public-key": random.pick(apps).publicKey }
        if (path.startsWith("/v1/sdk/auth")) return { authorization: `Bearer ${random.pick(apps).token}` }
        if (path.startsWith("/v1/admin")) return { authorization: `Bearer ${service.adminToken}` }
        return random.pick(clients).credentials
      }
      const once = async (index: number) => {
        const made = Requests.make(random, operations, known)
        const call: Call = { ...made, headers: { ...credentialsFor(made.path), ...made.headers } }
        const body = call.body instanceof Uint8Array ? Buffer.from(call.body).toString("latin1") : call.body
        const shown = JSON.stringify({ ...made, body }).slice(0, 1000)
        const what = `seed ${seed}, request ${index}: ${shown}`
        try {
          const { status, text }: Answer = await send(service.urls[0]!, call, agent)
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
          // A valid connection request in the test environment is refused so, because it would need WhatsApp.
          const isRefusedByProvider = status === 502 && text.includes("WHATSAPP_CONNECT_FAILED")
          if (status >= 500 && !isRefusedByProvider) bad.push(`${what} → ${status} ${text}`)
        } catch (error) {
          // When Node cannot parse a request, it does not know that it was a HEAD, and answers with a body.
          if (
            call.method === "HEAD" &&
            error instanceof Error &&
            error.message.includes("Data after `Connection: close`")
          )
            return
          bad.push(`${what} → ${String(error)}`)
        }
      }

      let next = 0
      const worker = async () => {
        while (next < count) await once(next++)
      }
      const begun = performance.now()
      await Promise.all(Array.from({ length: width }, worker))
      const seconds = ((performance.now() - begun) / 1000).toFixed(1)
      agent.destroy()
      const tally = [...statuses].toSorted(([a], [b]) => a - b).map(([status, times]) => `${status}: ${times}`)
      console.log(`${count} requests with seed ${seed} in ${seconds} s; ${tally.join(", ")}`)
      assert.deepStrictEqual(bad.slice(0, 10), [], `${bad.length} of ${count} requests`)
      // If authentication refused every request, the fuzzing would test nothing behind it.
      assert.isAbove(statuses.get(200) ?? 0, count / 20)
      assert.isAbove(statuses.get(400) ?? 0, count / 5)

      const after = await service.client()
      await after.verified()
      assert.strictEqual((await service.send({ path: "/readyz" })).status, 200)
    },
    180_000 + 20 * count
  )
})
