import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { appOf } from "./fixture/App.ts"
import { refused } from "./fixture/Client.ts"
import { memory, type Service } from "./fixture/Service.ts"

describe("behind a trusted proxy", () => {
  let service: Service
  beforeAll(async () => {
    service = await memory({ trustedProxies: ["loopback", "198.51.100.0/24"] })
  })
  afterAll(() => service?.close())

  /** Apps behind that proxy: each address may start two sessions. */
  const callers = async () => {
    const app = await appOf(await service.client({ sdkInitiatesPerIpPerHour: 2 }))
    return (...addresses: ReadonlyArray<string>) => app.initiate({}, { "x-forwarded-for": addresses.join(", ") })
  }

  it("every client has its own hourly limit", async () => {
    const from = await callers()
    for (let i = 0; i < 3; i++) {
      for (const host of ["203.0.113.1", "203.0.113.2", "2001:db8::1", "2001:db8:0:1::1"]) {
        const answer = await from(host)
        if (i < 2) assert.strictEqual(answer.status, 200, `${host} ${answer.text}`)
        else refused(answer, "RATE_LIMIT_EXCEEDED")
      }
    }
  })

  it("300 addresses of one IPv6 network, and every spelling of an address, count as one client", async () => {
    const from = await callers()
    for (const spelling of ["2001:db8::1", "2001:DB8:0:0:0::2"]) assert.strictEqual((await from(spelling)).status, 200)
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, i) => from(`2001:db8::${((i * 7919) % 65_536).toString(16)}:${i.toString(16)}`))
    )
    assert.strictEqual(answers.filter(({ status }) => status === 429).length, 300)
    const others = ["2001:0db8:0000:0000:0000:0000:0000:0001", "[2001:db8::1]:443", "2001:db8::0.0.0.1"]
    for (const spelling of others) refused(await from(spelling), "RATE_LIMIT_EXCEEDED")
    const four = await callers()
    for (const spelling of ["192.0.2.7", "::ffff:192.0.2.7"]) assert.strictEqual((await four(spelling)).status, 200)
    for (const spelling of ["192.0.2.7:1234", "::ffff:c000:207", " 192.0.2.7 "]) {
      refused(await four(spelling), "RATE_LIMIT_EXCEEDED")
    }
  })

  it("addresses that a client wrote into X-Forwarded-For are ignored", async () => {
    const from = await callers()
    for (const forged of ["203.0.113.50", "203.0.113.51"]) {
      assert.strictEqual((await from(forged, "203.0.113.9")).status, 200)
    }
    const attempts = [
      ["203.0.113.52"],
      ["127.0.0.1"],
      ["junk"],
      [""],
      ["203.0.113.53", "203.0.113.54"],
      Array.from({ length: 200 }, (_, i) => `203.0.113.${i}`)
    ]
    for (const forged of attempts) refused(await from(...forged, "203.0.113.9"), "RATE_LIMIT_EXCEEDED")
    // Behind a second trusted proxy, the address before it counts.
    refused(await from("203.0.113.9", "198.51.100.7"), "RATE_LIMIT_EXCEEDED")
    assert.strictEqual((await from("203.0.113.10", "198.51.100.7")).status, 200)
  })

  it("a request without a usable header counts for the proxy itself", async () => {
    const from = await callers()
    for (const nothing of ["junk", "256.0.0.1"]) assert.strictEqual((await from(nothing)).status, 200)
    for (const nothing of ["", "unknown", "_hidden", "1.2.3", "0x7f.1", "::g", "2001:db8::1::2", "x".repeat(4000)]) {
      refused(await from(nothing), "RATE_LIMIT_EXCEEDED")
    }
  })
})
