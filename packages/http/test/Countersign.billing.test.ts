import { MemoryStorage } from "@countersign/core/memory"
import { BalanceStore, type Booking } from "@countersign/core/storage"
import { Context, Effect, Layer, Scope } from "effect"
import { assert, describe, it } from "vitest"
import { makeService, CountersignError } from "../src/index.ts"

type Made = Awaited<ReturnType<typeof makeService>>

const secret = "00".repeat(32)
const keysOf = (kind: "live" | "test") => ({
  clientId: `cs_${kind}_billing`,
  clientSecret: `sk_${kind}_billing_0123456789`,
  publicKey: `pk_${kind}_billing`
})
const keys = { live: keysOf("live"), test: keysOf("test") }

const fails = (promise: Promise<unknown>) =>
  promise.then(
    () => "nothing",
    (error: unknown) => (error instanceof CountersignError ? `${error.errorCode} ${error.message}` : String(error))
  )

/** A request with the server key of the environment. */
const ask = (made: Made, kind: "live" | "test", path: string, init: RequestInit = {}) =>
  made.handler(
    new Request(`http://localhost/v1/dashboard${path}`, {
      ...init,
      headers: {
        "content-type": "application/json",
        "x-client-id": keys[kind].clientId,
        "x-client-secret": keys[kind].clientSecret,
        ...(init.headers as object)
      }
    })
  )

describe("billing of an embedded service", () => {
  it("tops up, shows and lists the balance, and validates input as the HTTP API does", async () => {
    const countersign = await makeService({
      storage: MemoryStorage.layer,
      channels: [],
      secret,
      billing: { currency: "NPR" }
    })
    const first = await countersign.billing.topUp({ amount: 500, reference: "pay_1" })
    assert.deepStrictEqual(await countersign.billing.topUp({ amount: 500, reference: "pay_1" }), first)
    const idempotencyKey = "11111111-2222-4333-8444-555555555555"
    const second = await countersign.billing.topUp({ amount: 20 }, { idempotencyKey })
    assert.deepStrictEqual(await countersign.billing.topUp({ amount: 20 }, { idempotencyKey }), second)
    assert.deepInclude(await countersign.billing.balance(), { balance: 520, currency: "NPR", available: 520 })
    assert.strictEqual((await countersign.statistics.spend()).currency, "NPR")
    assert.deepStrictEqual(await countersign.billing.ledger({ limit: 1 }), { items: [second], nextCursor: "2" })
    assert.deepStrictEqual(await countersign.billing.ledger({ cursor: "2" }), { items: [first], nextCursor: null })
    assert.match(await fails(countersign.billing.topUp({ amount: 0 })), /^INVALID_REQUEST amount: /)
    assert.match(await fails(countersign.billing.topUp({} as never)), /^INVALID_REQUEST amount: /)
    assert.match(await fails(countersign.billing.ledger({ from: "yesterday" })), /^INVALID_REQUEST from: /)
    await countersign.close()
  })

  it("can only be configured by the process when the operator bills, not by a key of either environment", async () => {
    const countersign = await makeService({
      storage: MemoryStorage.layer,
      channels: [],
      secret,
      keys,
      billing: { billedBy: "operator" },
      settings: { billing: "PREPAID", prices: { SMS: 20, WHATSAPP: 70 }, dailyCap: { SMS: 500 } }
    })
    await countersign.billing.topUp({ amount: 100 })
    const patch = (body: object) => ({ method: "PATCH", body: JSON.stringify(body) })
    for (const kind of ["live", "test"] as const) {
      for (const [path, init] of [
        ["/balance/top-ups", { method: "POST", body: JSON.stringify({ amount: 1 }) }],
        ["/settings", patch({ billing: kind === "live" ? "OFF" : "PREPAID" })],
        ["/settings", patch({ prices: { SMS: 0 } })],
        ["/settings", patch({ brand: "Mine", prices: { SMS: { default: 0, prefixes: {} } } })]
      ] as const) {
        const answer = await ask(countersign, kind, path, init)
        const { errorCode, message } = (await answer.json()) as { readonly errorCode: string; readonly message: string }
        assert.deepStrictEqual([answer.status, errorCode], [403, "FORBIDDEN"])
        assert.match(message, /operator of this service/)
        assert.isNull(answer.headers.get("x-sign-in"))
      }
    }
    const own = { prices: { WHATSAPP: 70, SMS: 20 }, billing: "PREPAID", dailyCap: { SMS: 500 }, timeZone: "UTC" }
    assert.strictEqual((await ask(countersign, "live", "/settings", patch(own))).status, 200)
    const whole = await (await ask(countersign, "live", "/settings")).json()
    assert.strictEqual((await ask(countersign, "live", "/settings", patch(whole as object))).status, 200)
    assert.deepInclude(await countersign.billing.balance(), {
      balance: 100,
      spentToday: [{ channel: "SMS", amount: 0, cap: 500 }]
    })
    await countersign.close()
  })
})

