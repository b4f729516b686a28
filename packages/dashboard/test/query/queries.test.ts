import { signal } from "@preact/signals"
import { afterEach, assert, beforeEach, describe, it, vi } from "vitest"
import { call, context } from "../../src/api/call.ts"
import { wake } from "../../src/live/topics.ts"
import { withLock } from "../../src/life/result.ts"
import { makePages } from "../../src/query/usePages.ts"
import { makeQuery } from "../../src/query/useQuery.ts"
import { makeSend } from "../../src/query/useSend.ts"
import { network, refusal } from "./Answers.ts"

let net: ReturnType<typeof network>
beforeEach(() => void (net = network()))
afterEach(() => void net.restore())

const page = (ids: ReadonlyArray<number>, nextCursor: string | null = null) => ({
  items: ids.map((id) => ({ id })),
  nextCursor
})

describe("a read", () => {
  const status = signal("FAILED")
  const make = () =>
    makeQuery("GET /v1/dashboard/verifications", () => ({ query: { status: status.value } }), "verification")

  it("follows its input, and ignores the answer to an older one", async () => {
    status.value = "FAILED"
    const query = make()
    const stop = query.start()
    status.value = "VERIFIED"
    assert.deepStrictEqual(
      net.asked.map(({ url }) => url),
      ["FAILED", "VERIFIED"].map((each) => `/v1/dashboard/verifications?status=${each}`)
    )
    await net.asked[1]!.answer(200, page([2]))
    await net.asked[0]!.answer(200, page([1]))
    assert.deepStrictEqual(
      query.answer.value?.items.map((item: any) => item.id),
      [2]
    )
    stop()
  })

  it("keeps its rows when a refetch fails, and drops those of another filter", async () => {
    const query = make()
    const stop = query.start()
    await net.asked[0]!.answer(200, page([1]))
    wake("verification")
    await net.asked[1]!.answer(500, refusal)
    assert.strictEqual(query.failure.value?.message, "It failed")
    assert.lengthOf(query.answer.value!.items, 1)
    status.value = "EXPIRED"
    await net.asked[2]!.answer(500, refusal)
    assert.isNull(query.answer.value)
    stop()
  })

  it("refetches once after its answer when an event arrived meanwhile", async () => {
    const query = make()
    const stop = query.start()
    for (let i = 0; i < 5; i++) wake("verification")
    assert.lengthOf(net.asked, 1)
    await net.asked[0]!.answer(200, page([1]))
    assert.lengthOf(net.asked, 2)
    assert.lengthOf(query.answer.value!.items, 1)
    await net.asked[1]!.answer(200, page([1, 2]))
    assert.lengthOf(net.asked, 2)
    stop()
    wake("verification")
    assert.lengthOf(net.asked, 2)
  })

  it("fails without a network like any other failure", async () => {
    globalThis.fetch = () => Promise.reject(new TypeError("failed to fetch"))
    const query = make()
    const stop = query.start()
    await net.settled()
    assert.strictEqual(query.failure.value?.errorCode, "NETWORK")
    stop()
  })
})

describe("a list", () => {
  const make = () =>
    makePages("GET /v1/dashboard/verifications", () => ({}), {
      id: (item: any) => String(item.id),
      topics: ["verification"]
    })
  const ids = (list: ReturnType<typeof make>) => list.items.value?.map((item: any) => item.id)

  it("loads pages by cursor to its end", async () => {
    const list = make()
    const stop = list.start()
    await net.asked[0]!.answer(200, page([9, 8], "8"))
    list.readOn()
    list.readOn()
    assert.lengthOf(net.asked, 2)
    assert.include(net.asked[1]!.url, "cursor=8")
    await net.asked[1]!.answer(200, page([7]))
    assert.deepStrictEqual(ids(list), [9, 8, 7])
    assert.isFalse(list.more.value)
    list.readOn()
    assert.lengthOf(net.asked, 2)
    stop()
  })

  it("keeps the lock of a user when a live change, which has none, replaces the row", async () => {
    let put: (item: any) => void = () => {}
    const list = makePages("GET /v1/dashboard/verifications", () => ({}), {
      id: (item: any) => String(item.id),
      changes: (given) => ((put = given), () => {}),
      merge: withLock
    })
    const stop = list.start()
    const row = (lockedUntil: string | null, authStatus: string) => ({ id: 1, authStatus, outcome: { lockedUntil } })
    await net.asked[0]!.answer(200, { items: [row("2026-01-31T09:30:00.000Z", "PENDING")], nextCursor: null })
    put(row(null, "EXPIRED"))
    await vi.waitUntil(() => list.items.value?.some((item: any) => item.authStatus === "EXPIRED"))
    assert.deepStrictEqual(list.items.value as unknown, [row("2026-01-31T09:30:00.000Z", "EXPIRED")])
    stop()
  })

  it("adds new items at its head and keeps loaded ones", async () => {
    const list = make()
    const stop = list.start()
    await net.asked[0]!.answer(200, page([9, 8], "8"))
    list.readOn()
    await net.asked[1]!.answer(200, page([7, 6], "6"))
    wake("verification")
    await net.asked[2]!.answer(200, page([10, 9, 8], "8"))
    assert.deepStrictEqual(ids(list), [10, 9, 8, 7, 6])
    list.readOn()
    assert.include(net.asked[3]!.url, "cursor=6")
    stop()
  })

  it("restarts when more is new than a page holds, so that no item is missing", async () => {
    const list = make()
    const stop = list.start()
    await net.asked[0]!.answer(200, page([9, 8], "8"))
    wake("verification")
    await net.asked[1]!.answer(200, page([20, 19], "19"))
    assert.deepStrictEqual(ids(list), [20, 19])
    list.readOn()
    assert.include(net.asked[2]!.url, "cursor=19")
    stop()
  })

  it("does not move under the pointer, counts new items, and updates changed ones in place", async () => {
    const list = make()
    const stop = list.start()
    await net.asked[0]!.answer(200, page([9, 8]))
    list.hold(true)
    wake("verification")
    await net.asked[1]!.answer(200, {
      items: [{ id: 11 }, { id: 10 }, { id: 9, changed: true }, { id: 8 }],
      nextCursor: null
    })
    assert.deepStrictEqual(ids(list), [9, 8])
    assert.deepInclude(list.items.value![0] as any, { changed: true })
    assert.strictEqual(list.waiting.value, 2)
    list.hold(false)
    assert.deepStrictEqual(ids(list), [11, 10, 9, 8])
    assert.strictEqual(list.waiting.value, 0)
    stop()
  })
})

