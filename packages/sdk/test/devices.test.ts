import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { createClient, type KeyValueStorage } from "../src/index.ts"
import { startService } from "./fixtures/service.ts"
import { attemptTimeout, timers } from "./fixtures/timers.ts"
import { client, code, makeStorage, phone, publicKey, started, verified, world } from "./fixtures/world.ts"

vi.mock("../src/request/after.ts", () => import("./fixtures/timers.ts"))

const other = "+6591234567"

beforeEach(() => timers.reset())
afterEach(() => timers.checkNoneRuns())

const sent = (requests: ReadonlyArray<{ readonly body: any }>) =>
  requests.map(({ body }): string | undefined => body.deviceToken)

describe.each(["sync", "async"] as const)("the device token, in %s storage", (kind) => {
  it("is stored for its number, in any spelling, and survives a reload", async () => {
    const storage = makeStorage(kind)
    const { countersign, service } = await world({ storage })
    service.will(
      started("ver_1", "dvc_1"),
      started("ver_2", "dvc_2"),
      started("ver_3", "dvc_1"),
      started("ver_4", "dvc_2")
    )
    await countersign.initiate({ phone: "+91 98765-43210" })
    await countersign.initiate({ phone: other })
    const reloaded = client(service, { storage })
    await reloaded.initiate({ phone: "9876543210" })
    await reloaded.initiate({ phone: "+65 9123-4567" })
    expect(sent(service.requests)).toEqual([undefined, undefined, "dvc_1", "dvc_2"])
  })

  it("is replaced immediately when it rotates", async () => {
    const storage = makeStorage(kind)
    const { countersign, service } = await world({ storage })
    service.will(
      started("ver_1", "dvc_1"),
      started("ver_2", "dvc_2", { oneTapApplied: true }),
      started("ver_3", "dvc_2")
    )
    await countersign.initiate({ phone })
    expect(await countersign.initiate({ phone })).toMatchObject({ oneTapApplied: true })
    expect(JSON.stringify([...storage.items])).not.toContain("dvc_1")
    await countersign.initiate({ phone })
    expect(sent(service.requests)).toEqual([undefined, "dvc_1", "dvc_2"])
  })

  it("is sent with the code of its own session, also after a reload", async () => {
    const storage = makeStorage(kind)
    const { countersign, service } = await world({ storage })
    service.will(started("ver_1", "dvc_1"), started("ver_2", "dvc_2"), verified(), verified(), verified())
    await countersign.initiate({ phone })
    await countersign.initiate({ phone: other })
    const reloaded = client(service, { storage })
    await reloaded.verify({ sessionId: "ver_1", code })
    await reloaded.verify({ sessionId: "ver_2", code, phone: other })
    await reloaded.verify({ sessionId: "ver_unknown", code, phone })
    expect(sent(service.requests.slice(2))).toEqual(["dvc_1", "dvc_2", "dvc_1"])
  })

  it("of an older session is not sent after a rotation, because that would look like theft", async () => {
    const storage = makeStorage(kind)
    const { countersign, service } = await world({ storage })
    service.will(started("ver_1", "dvc_1"), started("ver_2", "dvc_2", { oneTapApplied: true }), verified())
    await countersign.initiate({ phone })
    await countersign.initiate({ phone })
    await countersign.verify({ sessionId: "ver_1", code, phone })
    expect(sent(service.requests)[2]).toBe("dvc_2")
  })

  it("is sent with a resend", async () => {
    const { countersign, service } = await world({ storage: makeStorage(kind) })
    service.will(started("ver_1", "dvc_1"), started("ver_1", "dvc_1"))
    await countersign.initiate({ phone })
    await countersign.resend({ sessionId: "ver_1", phone })
    expect(sent(service.requests)[1]).toBe("dvc_1")
  })

  it("is deleted when OneTap is off, but not for other numbers", async () => {
    const { countersign, service } = await world({ storage: makeStorage(kind) })
    service.will(
      started("a", "dvc_1"),
      started("b", "dvc_2"),
      started("c", null),
      started("d", null),
      started("e", "dvc_2")
    )
    await countersign.initiate({ phone })
    await countersign.initiate({ phone: other })
    await countersign.initiate({ phone })
    await countersign.initiate({ phone })
    await countersign.initiate({ phone: other })
    expect(sent(service.requests)).toEqual([undefined, undefined, "dvc_1", undefined, "dvc_2"])
  })

  it("is deleted on request, for one number or for all", async () => {
    const storage = makeStorage(kind)
    const { countersign, service } = await world({ storage })
    service.will(started("a", "dvc_1"), started("b", "dvc_2"), started("c", "dvc_3"), verified())
    await countersign.initiate({ phone })
    await countersign.initiate({ phone: other })
    await countersign.forgetDevice("+91-9876543210")
    await countersign.initiate({ phone })
    await countersign.forgetDevice()
    expect(storage.items.size).toBe(0)
    await countersign.verify({ sessionId: "c", code, phone })
    expect(sent(service.requests)).toEqual([undefined, undefined, undefined, undefined])
  })

  it("survives concurrent calls", async () => {
    const { countersign, service } = await world({ storage: makeStorage(kind) })
    const token = (request: { readonly body: any }) => `dvc_${request.body.phone}`
    const numbers = ["+6591230001", "+6591230002", "+6591230003", "+6591230004"]
    const echo = numbers.map(
      (): ReturnType<typeof started> => (response, request) =>
        started(token(request), token(request))(response, request)
    )
    service.will(...echo, ...echo)
    await Promise.all(numbers.map((each) => countersign.initiate({ phone: each })))
    await Promise.all(numbers.map((each) => countersign.initiate({ phone: each })))
    expect(new Set(sent(service.requests.slice(4)))).toEqual(new Set(numbers.map((each) => `dvc_${each}`)))
  })

  it("is stored for a few numbers only", async () => {
    const storage = makeStorage(kind)
    const { countersign, service } = await world({ storage })
    for (let i = 10; i < 40; i++) {
      service.will(started(`ver_${i}`, `dvc_${i}`))
      await countersign.initiate({ phone: `+65912300${i}` })
    }
    for (let i = 0; i < 20; i++) {
      service.will(started(`ver_again_${i}`, "dvc_39"))
      await countersign.initiate({ phone: "+6591230039" })
    }
    expect([...storage.items.values()].join("").length).toBeLessThan(1000)
    service.will(started("ver_x", "dvc_38"))
    await countersign.initiate({ phone: "+6591230038" })
    expect(sent(service.requests).at(-1)).toBe("dvc_38")
  })
})

