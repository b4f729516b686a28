import { assert, describe, it } from "vitest"
import { code, phone, refused, uuid, wrong } from "../fixture/Client.ts"
import type { Service } from "../fixture/Service.ts"
import { until } from "../fixture/Until.ts"
import type { Answer } from "../fixture/Wire.ts"
import type { Once } from "./Once.ts"

const key = (value: string = uuid()) => ({ "idempotency-key": value })

const assertReplay = (again: Answer, first: Answer) => {
  assert.strictEqual(again.status, first.status)
  assert.strictEqual(again.text, first.text)
  assert.strictEqual(again.headers["idempotency-replayed"], "true")
}

/** Idempotency-Key on every POST. */
export const suite = (service: () => Service, once: Once) =>
  describe("an idempotency key", () => {
    it("repeats the first answer byte for byte, without doing the work again", async () => {
      const client = await service().client()
      const header = key()
      const fields = { identity: phone() }
      const first = await client.initiate(fields, header)
      assert.isUndefined(first.headers["idempotency-replayed"])
      for (let i = 0; i < 3; i++) assertReplay(await client.initiate(fields, header), first)
      assertReplay(await client.initiate(fields, key(header["idempotency-key"].toUpperCase())), first)
      const { body } = await client.settled(first.body.requestId)
      assert.strictEqual(body.deliveries.length, 1)
      assert.strictEqual((await client.events()).body.items.length, 1)
    })

    it("uses up no attempt on a repeat, and returns the same token for the right code", async () => {
      const client = await service().client()
      const requestId = await client.started()
      const wrongKey = key()
      const first = await client.verify({ requestId, otp: wrong }, wrongKey)
      for (let i = 0; i < 5; i++) assertReplay(await client.verify({ requestId, otp: wrong }, wrongKey), first)
      assert.include((await client.verify({ requestId, otp: wrong })).body.message, "1 attempt")
      const rightKey = key()
      const right = await client.verify({ requestId, otp: code }, rightKey)
      assert.notMatch(right.body.message, /already/i)
      assertReplay(await client.verify({ requestId, otp: code }, rightKey), right)
      assertReplay(await client.verify({ requestId, otp: wrong }, wrongKey), first)
    })

    once("also stores refusals that a retry would get again", async () => {
      const client = await service().client()
      const [bad, missing] = [key(), key()]
      const first = await client.initiate({ otpLength: 99 }, bad)
      refused(first, "INVALID_REQUEST", "otpLength")
      const unknown = await client.verify({ requestId: "ver_x", otp: code }, missing)
      refused(unknown, "TRANSACTION_NOT_FOUND")
      assertReplay(await client.verify({ requestId: "ver_x", otp: code }, missing), unknown)
    })

    once("is refused with another body", async () => {
      const client = await service().client()
      const header = key()
      const fields = { identity: phone(), orderId: "a" }
      const first = await client.initiate(fields, header)
      for (const other of [
        { ...fields, orderId: "b" },
        { ...fields, orderId: undefined },
        { ...fields, extra: 1 }
      ]) {
        const again = await client.initiate(other, header)
        refused(again, "IDEMPOTENCY_KEY_REUSED")
        assert.isUndefined(again.headers["idempotency-replayed"])
      }
      assertReplay(await client.initiate(fields, header), first)
      assert.strictEqual((await client.events()).body.items.length, 1)
    })

    once("must be a UUID", async () => {
      const client = await service().client()
      for (const value of [
        "",
        "x",
        "123",
        uuid().slice(1),
        `${uuid()}0`,
        uuid().replaceAll("-", ""),
        `{${uuid()}}`,
        "%00"
      ]) {
        refused(await client.initiate({}, key(value)), "INVALID_REQUEST", "Idempotency-Key")
        refused(await client.verify({ requestId: "x", otp: code }, key(value)), "INVALID_REQUEST", "Idempotency-Key")
        refused(await client.confirm({ requestId: "x" }, key(value)), "INVALID_REQUEST", "Idempotency-Key")
        const made = await service().admin({ path: "/v1/admin/merchants", body: { name: "x" }, headers: key(value) })
        refused(made, "INVALID_REQUEST", "Idempotency-Key")
      }
      assert.strictEqual((await client.get("/v1/dashboard/settings", key("x"))).status, 200)
    })

    it("does the work once for 50 concurrent requests", async () => {
      const client = await service().client()
      const header = key()
      const fields = { identity: phone() }
      const answers = await Promise.all(Array.from({ length: 50 }, () => client.initiate(fields, header)))
      assert.strictEqual(new Set(answers.map(({ text }) => text)).size, 1)
      assert.strictEqual(answers[0]!.status, 200)
      assert.strictEqual(answers.filter(({ headers }) => headers["idempotency-replayed"] === undefined).length, 1)
      const { requestId } = answers[0]!.body
      assert.strictEqual((await client.settled(requestId)).body.deliveries.length, 1)
      const guesses = await Promise.all(
        Array.from({ length: 50 }, () => client.verify({ requestId, otp: wrong }, header))
      )
      assert.strictEqual(new Set(guesses.map(({ text }) => text)).size, 1)
      assert.include((await client.verify({ requestId, otp: wrong })).body.message, "1 attempt")
    })

    it("admits one of two concurrent bodies", async () => {
      const client = await service().client()
      const header = key()
      const identities = [phone(), phone()]
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, i) => client.initiate({ identity: identities[i % 2] }, header))
      )
      const ids = new Set(answers.filter(({ status }) => status === 200).map(({ body }) => body.requestId))
      assert.strictEqual(ids.size, 1)
      const others = answers.filter(({ status }) => status !== 200)
      assert.strictEqual(others.length, 10)
      for (const other of others) refused(other, "IDEMPOTENCY_KEY_REUSED")
      assert.strictEqual((await client.events()).body.items.length, 1)
    })

    it("does not store a 429", async () => {
      const client = await service().client({ hourlyLimit: 1 })
      const fields = { identity: phone() }
      await client.verified(fields)
      const header = key()
      for (let i = 0; i < 2; i++) {
        const over = await client.initiate(fields, header)
        refused(over, "RATE_LIMIT_EXCEEDED")
        assert.isUndefined(over.headers["idempotency-replayed"])
      }
      await client.settings({ hourlyLimit: 2 })
      const done = await until(
        () => client.initiate(fields, header),
        ({ status }) => status === 200,
        { what: "the new limit" }
      )
      assert.isUndefined(done.headers["idempotency-replayed"])
      assertReplay(await client.initiate(fields, header), done)
    })

    it("applies to one endpoint of one environment", async () => {
      const merchant = await service().merchant()
      const header = key()
      const requestId = await merchant.test.started()
      const answers = [
        await merchant.test.initiate({}, header),
        await merchant.test.verify({ requestId, otp: wrong }, header),
        await merchant.test.confirm({ requestId }, header),
        await merchant.live.confirm({ requestId }, header),
        await service().admin({ path: "/v1/admin/merchants", body: { name: "Acme" }, headers: header })
      ]
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [200, 200, 200, 400, 201]
      )
      for (const { headers } of answers) assert.isUndefined(headers["idempotency-replayed"])
    })

    it("creates a merchant once, and returns its secrets again", async () => {
      const header = key()
      const body = { name: `Once ${uuid()}` }
      const make = () => service().admin({ path: "/v1/admin/merchants", body, headers: header })
      const first = await make()
      assert.strictEqual(first.status, 201)
      assertReplay(await make(), first)
      const { id } = first.body
      const suspend = () =>
        service().admin({ method: "POST", path: `/v1/admin/merchants/${id}/suspend`, headers: header })
      const suspended = await suspend()
      assert.strictEqual(suspended.body.status, "SUSPENDED")
      assertReplay(await suspend(), suspended)
    })
  })
