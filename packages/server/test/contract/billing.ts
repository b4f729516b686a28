import { assert, describe, it } from "vitest"
import { type Client, refused, uuid } from "../fixture/Client.ts"
import type { Service } from "../fixture/Service.ts"
import type { Once } from "./Once.ts"

type Fields = { readonly [name: string]: unknown }

const topUps = "/v1/dashboard/balance/top-ups"

const balance = async (client: Client) => (await client.get("/v1/dashboard/balance")).body.balance
const ledger = async (client: Client, query = "") => (await client.get(`/v1/dashboard/ledger${query}`)).body.items

const paidIn = async (client: Client, body: Fields, headers = {}): Promise<any> => {
  const answer = await client.post(topUps, body, headers)
  assert.strictEqual(answer.status, 201, answer.text)
  return answer.body
}

/** Billing over HTTP. */
export const suite = (service: () => Service, once: Once) =>
  describe("the balance", () => {
    const admin = (method: string, path: string, body?: unknown, headers = {}) =>
      service().admin({ method, path: `/v1/admin/merchants/${path}`, headers, ...(body === undefined ? {} : { body }) })

    it("is topped up once per reference or idempotency key, also for concurrent requests", async () => {
      const client = await service().client()
      const same = await Promise.all(
        Array.from({ length: 20 }, () => paidIn(client, { amount: 500, reference: "pay_1" }))
      )
      for (const entry of same) assert.deepStrictEqual(entry, same[0])
      const headers = { "idempotency-key": uuid() }
      const replayed = await Promise.all(Array.from({ length: 10 }, () => paidIn(client, { amount: 30 }, headers)))
      for (const entry of replayed) assert.deepStrictEqual(entry, replayed[0])
      assert.strictEqual(replayed[0].reference, headers["idempotency-key"])
      const others = await Promise.all(
        Array.from({ length: 10 }, (_, index) => paidIn(client, { amount: 1, reference: `other ${index}` }))
      )
      assert.strictEqual(new Set(others.map(({ id }) => id)).size, 10)
      assert.strictEqual(await balance(client), 540)
      const entries = await ledger(client)
      assert.deepStrictEqual(
        entries.map(({ id }: any) => id),
        Array.from({ length: 12 }, (_, index) => 12 - index)
      )
      let sum = 0
      for (const entry of entries.toReversed()) assert.strictEqual(entry.balance, (sum += entry.amount))
      const { items } = (await client.get("/v1/dashboard/audit?action=money.topped_up&limit=200")).body
      assert.lengthOf(items, 12)
    })

    it("is corrected once per idempotency key, and never below zero", async () => {
      const { id, test } = await service().merchant()
      await paidIn(test, { amount: 100 })
      const correction = { environment: "test", amount: -60, reason: "Charged to the wrong account" }
      const headers = { "idempotency-key": uuid() }
      const made = await Promise.all(
        Array.from({ length: 5 }, () => admin("POST", `${id}/corrections`, correction, headers))
      )
      for (const { status, text } of made) assert.deepStrictEqual([status, text], [201, made[0]!.text])
      assert.deepInclude(made[0]!.body, {
        id: 2,
        amount: -60,
        balance: 40,
        kind: "CORRECTION",
        channel: null,
        requestId: null,
        reference: correction.reason
      })
      const races = await Promise.all(
        Array.from({ length: 6 }, () => admin("POST", `${id}/corrections`, { ...correction, amount: -15 }))
      )
      assert.deepStrictEqual(
        races.map(({ status }) => status).toSorted((a, b) => a - b),
        [201, 201, 400, 400, 400, 400]
      )
      assert.strictEqual(await balance(test), 10)
    })

    it("gets credit and corrections from the operator, who sees both environments", async () => {
      const { id, live, test } = await service().merchant()
      const terms = { billing: "PREPAID", prices: { SMS: { default: 20, prefixes: { "977": 90 } } }, creditLimit: 500 }
      const changed = await admin("PATCH", `${id}/billing`, { environment: "live", ...terms })
      assert.strictEqual(changed.status, 200, changed.text)
      const paid = await admin("POST", `${id}/top-ups`, { environment: "test", amount: 7, reference: "invoice 1" })
      assert.strictEqual(paid.status, 201, paid.text)
      const again = await admin("POST", `${id}/top-ups`, { environment: "test", amount: 9, reference: "invoice 1" })
      assert.deepStrictEqual(again.body, paid.body)
      const { items } = (await admin("GET", `${id}/billing`)).body
      assert.deepStrictEqual(items[0], changed.body)
      assert.deepInclude(items[0], { environment: "live", ...terms, balance: 0, available: 500, currency: "INR" })
      assert.deepInclude(items[1], { environment: "test", billing: "OFF", prices: {}, creditLimit: 0, balance: 7 })
      assert.deepInclude((await live.get("/v1/dashboard/settings")).body, { billing: "PREPAID", prices: terms.prices })
      assert.deepStrictEqual(await ledger(live), [])
      assert.deepStrictEqual(await ledger(test), [paid.body])
      const audit = (await admin("GET", `${id}/audit?action=credit.changed`)).body.items
      assert.deepStrictEqual(
        audit.map(({ actor, environment, from, target, to }: any) => [actor.kind, environment, target, from, to]),
        [["OPERATOR", "live", { kind: "balance", id: "live" }, { creditLimit: 0 }, { creditLimit: 500 }]]
      )
    })

    once("is shown with its terms, and belongs to one environment", async () => {
      const { live, test } = await service().withOwner()
      const patch = { balanceLowAt: 200, dailyCap: { SMS: 1000 }, timeZone: "UTC" }
      assert.strictEqual((await test.settings(patch)).status, 200)
      const entry = await paidIn(test, { amount: 100, reference: "=1+1" })
      const { createdAt, ...rest } = entry
      assert.match(createdAt, /^\d{4}-.*Z$/)
      const shown = { id: 1, amount: 100, balance: 100, kind: "TOP_UP", channel: null, requestId: null }
      assert.deepStrictEqual(rest, { ...shown, reference: "=1+1" })
      const { body } = await test.get("/v1/dashboard/balance")
      assert.deepStrictEqual(body, {
        balance: 100,
        currency: "INR",
        creditLimit: 0,
        available: 100,
        low: true,
        spentToday: [{ channel: "SMS", amount: 0, cap: 1000 }],
        day: body.day,
        billedBy: "merchant"
      })
      assert.match(body.day, /^\d{4}-\d\d-\d\d$/)
      assert.strictEqual(await balance(live), 0)
      assert.strictEqual((await test.get("/v1/dashboard/stats/spend")).body.currency, "INR")
    })

    once("has a ledger that pages with a cursor, filters by time, and is CSV for clients that prefer it", async () => {
      const client = await service().client()
      for (const reference of ["plain", "=HYPERLINK(1)", 'two, "three"', "पैसे"])
        await paidIn(client, { amount: 5, reference })
      const all = await ledger(client)
      const first = (await client.get("/v1/dashboard/ledger?limit=3")).body
      assert.deepStrictEqual(first, { items: all.slice(0, 3), nextCursor: "2" })
      const second = (await client.get("/v1/dashboard/ledger?limit=3&cursor=2")).body
      assert.deepStrictEqual(second, { items: all.slice(3), nextCursor: null })
      const last = all.at(-1).createdAt
      assert.deepStrictEqual(await ledger(client, `?to=${last}`), [])
      assert.deepStrictEqual(await ledger(client, `?from=${last}&limit=200`), all)
      const csv = (accept: string) => client.get("/v1/dashboard/ledger?limit=1", { accept })
      const { headers, status, text } = await csv("text/csv")
      assert.strictEqual(status, 200)
      assert.strictEqual(headers["content-type"], "text/csv; charset=utf-8; header=present")
      assert.strictEqual(headers["content-disposition"], 'attachment; filename="ledger-test.csv"')
      assert.strictEqual(headers["x-content-type-options"], "nosniff")
      const at = (index: number) => all[index].createdAt
      assert.deepStrictEqual(text.split("\r\n"), [
        "id,amount,balance,kind,channel,requestId,reference,createdAt",
        `4,5,20,TOP_UP,,,पैसे,${at(0)}`,
        `3,5,15,TOP_UP,,,"two, ""three""",${at(1)}`,
        `2,5,10,TOP_UP,,,'=HYPERLINK(1),${at(2)}`,
        `1,5,5,TOP_UP,,,plain,${at(3)}`,
        ""
      ])
      for (const accept of ["text/csv;q=0", "application/json, text/csv;q=0.5", "*/*", "text/*", ""]) {
        assert.strictEqual((await csv(accept)).headers["content-type"], "application/json", accept)
      }
      for (const accept of ["TEXT/CSV", "application/json;q=0.5, text/csv", "text/csv;charset=utf-8, */*"]) {
        assert.include((await csv(accept)).headers["content-type"], "text/csv", accept)
      }
    })

    once("has a statement of each month, which adds up from the opening to the closing balance", async () => {
      const client = await service().client()
      await paidIn(client, { amount: 500 })
      await paidIn(client, { amount: 30 })
      const month = (at: number) => new Date(at).toISOString().slice(0, 7)
      const statement = async (of: string) => (await client.get(`/v1/dashboard/statement?month=${of}`)).body
      // The month of the entry in the merchant's zone, and one that has no entry yet.
      const local = new Date(Date.parse((await ledger(client))[0].createdAt) + 5.5 * 3_600_000)
      const topUp = { kind: "TOP_UP", channel: null, use: null, count: 2, amount: 530 }
      const current = await statement(month(local.getTime()))
      assert.deepInclude(current, { opening: 0, closing: 530, currency: "INR", lines: [topUp] })
      const next = await statement(month(Date.parse(current.to) + 15 * 86_400_000))
      assert.deepInclude(next, { from: current.to, opening: 530, closing: 530, lines: [] })
      for (const wrong of ["", "?month=", "?month=2026-13", "?month=november"]) {
        refused(await client.get(`/v1/dashboard/statement${wrong}`), "INVALID_REQUEST", "month")
      }
    })

    once("is unchanged after a refused request, which names the invalid field", async () => {
      const { id, live, test } = await service().merchant()
      for (const [body, field] of [
        [{}, "amount"],
        [{ amount: null }, "amount"],
        [{ amount: "500" }, "amount"],
        [{ amount: 0 }, "amount"],
        [{ amount: -1 }, "amount"],
        [{ amount: 1.5 }, "amount"],
        [{ amount: 1_000_000_000_001 }, "amount"],
        [{ amount: 1, reference: "" }, "reference"],
        [{ amount: 1, reference: 7 }, "reference"],
        [{ amount: 1, reference: "x".repeat(101) }, "reference"],
        [{ amount: 1, reference: "a\u0000b" }, "reference"]
      ] as const) {
        refused(await test.post(topUps, body), "INVALID_REQUEST", field)
        refused(await admin("POST", `${id}/top-ups`, { environment: "test", ...body }), "INVALID_REQUEST", field)
      }
      for (const [body, field] of [
        [{ amount: 0, reason: "x" }, "amount"],
        [{ amount: 1 }, "reason"],
        [{ amount: 1, reason: " " }, "reason"],
        [{ amount: -1, reason: "x" }, "amount"]
      ] as const) {
        refused(await admin("POST", `${id}/corrections`, { environment: "live", ...body }), "INVALID_REQUEST", field)
      }
      for (const [body, field] of [
        [{ creditLimit: -1 }, "creditLimit"],
        [{ creditLimit: "1" }, "creditLimit"],
        [{ billing: "prepaid" }, "billing"],
        [{ prices: { SMS: { default: 1, prefixes: { "977": -1 } } } }, "prices\\.SMS\\.prefixes\\.977"],
        [{ creditLimit: 5, prices: { sms: 1 } }, "prices\\.sms"]
      ] as const) {
        refused(await admin("PATCH", `${id}/billing`, { environment: "live", ...body }), "INVALID_REQUEST", field)
      }
      for (const environment of [undefined, "LIVE", "both", null]) {
        refused(
          await admin("PATCH", `${id}/billing`, { environment, creditLimit: 5 }),
          "INVALID_REQUEST",
          "environment"
        )
        refused(await admin("POST", `${id}/top-ups`, { environment, amount: 5 }), "INVALID_REQUEST", "environment")
      }
      for (const [query, field] of [
        ["from=yesterday", "from"],
        ["to=2026-02-30T00:00:00Z", "to"],
        ["limit=201", "limit"],
        ["cursor=x", "cursor"],
        ["cursor=0", "cursor"],
        ["cursor=99999999999999999999", "cursor"]
      ] as const) {
        refused(await test.get(`/v1/dashboard/ledger?${query}`), "INVALID_REQUEST", field)
      }
      refused(await test.get("/v1/dashboard/ledger?from=soon", { accept: "text/csv" }), "INVALID_REQUEST", "from")
      refused(await admin("GET", "mer_404/billing"), "MERCHANT_NOT_FOUND")
      refused(await admin("POST", "mer_404/top-ups", { environment: "live", amount: 1 }), "MERCHANT_NOT_FOUND")
      for (const client of [live, test]) assert.deepStrictEqual(await ledger(client), [])
      assert.strictEqual((await admin("GET", `${id}/billing`)).body.items[0].creditLimit, 0)
    })
  })
