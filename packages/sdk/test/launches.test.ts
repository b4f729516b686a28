import { afterEach, describe, expect, it, vi } from "vitest"
import { failure, json } from "./fixtures/service.ts"
import { phone, publicKey, started, world } from "./fixtures/world.ts"

vi.mock("../src/request/after.ts", () => import("./fixtures/timers.ts"))

afterEach(() => vi.unstubAllGlobals())

const recorded = (n: number) => json(200, { recorded: true, launchId: `lch_${n}`, launchToken: `token${n}` })
const converted = json(200, { recorded: true, conversionId: "cnv_1" })
const gone = (response: any) => response.writeHead(204).end()
const key = `countersign:${publicKey}:launches`

const memory = () => {
  const kept = new Map<string, string>()
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key)
  }
}

describe("a launch", () => {
  it("without consent sends, reads and stores nothing", async () => {
    const storage = { getItem: vi.fn(), setItem: vi.fn(), removeItem: vi.fn() }
    const { countersign, service } = await world({ storage })
    expect(await countersign.launch({ consent: false, utm: { source: "ad" } })).toBeNull()
    expect(await countersign.launch({} as never)).toBeNull()
    expect(service.requests).toEqual([])
    for (const call of Object.values(storage)) expect(call).not.toHaveBeenCalled()
  })

  it("reports the page's URL parameters or the given values, and initiate and conversion refer to it", async () => {
    vi.stubGlobal("location", { search: "?utm_source=news&utm_campaign=a%20b&gclid=g1&fbclid=f1&x=1" })
    const storage = memory()
    const { countersign, service } = await world({ storage })
    service.will(recorded(1), recorded(2), started("ver_1"), converted)
    expect(await countersign.launch({ consent: true })).toBe("lch_1")
    await countersign.launch({ consent: true, utm: { source: "own" }, clickId: "c", fingerprint: "f", platform: "web" })
    await countersign.initiate({ phone })
    expect(await countersign.conversion({ event: "paid", value: 5, currency: "INR" })).toBe("cnv_1")
    const [first, second, initiate, conversion] = service.requests
    expect(first?.path).toBe("/v1/sdk/attribution/launch")
    expect(first?.headers["x-public-key"]).toBe(publicKey)
    expect(first?.headers["idempotency-key"]).toMatch(/^[0-9a-f-]{36}$/)
    expect(first?.body).toEqual({
      consent: true,
      utm: { source: "news", campaign: "a b" },
      clickId: "g1",
      fingerprint: expect.stringMatching(/^[0-9a-f-]{36}$/)
    })
    expect(second?.body).toEqual({
      consent: true,
      utm: { source: "own" },
      clickId: "c",
      fingerprint: "f",
      platform: "web"
    })
    expect(initiate?.body).toEqual({ launchId: "lch_2", phone })
    expect(conversion?.body).toEqual({ launchId: "lch_2", event: "paid", value: 5, currency: "INR" })
  })

  it("has the same visitor id at the next visit, also if the storage holds other data or fails", async () => {
    const storage = memory()
    const first = await world({ storage })
    first.service.will(recorded(1))
    await first.countersign.launch({ consent: true })
    const second = await world({ storage })
    second.service.will(recorded(2), converted)
    await second.countersign.launch({ consent: true })
    expect(second.service.requests[0]?.body.fingerprint).toBe(first.service.requests[0]?.body.fingerprint)
    for (const kept of ["nonsense", "{}", "[]", "5"]) {
      storage.kept.set(key, kept)
      const { countersign, service } = await world({ storage })
      service.will(converted)
      await countersign.conversion({ event: "paid" })
      expect(service.requests[0]?.body).toEqual({ event: "paid" })
    }
    const fails = () => {
      throw new Error("no storage here")
    }
    const { countersign, service } = await world({ storage: { getItem: fails, setItem: fails, removeItem: fails } })
    service.will(recorded(3), converted)
    await countersign.launch({ consent: true })
    await countersign.conversion({ event: "paid" })
    expect(service.requests[1]?.body.launchId).toBe("lch_3")
  })
})

describe("withdrawn consent", () => {
  it("deletes every stored launch, and nothing is stored afterwards", async () => {
    const storage = memory()
    const { countersign, service } = await world({ storage })
    service.will(recorded(1), recorded(2), gone, failure(401, "INVALID_CLIENT_CREDENTIALS"), gone, converted)
    await countersign.launch({ consent: true })
    await countersign.launch({ consent: true })
    await expect(countersign.withdraw()).rejects.toMatchObject({ errorCode: "INVALID_CLIENT_CREDENTIALS" })
    await countersign.withdraw()
    const calls = service.requests
      .slice(2)
      .map(({ headers, method, path, text }) => [method, path, headers.authorization, text])
    const root = "/v1/sdk/attribution/launch"
    expect(calls).toEqual([
      ["DELETE", `${root}/lch_2`, "Bearer token2", ""],
      ["DELETE", `${root}/lch_1`, "Bearer token1", ""],
      ["DELETE", `${root}/lch_1`, "Bearer token1", ""]
    ])
    expect(storage.kept.size).toBe(0)
    await countersign.withdraw()
    await countersign.conversion({ event: "paid" })
    expect(service.requests.at(-1)?.body).toEqual({ event: "paid" })
    expect(service.requests.length).toBe(6)
  })
})