/** A service whose live ledger has this many entries. */
const makeLong = async (count: number) => {
  const storage = await Effect.runPromise(Layer.buildWithScope(MemoryStorage.layer, Scope.makeUnsafe()))
  const store = Context.get(storage, BalanceStore)
  const seen = { environment: "", reads: 0 }
  const watched = BalanceStore.of({
    ...store,
    funds: (environment, day) => {
      seen.environment = environment
      return store.funds(environment, day)
    },
    ledger: (environment, page) => {
      seen.reads++
      return store.ledger(environment, page)
    }
  })
  const countersign = await makeService({
    storage: Layer.succeedContext(Context.add(storage, BalanceStore, watched)),
    channels: [],
    secret,
    keys
  })
  await countersign.billing.balance()
  const { environment } = seen
  const add = (more: number) =>
    Effect.runPromise(
      Effect.gen(function* () {
        const { balance } = yield* store.funds(environment, "")
        const booking = {
          environment,
          kind: "CORRECTION",
          amount: 1,
          spent: null,
          reference: "many",
          item: null,
          at: 0
        }
        const booked = Array.from({ length: more }, () => booking as Booking)
        yield* store.commit(BalanceStore.change(balance, { booked }))
      })
    )
  for (let i = 0; i < count; i += 1000) await add(1000)
  const answer = await ask(countersign, "live", "/ledger", { headers: { accept: "text/csv" } })
  return { countersign, add, seen, reader: answer.body!.getReader() }
}

describe("a ledger exported as CSV", () => {
  it("lists each of 20,000 entries once while new entries are added", async () => {
    const { add, countersign, reader } = await makeLong(20_000)
    const decoder = new TextDecoder()
    let text = ""
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      text += decoder.decode(read.value, { stream: true })
      await add(10)
    }
    const lines = text.split("\r\n")
    assert.deepStrictEqual(
      [lines.shift(), lines.pop()],
      ["id,amount,balance,kind,channel,requestId,reference,createdAt", ""]
    )
    assert.deepStrictEqual(
      lines.map((line) => Number(line.split(",")[0])),
      Array.from({ length: 20_000 }, (_, index) => 20_000 - index)
    )
    assert.isAbove((await countersign.billing.ledger({ limit: 1 })).items[0]!.id, 20_000)
    await countersign.close()
  })

  it("is read from storage 1,000 entries at a time, and stops when the reader stops", async () => {
    const { countersign, reader, seen } = await makeLong(20_000)
    await reader.read()
    await reader.read()
    await new Promise((resolve) => setImmediate(resolve))
    const { reads } = seen
    assert.isAtMost(reads, 4)
    await reader.cancel()
    await countersign.billing.ledger({ limit: 1 })
    assert.strictEqual(seen.reads, reads + 1)
    await countersign.close()
  })
})