describe("a write", () => {
  it("is sent once for repeated presses, and refetches what it changed", async () => {
    const heard = makeQuery("GET /v1/dashboard/keys", () => ({}), "key")
    const stop = heard.start()
    await net.asked[0]!.answer(200, page([]))
    const roll = makeSend("POST /v1/dashboard/keys/:id/roll", "key")
    const first = roll.send({ params: { id: "k/1" }, body: { overlapHours: 1 } })
    const second = roll.send({ params: { id: "k/1" }, body: { overlapHours: 1 } })
    assert.isNull(await second)
    assert.lengthOf(net.asked, 2)
    assert.strictEqual(net.asked[1]!.url, "/v1/dashboard/keys/k%2F1/roll")
    await net.asked[1]!.answer(200, { id: "k/1" })
    assert.deepInclude((await first)?.body as any, { id: "k/1" })
    assert.lengthOf(net.asked, 3)
    stop()
  })
})

describe("a call that needs a new sign-in", () => {
  const before = context.signIn
  afterEach(() => void (context.signIn = before))
  const headersOf = ({ init }: { readonly init: RequestInit }) => init.headers as Readonly<Record<string, string>>

  it("asks for it and repeats with the same Idempotency-Key", async () => {
    const why: Array<string> = []
    context.signIn = (reason) => (why.push(reason), Promise.resolve(true))
    const done = call("POST /v1/dashboard/keys", { body: { type: "SERVER" } })
    await net.asked[0]!.answer(403, refusal, { "x-sign-in": "fresh" })
    await net.asked[1]!.answer(401, refusal)
    await net.asked[2]!.answer(201, { id: "k" })
    assert.isTrue((await done).ok)
    assert.deepStrictEqual(why, ["stale", "none"])
    assert.lengthOf(new Set(net.asked.map((each) => headersOf(each)["idempotency-key"])) as never, 1)
  })

  it("repeats and undoes in its original environment, even after a switch", async () => {
    const { environment, merchant } = context
    ;[context.environment, context.merchant] = [() => "test", () => "mrc_1"]
    context.signIn = () => {
      ;[context.environment, context.merchant] = [() => "live", () => "mrc_2"]
      return Promise.resolve(true)
    }
    const change = makeSend("PATCH /v1/dashboard/settings")
    const done = change.send({ body: { codeLength: 8 } })
    await net.asked[0]!.answer(401, refusal)
    await net.asked[1]!.answer(200, {})
    await done
    const undone = change.send({ body: { codeLength: 6 } })
    await net.asked[2]!.answer(200, {})
    await undone
    for (const each of net.asked)
      assert.deepInclude(headersOf(each), { "x-environment": "test", "x-merchant": "mrc_1" })
    void call("GET /v1/dashboard/me", {})
    assert.notProperty(headersOf(net.asked[3]!), "x-merchant")
    ;[context.environment, context.merchant] = [environment, merchant]
  })

  it("reloads the user when the session belongs to another merchant", async () => {
    let times = 0
    const { elsewhere } = context
    context.elsewhere = () => void times++
    const done = call("GET /v1/dashboard/keys", {})
    await net.asked[0]!.answer(400, {
      errorCode: "INVALID_REQUEST",
      message: "X-Merchant: your session …",
      requestId: null
    })
    assert.isFalse((await done).ok)
    assert.strictEqual(times, 1)
    context.elsewhere = elsewhere
  })

  it("fails when the user cancels, and when a sign-in would not resolve the error", async () => {
    context.signIn = () => Promise.resolve(false)
    const done = call("GET /v1/dashboard/me", {})
    await net.asked[0]!.answer(401, refusal)
    assert.isFalse((await done).ok)
    context.signIn = () => assert.fail("a sign-in must not be requested for a missing role")
    const forbidden = call("GET /v1/dashboard/keys", {})
    await net.asked[1]!.answer(403, refusal)
    const wrongCode = call("POST /v1/dashboard/sessions/confirm", { body: { email: "a@example.com", code: "1" } })
    await net.asked[2]!.answer(401, refusal)
    const notTheToken = call("GET /v1/admin/merchants", {})
    await net.asked[3]!.answer(401, refusal)
    for (const each of [forbidden, wrongCode, notTheToken]) assert.isFalse((await each).ok)
  })
})