describe("the device token storage", () => {
  it("is shared by tabs, so no tab sends a rotated token", async () => {
    const storage = makeStorage()
    const { countersign: one, service } = await world({ storage })
    const two = client(service, { storage })
    service.will(started("a", "dvc_1"), started("b", "dvc_2"), started("c", "dvc_2"))
    await one.initiate({ phone })
    await two.initiate({ phone })
    await one.initiate({ phone })
    expect(sent(service.requests)).toEqual([undefined, "dvc_1", "dvc_2"])
  })

  it("is shared by tabs, so deleting in one deletes for all", async () => {
    const storage = makeStorage()
    const { countersign: one, service } = await world({ storage })
    service.will(started("a", "dvc_1"), started("b", "dvc_2"))
    await one.initiate({ phone })
    await client(service, { storage }).forgetDevice()
    await one.initiate({ phone })
    expect(sent(service.requests)).toEqual([undefined, undefined])
  })

  it("separates environments", async () => {
    const storage = makeStorage()
    const { countersign, service } = await world({ storage })
    service.will(started("a", "dvc_1"), started("b", null))
    await countersign.initiate({ phone })
    await client(service, { storage, publicKey: "pk_live_example" }).initiate({ phone })
    expect(sent(service.requests)).toEqual([undefined, undefined])
    expect([...storage.items.keys()]).toEqual(["countersign:pk_test_example"])
  })

  it("is not touched while there is nothing to store", async () => {
    const storage = makeStorage()
    const setItem = vi.spyOn(storage, "setItem")
    const removeItem = vi.spyOn(storage, "removeItem")
    const { countersign, service } = await world({ storage })
    service.will(started("a", null))
    await countersign.initiate({ phone })
    expect(setItem).not.toHaveBeenCalled()
    expect(removeItem).not.toHaveBeenCalled()
  })

  it.each(["not JSON", "{}", "7", '[["a"]]', '[[1,2,3],null,"x"]', ""])(
    "with %j in it counts as empty",
    async (text) => {
      const storage = makeStorage()
      storage.items.set("countersign:pk_test_example", text)
      const { countersign, service } = await world({ storage })
      service.will(started("a", "dvc_1"), started("b", "dvc_1"))
      await countersign.initiate({ phone })
      await countersign.initiate({ phone })
      expect(sent(service.requests)).toEqual([undefined, "dvc_1"])
      expect(storage.items.get("countersign:pk_test_example")).toContain("dvc_1")
    }
  )

  const fail = () => {
    throw new Error("SecurityError")
  }
  const reject = () => Promise.reject(new Error("SQLITE_FULL"))
  const working = { getItem: () => null, setItem: () => {}, removeItem: () => {} }
  const broken: ReadonlyArray<readonly [string, () => KeyValueStorage]> = [
    ["throws when it is read", () => ({ ...working, getItem: fail })],
    ["rejects when it is read", () => ({ ...working, getItem: reject })],
    ["throws when it is written", () => ({ ...working, setItem: fail })],
    ["rejects when it is written", () => ({ ...working, setItem: reject })],
    ["throws at everything", () => ({ getItem: fail, setItem: fail, removeItem: fail })],
    ["rejects everything", () => ({ getItem: reject, setItem: reject, removeItem: reject })],
    ["may not even be named", fail]
  ]

  it.each(broken)("that %s breaks no login, and the token stays in memory", async (_, storage) => {
    const service = await startService()
    const countersign = createClient({
      baseUrl: service.baseUrl,
      publicKey,
      sessionToken: () => "token",
      timeoutMs: attemptTimeout,
      get storage() {
        return storage()
      }
    })
    service.will(started("a", "dvc_1"), started("b", "dvc_1"), verified(), started("c", "dvc_2"))
    await countersign.initiate({ phone })
    await countersign.initiate({ phone })
    await countersign.verify({ sessionId: "b", code, phone })
    await countersign.forgetDevice()
    await countersign.initiate({ phone })
    expect(sent(service.requests)).toEqual([undefined, "dvc_1", "dvc_1", undefined])
  })

  it("that never answers delays a call only briefly", async () => {
    const never = () => new Promise<never>(() => {})
    const { countersign, service } = await world({ storage: { getItem: never, setItem: never, removeItem: never } })
    service.will(started("a", "dvc_1"))
    const call = countersign.initiate({ phone })
    let settled = false
    const done = call.then(() => {
      settled = true
    })
    for (let i = 0; i < 200 && !settled; i++) {
      timers.expireStorage()
      await new Promise((resolve) => setImmediate(resolve))
    }
    await done
    expect(await call).toMatchObject({ sessionId: "a" })
  })

  it("that is full never keeps a rotated token", async () => {
    const storage = makeStorage()
    const { countersign, service } = await world({ storage })
    service.will(started("a", "dvc_1"), started("b", "dvc_2"), started("c", "dvc_2"), started("d", "dvc_3"))
    await countersign.initiate({ phone })
    const full = vi.spyOn(storage, "setItem").mockImplementation(() => {
      throw new Error("QuotaExceededError")
    })
    await countersign.initiate({ phone })
    expect(storage.items.size).toBe(0)
    full.mockRestore()
    await countersign.initiate({ phone })
    await client(service, { storage }).initiate({ phone })
    expect(sent(service.requests)).toEqual([undefined, "dvc_1", "dvc_2", "dvc_2"])
  })
})
