import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { appOf } from "../fixture/App.ts"
import { type Client, code, phone, refused, uuid } from "../fixture/Client.ts"
import { type Received, Receiver, type Script } from "../fixture/Receiver.ts"
import type { Service } from "../fixture/Service.ts"
import { believed, signed, signedBody } from "../fixture/signed.ts"
import { until } from "../fixture/Until.ts"
import type { Once } from "./Once.ts"

const unknown = { webhook: "whk_00000000000000000000000000", delivery: "dlv_00000000000000000000000000" }
const shown = [
  "id",
  "url",
  "events",
  "description",
  "status",
  "disabledReason",
  "failingSince",
  "retiringAt",
  "createdAt"
]
const listed = [
  "id",
  "eventId",
  "eventType",
  "attempt",
  "status",
  "responseStatus",
  "error",
  "durationMs",
  "createdAt",
  "nextAttemptAt"
]
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** No server listens there: it is registered, and never receives a webhook. */
const idle = () => `https://192.31.196.1/${uuid()}`

const press = (client: Client, path: string, headers = {}) =>
  client.send({ method: "POST", path: `/v1/dashboard/webhooks${path}`, headers })

/** Waits until the log has this many entries. */
const logOf = async (client: Client, id: string, count: number): Promise<ReadonlyArray<any>> => {
  const { body } = await until(
    () => client.webhooks(`/${id}/deliveries?limit=200`),
    ({ body }) => body.items.length >= count,
    { what: `entry ${count} of the log` }
  )
  return body.items
}

const fault: Script = () => ({ status: 500, body: "broken" })

/** Managing endpoints. */
const management = (service: () => Service, once: Once) =>
  describe("webhook endpoints", () => {
    it("are registered, and show their secret only then", async () => {
      const client = await service().client()
      const url = idle()
      const answer = await client.webhooks("", { url })
      assert.strictEqual(answer.status, 201, answer.text)
      const { secret, ...made } = answer.body
      assert.sameMembers(Object.keys(made), shown)
      const { createdAt, id, ...rest } = made
      assert.deepStrictEqual(rest, {
        url,
        events: null,
        description: null,
        status: "ACTIVE",
        disabledReason: null,
        failingSince: null,
        retiringAt: null
      })
      assert.match(id, /^whk_[0-9a-z]{26}$/)
      assert.match(createdAt, time)
      assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)

      const other = await client.webhook({
        url: idle(),
        events: ["otp.verified", "otp.expired", "otp.verified"],
        description: "Orders: नमस्ते"
      })
      assert.deepStrictEqual(other.events, ["otp.verified", "otp.expired"])
      assert.strictEqual(other.description, "Orders: नमस्ते")
      assert.notStrictEqual(other.secret, secret)

      const { secret: _, ...second } = other
      assert.deepStrictEqual((await client.webhooks(`/${id}`)).body, made)
      const all = await client.webhooks()
      assert.deepStrictEqual(all.body, { items: [made, second], nextCursor: null })
      assert.notInclude(all.text, "whsec_")
    })

    it("are registered once per Idempotency-Key, and a repeat returns the secret too", async () => {
      const client = await service().client()
      const call = {
        method: "POST",
        path: "/v1/dashboard/webhooks",
        body: { url: idle() },
        headers: { "idempotency-key": uuid() }
      }
      const first = await client.send(call)
      const again = await client.send(call)
      assert.strictEqual(again.headers["idempotency-replayed"], "true")
      assert.strictEqual(again.text, first.text)
      assert.lengthOf((await client.webhooks()).body.items, 1)
      refused(await client.send({ ...call, body: { url: idle() } }), "IDEMPOTENCY_KEY_REUSED")
    })

    once("have unique URLs in any spelling, and the other environment may use the same", async () => {
      const { live, test } = await service().merchant()
      const url = idle()
      const first = await test.webhook({ url })
      for (const same of [url, url.replace("https", "HTTPS"), url.replace("192.31.196.1", "192.31.196.1:443")]) {
        refused(await test.webhooks("", { url: same }), "WEBHOOK_URL_DUPLICATE")
      }
      const second = await test.webhook({ url: `${url}?b` })
      refused(await test.webhooks(`/${second.id}`, { url }, "PATCH"), "WEBHOOK_URL_DUPLICATE")
      assert.strictEqual((await test.webhooks(`/${first.id}`, { url }, "PATCH")).status, 200)
      await live.webhook({ url })
      assert.strictEqual((await test.webhooks(`/${first.id}`, undefined, "DELETE")).status, 204)
      await test.webhook({ url })
    })

    it("have unique URLs, also when 20 requests register one concurrently", async () => {
      const client = await service().client()
      const url = idle()
      const answers = await Promise.all(Array.from({ length: 20 }, () => client.webhooks("", { url })))
      assert.lengthOf(
        answers.filter(({ status }) => status === 201),
        1
      )
      for (const answer of answers) if (answer.status !== 201) refused(answer, "WEBHOOK_URL_DUPLICATE")
    })

    once("are changed field by field, disabled and enabled", async () => {
      const client = await service().client()
      const { secret: _, ...made } = await client.webhook({ url: idle(), events: ["otp.expired"], description: "old" })
      const change = async (fields: { readonly [name: string]: unknown }) => {
        const { body, status, text } = await client.webhooks(`/${made.id}`, fields, "PATCH")
        assert.strictEqual(status, 200, text)
        assert.deepStrictEqual((await client.webhooks(`/${made.id}`)).body, body)
        return body
      }
      assert.deepStrictEqual(await change({}), made)
      assert.deepStrictEqual(await change({ url: null, status: null, another: 1 }), made)
      const url = idle()
      assert.deepStrictEqual(await change({ url }), { ...made, url })
      assert.deepStrictEqual(await change({ events: ["otp.verified"] }), { ...made, url, events: ["otp.verified"] })
      const all = { ...made, url, events: null, description: null }
      assert.deepStrictEqual(await change({ events: null, description: null }), all)
      const off = { ...all, status: "DISABLED", disabledReason: "MERCHANT" }
      assert.deepStrictEqual(await change({ status: "DISABLED" }), off)
      assert.deepStrictEqual(await change({ description: "new" }), { ...off, description: "new" })
      assert.deepStrictEqual(await change({ status: "ACTIVE" }), { ...all, description: "new" })
    })

    it("are deleted, and unknown afterwards", async () => {
      const client = await service().client()
      const { id } = await client.webhook({ url: idle() })
      const removed = await client.webhooks(`/${id}`, undefined, "DELETE")
      assert.strictEqual(removed.status, 204)
      assert.strictEqual(removed.text, "")
      refused(await client.webhooks(`/${id}`, undefined, "DELETE"), "WEBHOOK_NOT_FOUND")
      refused(await client.webhooks(`/${id}`), "WEBHOOK_NOT_FOUND")
      assert.deepStrictEqual((await client.webhooks()).body.items, [])
    })

    it("are unknown to other merchants and to the other environment", async () => {
      const mine = await service().merchant()
      const theirs = await service().client()
      const { id } = await mine.test.webhook({ url: idle() })
      for (const [client, asked] of [
        [theirs, id],
        [mine.live, id],
        [mine.test, unknown.webhook],
        [mine.test, id.toUpperCase()],
        [mine.test, id.slice(0, -1)],
        [mine.test, "whk_"],
        [mine.test, "%00"],
        [mine.test, "x".repeat(500)]
      ] as const) {
        for (const [method, path, body] of [
          ["GET", "", undefined],
          ["PATCH", "", { description: "mine now" }],
          ["DELETE", "", undefined],
          ["POST", "/rotate-secret", undefined],
          ["POST", "/test", undefined],
          ["GET", "/deliveries", undefined],
          ["GET", `/deliveries/${unknown.delivery}`, undefined],
          ["POST", `/deliveries/${unknown.delivery}/redeliver`, undefined],
          ["GET", "/replay?since=2026-01-31T09:30:00.000Z", undefined],
          ["POST", "/replay", { since: "2026-01-31T09:30:00.000Z" }]
        ] as const) {
          refused(await client.webhooks(`/${asked}${path}`, body, method), "WEBHOOK_NOT_FOUND")
        }
      }
      assert.deepStrictEqual((await theirs.webhooks()).body.items, [])
      assert.deepStrictEqual((await mine.live.webhooks()).body.items, [])
      assert.isNull((await mine.test.webhooks(`/${id}`)).body.description)
      refused(await service().send({ path: "/v1/dashboard/webhooks" }), "INVALID_CLIENT_CREDENTIALS")
    })

    once("name each invalid field", async () => {
      const client = await service().client()
      const { id } = await client.webhook({ url: idle() })
      const wrong: ReadonlyArray<readonly [field: string, values: ReadonlyArray<unknown>]> = [
        [
          "url",
          [
            "",
            "x",
            "/hook",
            "//example.com/",
            "ftp://192.31.196.1/",
            "javascript:alert(1)",
            "https://user@192.31.196.1/",
            "https://user:password@192.31.196.1/",
            "https://192.31.196.1/a b",
            "https://192.31.196.1/\n",
            "https://192.31.196.1:0/",
            "https://",
            `https://192.31.196.1/${"x".repeat(2050)}`,
            7,
            ["https://192.31.196.1/"],
            {}
          ]
        ],
        ["events", [[], ["otp"], ["OTP.VERIFIED"], ["otp.verified", ""], ["webhook.test"], "otp.verified", [1], {}, 7]],
        ["description", ["x".repeat(201), "a\u0000", "a\nb", 7, ["x"]]]
      ]
      for (const [field, values] of wrong) {
        for (const value of values) {
          refused(await client.webhooks("", { url: idle(), [field]: value }), "INVALID_REQUEST", field)
          refused(await client.webhooks(`/${id}`, { [field]: value }, "PATCH"), "INVALID_REQUEST", field)
        }
      }
      refused(await client.webhooks("", {}), "INVALID_REQUEST", "url")
      refused(await client.webhooks("", { url: null }), "INVALID_REQUEST", "url")
      for (const status of ["active", "GONE", "", 1]) {
        refused(await client.webhooks(`/${id}`, { status }, "PATCH"), "INVALID_REQUEST", "status")
      }
      for (const limit of ["0", "201", "-1", "x", ""]) {
        refused(await client.webhooks(`/${id}/deliveries?limit=${limit}`), "INVALID_REQUEST", "limit")
      }
      for (const status of ["dead", "", "PENDING"]) {
        refused(await client.webhooks(`/${id}/deliveries?status=${status}`), "INVALID_REQUEST", "status")
      }
      const since = "2026-01-31T09:30:00.000Z"
      for (const value of ["yesterday", "2026-01-31", "2026-13-01T00:00:00Z", "2026-02-30T09:30:00Z", "", 0, null]) {
        refused(await client.webhooks(`/${id}/replay`, { since: value }), "INVALID_REQUEST", "since")
        if (value === null) continue
        refused(await client.webhooks(`/${id}/replay`, { since, until: value }), "INVALID_REQUEST", "until")
      }
      refused(await client.webhooks(`/${id}/replay`, {}), "INVALID_REQUEST", "since")
      refused(
        await client.webhooks(`/${id}/replay`, { since, until: "2026-01-31T09:29:59.999Z" }),
        "INVALID_REQUEST",
        "until"
      )
      for (const onlyMissing of ["true", 1]) {
        refused(await client.webhooks(`/${id}/replay`, { since, onlyMissing }), "INVALID_REQUEST", "onlyMissing")
      }
      refused(await press(client, `/${id}/test`, { "idempotency-key": "x" }), "INVALID_REQUEST", "Idempotency-Key")
      assert.lengthOf((await client.webhooks()).body.items, 1)
    })

    it("are limited to 50 per environment", async () => {
      const { live, test } = await service().merchant()
      for (let i = 0; i < 50; i++) await test.webhook({ url: idle() })
      const { items } = (await test.webhooks()).body
      assert.lengthOf(items, 50)
      refused(await test.webhooks("", { url: idle() }), "INVALID_REQUEST", "url")
      await live.webhook({ url: idle() })
      await test.webhooks(`/${items[7].id}`, undefined, "DELETE")
      await test.webhook({ url: idle() })
    })
  })

/** The webhooks that endpoints receive. */
const delivery = (service: () => Service, once: Once) =>
  describe("webhooks", () => {
    let receiver: Receiver
    beforeAll(async () => {
      receiver = await Receiver.start()
    })
    afterAll(() => receiver?.close())

    it("deliver every event as it is listed, signed in both ways", async () => {
      const client = await service().client()
      const url = receiver.endpoint(() => ({ status: 202, body: "thanks" }))
      const { id, secret } = await client.webhook({ url })
      const identity = phone()
      const { requestId } = await client.verified({ identity, orderId: "order" })
      await appOf(client)
      const failing = await client.started({ identity: "p0000@example.com", identityType: "EMAIL" })
      const all = await receiver.sent(url, 5)
      assert.sameMembers(
        all.map(({ event }) => event.type),
        ["otp.initiated", "otp.verified", "session.created", "otp.initiated", "delivery.failed"]
      )
      const { body: events } = await client.events()
      assert.sameDeepMembers(
        all.map(({ event }) => event),
        events.items
      )
      const data = { requestId, identity, identityType: "MOBILE", mode: "OTP", channel: "SMS", orderId: "order" }
      assert.deepInclude(
        all.find(({ event }) => event.type === "otp.initiated" && event.data.requestId === requestId)!.event,
        {
          environment: "test",
          data
        }
      )
      assert.deepInclude(all.find(({ event }) => event.type === "otp.verified")!.event.data, { ...data, method: "OTP" })
      assert.strictEqual(all.find(({ event }) => event.type === "delivery.failed")!.event.data.requestId, failing)
      for (const one of all) {
        await signed(one, secret)
        await signedBody(one, secret)
        assert.deepInclude(one, { method: "POST" })
        assert.deepInclude(one.headers, {
          "content-type": "application/json",
          "content-length": String(Buffer.byteLength(one.body)),
          host: new URL(url).host
        })
        assert.match(one.headers["user-agent"] ?? "", /^Countersign/)
        assert.isFalse(await believed({ ...one, body: one.body.replace("test", "live") }, secret))
        assert.isFalse(await believed(one, `whsec_${Buffer.alloc(32).toString("base64")}`))
      }

      const log = await logOf(client, id, 5)
      assert.sameMembers(
        log.map(({ eventId }) => eventId),
        all.map(({ event }) => event.id)
      )
      for (const entry of log) {
        assert.sameMembers(Object.keys(entry), listed)
        assert.deepInclude(entry, {
          attempt: 1,
          status: "DELIVERED",
          responseStatus: 202,
          error: null,
          nextAttemptAt: null
        })
        assert.match(entry.id, /^dlv_[0-9a-z]{26}$/)
        assert.match(entry.createdAt, time)
        const { request, responseBody, ...same } = (await client.webhooks(`/${id}/deliveries/${entry.id}`)).body
        assert.deepStrictEqual(same, entry)
        assert.strictEqual(responseBody, "thanks")
        const { body } = all.find(({ event }) => event.id === entry.eventId)!
        assert.deepStrictEqual(request, { url, body })
      }
    })

    it("deliver only the chosen event types, and only of their environment", async () => {
      const { live, test } = await service().merchant()
      const everything = receiver.endpoint()
      const successes = receiver.endpoint()
      await test.webhook({ url: everything })
      await test.webhook({ url: successes, events: ["otp.verified", "delivery.failed"] })
      await test.verified()
      await live.webhook({ url: everything })
      if (service().sendsLive) await live.started()
      else await live.post("/v1/sdk/session", {})
      await receiver.sent(everything, 3)
      assert.deepStrictEqual(
        (await receiver.sent(successes, 1)).map(({ event }) => event.type),
        ["otp.verified"]
      )
      assert.sameMembers(
        receiver.at(everything).map(({ event }) => event.environment),
        ["test", "test", "live"]
      )
    })

    it("stop when their endpoint is disabled, and start again when it is enabled", async () => {
      const alone = service().alone()
      const client = await alone.client()
      const [steady, changing] = [receiver.endpoint(), receiver.endpoint()]
      await client.webhook({ url: steady })
      const { id } = await client.webhook({ url: changing })
      await client.webhooks(`/${id}`, { status: "DISABLED" }, "PATCH")
      await client.started()
      await receiver.sent(steady, 1)
      await client.webhooks(`/${id}`, { status: "ACTIVE", events: ["otp.initiated"] }, "PATCH")
      const requestId = await client.started()
      const [first] = await receiver.sent(changing, 1)
      assert.strictEqual(first?.event.data.requestId, requestId)
      await client.webhooks(`/${id}`, undefined, "DELETE")
      await client.started()
      await receiver.sent(steady, 3)
      assert.lengthOf(receiver.at(changing), 1)
    })

    it("are signed with both secrets for a day after a rotation", async () => {
      const client = await service().alone().client()
      const url = receiver.endpoint()
      const { id, secret: old, ...made } = await client.webhook({ url })
      const rotated = await press(client, `/${id}/rotate-secret`)
      assert.strictEqual(rotated.status, 200)
      const { retiringAt, secret, ...same } = rotated.body
      assert.deepStrictEqual({ ...same, retiringAt: null }, { id, ...made })
      assert.isBelow(Math.abs(Date.parse(retiringAt) - Date.now() - 24 * 3_600_000), 5 * 60_000, retiringAt)
      assert.strictEqual((await client.webhooks(`/${id}`)).body.retiringAt, retiringAt)
      assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
      assert.notStrictEqual(secret, old)
      await client.started()
      const [first] = await receiver.sent(url, 1)
      await signed(first!, old)
      await signed(first!, secret)
      await signedBody(first!, secret)
      assert.lengthOf(String(first?.headers["webhook-signature"]).split(" "), 2)

      // The deployed secret keeps signing after any further rotation; a fifth concurrent secret is refused.
      const all = [old, secret]
      for (let i = 0; i < 2; i++) all.push((await press(client, `/${id}/rotate-secret`)).body.secret)
      const refusal = await press(client, `/${id}/rotate-secret`)
      refused(refusal, "INVALID_REQUEST", "secret: already has 4 valid versions")
      await press(client, `/${id}/test`)
      const [, second] = await receiver.sent(url, 2)
      for (const one of all) await signed(second!, one)
      assert.lengthOf(String(second?.headers["webhook-signature"]).split(" "), 4)
    })

    once("can be tested, also while disabled", async () => {
      const client = await service().client()
      const [tried, other] = [receiver.endpoint(() => ({ status: 200, body: "ok" })), receiver.endpoint()]
      const { id, secret } = await client.webhook({ url: tried, events: ["otp.expired"] })
      await client.webhook({ url: other })
      await client.webhooks(`/${id}`, { status: "DISABLED" }, "PATCH")
      const { body, status, text } = await press(client, `/${id}/test`)
      assert.strictEqual(status, 200, text)
      assert.sameMembers(Object.keys(body), [...listed, "request", "responseBody"])
      const [received] = receiver.at(tried)
      await signed(received!, secret)
      assert.deepStrictEqual(received?.event, {
        id: body.eventId,
        type: "webhook.test",
        createdAt: received?.event.createdAt,
        environment: "test",
        data: { webhookId: id, message: "This is a test" }
      })
      assert.deepInclude(body, {
        eventType: "webhook.test",
        attempt: 1,
        status: "DELIVERED",
        responseStatus: 200,
        responseBody: "ok",
        request: { url: tried, body: received?.body }
      })
      assert.deepStrictEqual((await client.webhooks(`/${id}/deliveries/${body.id}`)).body, body)
      assert.deepStrictEqual((await client.events()).body.items, [received?.event])
      assert.lengthOf(receiver.at(other), 0)

      const headers = { "idempotency-key": uuid() }
      const once = await press(client, `/${id}/test`, headers)
      assert.strictEqual((await press(client, `/${id}/test`, headers)).text, once.text)
      assert.lengthOf(receiver.at(tried), 2)
    })

    once("report the result of a test: a redirect that was not followed, an error, a timeout", async () => {
      const client = await service().client()
      const elsewhere = receiver.endpoint()
      const tries: ReadonlyArray<readonly [url: string, expected: { readonly [name: string]: unknown }]> = [
        [receiver.endpoint(() => ({ status: 302, headers: { location: elsewhere } })), { responseStatus: 302 }],
        [receiver.endpoint(() => ({ status: 307, headers: { location: elsewhere } })), { responseStatus: 307 }],
        [
          receiver.endpoint(() => ({ status: 404, body: "x".repeat(5000) })),
          { responseStatus: 404, responseBody: "x".repeat(1024) }
        ],
        [receiver.endpoint(fault), { responseStatus: 500, responseBody: "broken" }],
        [`${receiver.base.replace(/\d+$/, "9")}/${uuid()}`, { responseStatus: null, responseBody: null }]
      ]
      for (const [url, expected] of tries) {
        const { id } = await client.webhook({ url })
        const { body } = await press(client, `/${id}/test`)
        // A failed test is never retried automatically.
        assert.deepInclude(body, { status: "FAILED", nextAttemptAt: null, ...expected })
        assert.strictEqual(body.error === null, expected["responseStatus"] !== null)
        // A failed test by hand does not count toward disabling the endpoint.
        assert.isNull((await client.webhooks(`/${id}`)).body.failingSince)
        if (!url.startsWith(receiver.base)) continue
        assert.lengthOf(receiver.at(url), 1)
      }
      assert.lengthOf(receiver.at(elsewhere), 0)
    })

    it("stop on a 410, which disables the endpoint and is an event itself", async () => {
      const alone = service().alone()
      const client = await alone.client()
      const [gone, watching] = [receiver.endpoint(() => ({ status: 410 })), receiver.endpoint()]
      const { id } = await client.webhook({ url: gone })
      await client.webhook({ url: watching, events: ["webhook.disabled"] })
      await client.started()
      const [received] = await receiver.sent(watching, 1)
      assert.deepInclude(received?.event, {
        type: "webhook.disabled",
        data: { webhookId: id, url: gone, reason: "GONE" }
      })
      assert.deepInclude((await client.webhooks(`/${id}`)).body, { status: "DISABLED", disabledReason: "GONE" })
      const [entry] = await logOf(client, id, 1)
      assert.deepInclude(entry, { status: "DEAD", responseStatus: 410, attempt: 1, nextAttemptAt: null })
      assert.lengthOf((await client.webhooks(`/${id}/deliveries?status=DEAD`)).body.items, 1)
      assert.deepStrictEqual((await client.events({ type: "webhook.disabled" })).body.items, [received?.event])
      await client.started()
      assert.lengthOf(receiver.at(gone), 1)
      const again = await client.webhooks(`/${id}`, { status: "ACTIVE" }, "PATCH")
      assert.deepInclude(again.body, { status: "ACTIVE", disabledReason: null, failingSince: null })
    })

    it("are resent by hand with the same id, a new time and new signatures", async () => {
      const client = await service().client()
      const url = receiver.endpoint((nth) => ({ status: nth === 1 ? 500 : 200 }))
      const { id, secret } = await client.webhook({ url })
      await client.started()
      const [failed] = await logOf(client, id, 1)
      assert.deepInclude(failed, { status: "FAILED", responseStatus: 500, attempt: 1 })
      assert.match(failed.nextAttemptAt, time)
      const redelivered = await press(client, `/${id}/deliveries/${failed.id}/redeliver`)
      assert.strictEqual(redelivered.status, 200, redelivered.text)
      assert.deepInclude(redelivered.body, { eventId: failed.eventId, status: "DELIVERED", attempt: 2 })
      assert.notStrictEqual(redelivered.body.id, failed.id)
      const [first, second] = receiver.at(url)
      assert.strictEqual(second?.body, first?.body)
      assert.strictEqual(second?.headers["webhook-id"], first?.headers["webhook-id"])
      await signed(second!, secret)
      assert.isNull((await client.webhooks(`/${id}`)).body.failingSince)

      const stranger = await client.webhook({ url: idle() })
      for (const wrong of [
        `/${id}/deliveries/${unknown.delivery}`,
        `/${id}/deliveries/x`,
        `/${stranger.id}/deliveries/${failed.id}`
      ]) {
        refused(await client.webhooks(wrong), "WEBHOOK_DELIVERY_NOT_FOUND")
        refused(await press(client, `${wrong}/redeliver`), "WEBHOOK_DELIVERY_NOT_FOUND")
      }
    })

    it("are resent for a time range: all chosen events, or only those never attempted", async () => {
      const client = await service().alone().client()
      const url = receiver.endpoint()
      const { id } = await client.webhook({ url, events: ["otp.verified"] })
      const { requestId } = await client.verified()
      await logOf(client, id, 1)
      await client.webhooks(`/${id}`, { events: null }, "PATCH")
      const replay = async (fields: { readonly [name: string]: unknown }) => {
        const { body, status, text } = await client.webhooks(`/${id}/replay`, fields)
        assert.strictEqual(status, 202, text)
        assert.sameMembers(Object.keys(body), ["since", "until"])
        return body
      }
      const count = async (query: string) => {
        const { body, status, text } = await client.webhooks(`/${id}/replay?${query}`)
        assert.strictEqual(status, 200, text)
        return body
      }
      const [verified] = receiver.at(url)
      const since = new Date(Date.parse(verified?.event.createdAt) - 60_000).toISOString()
      const until = new Date(Date.parse(verified?.event.createdAt) + 60_000).toISOString()
      assert.deepStrictEqual(await count(`since=${since}&onlyMissing=true`), { events: 1, more: false })
      assert.deepStrictEqual(await count(`since=${since}`), { events: 2, more: false })
      assert.deepStrictEqual(await count("since=2020-01-01T00:00:00Z&until=2020-01-02T00:00:00Z"), {
        events: 0,
        more: false
      })
      refused(await client.webhooks(`/${id}/replay?since=yesterday`), "INVALID_REQUEST", "since")
      assert.deepStrictEqual(await replay({ since: since.replace("Z", "+00:00"), until, onlyMissing: true }), {
        since,
        until
      })
      const [, missing] = await receiver.sent(url, 2)
      assert.deepInclude(missing?.event, { type: "otp.initiated" })
      assert.strictEqual(missing?.event.data.requestId, requestId)
      await logOf(client, id, 2)
      await replay({ since })
      const all = await receiver.sent(url, 4)
      assert.sameMembers(
        all.slice(2).map(({ event }) => event.id),
        all.slice(0, 2).map(({ event }) => event.id)
      )
      await logOf(client, id, 4)
      // No attempt was recorded then.
      await replay({ since: "2020-01-01T00:00:00Z", until: "2020-01-02T00:00:00Z" })
      await client.webhooks(`/${id}`, { status: "DISABLED" }, "PATCH")
      refused(await client.webhooks(`/${id}/replay`, { since }), "INVALID_REQUEST", "status")
    })

    it("are listed by event, found by event and by verification, and missing events are retried", async () => {
      const client = await service().client()
      const url = receiver.endpoint((nth) => ({ status: nth === 1 ? 500 : 204 }))
      const { id } = await client.webhook({ url, events: ["otp.initiated"] })
      const health = async () => (await client.webhooks(`/${id}/backlog`)).body
      assert.deepInclude(await health(), { health: "NO_EVENT_YET", since: null, lastResponseStatus: null, pending: 0 })
      const failed = (await press(client, `/${id}/test`)).body
      assert.deepInclude(await health(), { health: "FAILING", lastResponseStatus: 500, lastError: null })
      const requestId = await client.started()
      await receiver.sent(url, 2)
      await logOf(client, id, 2)
      assert.deepInclude(await health(), { health: "WORKS", lastResponseStatus: 204 })
      const list = async (query = "") => (await client.webhooks(`/${id}/events${query}`)).body.items
      const [first, second] = await list()
      assert.deepInclude(first, { type: "otp.initiated", requestId, state: "DELIVERED", nextAttemptAt: null })
      assert.sameMembers(Object.keys(first.attempts[0]), listed)
      assert.deepInclude(second, { id: failed.eventId, type: "webhook.test", requestId: null, state: "FAILED" })
      for (const query of [`?find=${first.id}`, `?find=${requestId}`, "?state=DELIVERED", "?type=otp.initiated"])
        assert.deepStrictEqual(await list(query), [first], query)
      const unknown = `ver_${"0".repeat(26)}`
      for (const query of [`?find=${unknown}`, "?state=WAITING"]) assert.deepStrictEqual(await list(query), [], query)
      refused(await client.webhooks(`/${id}/events?find=asha`), "INVALID_REQUEST", "find")
      refused(await client.webhooks(`/${id}/events?state=LOST`), "INVALID_REQUEST", "state")
      const page = (await client.webhooks(`/${id}/events?limit=1`)).body
      assert.deepStrictEqual([page.items, await list(`?cursor=${page.nextCursor}`)], [[first], [second]])

      const retry = (path: string) => press(client, `/${id}${path}`)
      assert.deepInclude(await retry(`/events/${first.id}/retry`), { status: 202, body: { events: 0 } })
      assert.deepInclude(await retry(`/events/${second.id}/retry`), { status: 202, body: { events: 1 } })
      await receiver.sent(url, 3)
      await logOf(client, id, 3)
      assert.deepInclude((await list())[1], { id: second.id, state: "DELIVERED" })
      assert.deepInclude(await retry("/retry"), { status: 202, body: { events: 0 } })
      refused(await retry(`/events/${unknown}/retry`), "WEBHOOK_DELIVERY_NOT_FOUND")
      const other = await service().client()
      refused(await other.webhooks(`/${id}/events`), "WEBHOOK_NOT_FOUND")
      refused(await press(other, `/${id}/retry`), "WEBHOOK_NOT_FOUND")
      assert.lengthOf(receiver.at(url), 3)
    })

    it("are logged newest first, in pages and by status", async () => {
      const client = await service().client()
      const url = receiver.endpoint((nth) => ({ status: nth % 2 === 0 ? 500 : 200 }))
      const { id } = await client.webhook({ url, events: ["otp.verified"] })
      for (let i = 0; i < 6; i++) await press(client, `/${id}/test`)
      const all = await logOf(client, id, 6)
      const ids = all.map(({ id }): string => id)
      assert.deepStrictEqual(ids, ids.toSorted().reverse())
      for (const limit of [1, 4, 6, 200]) {
        const pages: Array<any> = []
        for (let cursor: string | null = ""; cursor !== null; ) {
          const path: string = `/${id}/deliveries?limit=${limit}${cursor === "" ? "" : `&cursor=${cursor}`}`
          const { body }: any = await client.webhooks(path)
          assert.isAtMost(body.items.length, limit)
          pages.push(...body.items)
          cursor = body.nextCursor
        }
        assert.deepStrictEqual(pages, all)
      }
      for (const status of ["DELIVERED", "FAILED", "DEAD"]) {
        assert.deepStrictEqual(
          (await client.webhooks(`/${id}/deliveries?status=${status}`)).body.items,
          all.filter((entry) => entry.status === status)
        )
      }
      for (const cursor of ["x", "dlv_", "'", "%00"]) {
        assert.include([200, 400], (await client.webhooks(`/${id}/deliveries?cursor=${cursor}`)).status)
      }
    })
  })

export const suite = (service: () => Service, once: Once) => {
  management(service, once)
  delivery(service, once)
}

interface Begun {
  readonly client: Client
  readonly receiver: Receiver
  readonly requestId: string
  readonly verifiedId: string
  /** Grouped by the endpoint's answer. */
  readonly endpoints: {
    readonly [name in "expiry" | "busy" | "broken" | "hanging"]: {
      readonly url: string
      readonly id: string
      readonly secret: string
    }
  }
}

/** Slow cases: started here, checked later. */
export const inTime = (service: () => Service) => {
  let begun: Begun | undefined
  const then = (): Begun => {
    if (begun === undefined) throw new Error("It was not begun")
    return begun
  }

  const begin = async () => {
    const client = await service().client({ codeExpirySeconds: 30 })
    const receiver = await Receiver.start()
    const endpoint = async (events: ReadonlyArray<string>, script?: Script) => {
      const url = receiver.endpoint(script)
      return { url, ...(await client.webhook({ url, events })) }
    }
    const endpoints = {
      expiry: await endpoint(["otp.expired"]),
      broken: await endpoint(["otp.verified"], (nth) => ({ status: nth === 1 ? 500 : 204 })),
      busy: await endpoint(["otp.verified"], (nth) =>
        nth === 1 ? { status: 503, headers: { "retry-after": "9" } } : { status: 204 }
      ),
      hanging: await endpoint(["otp.verified"], (nth) => (nth === 1 ? "hang" : { status: 204 }))
    }
    const { requestId: verifiedId } = await client.verified()
    begun = { client, receiver, endpoints, verifiedId, requestId: await client.started({ orderId: "late" }) }
  }

  const suite = () =>
    describe("webhooks, with waiting times", () => {
      afterAll(() => begun?.receiver.close())

      /** Two attempts for one event: the webhooks that arrived and the log, oldest first. */
      const retried = async (name: "broken" | "busy" | "hanging") => {
        const { client, endpoints, receiver, verifiedId } = then()
        const { id, secret, url } = endpoints[name]
        const sent = await receiver.sent(url, 2)
        assert.lengthOf(sent, 2)
        const [first, second] = sent as [Received, Received]
        assert.strictEqual(first.event.data.requestId, verifiedId)
        assert.strictEqual(second.body, first.body)
        assert.strictEqual(second.headers["webhook-id"], first.headers["webhook-id"])
        assert.isAbove(Number(second.headers["webhook-timestamp"]), Number(first.headers["webhook-timestamp"]))
        assert.notStrictEqual(second.headers["webhook-signature"], first.headers["webhook-signature"])
        assert.strictEqual(second.headers["x-service-signature"], first.headers["x-service-signature"])
        for (const one of sent) await signed(one, secret)
        const [later, earlier] = await logOf(client, id, 2)
        assert.deepInclude(later, { attempt: 2, status: "DELIVERED", responseStatus: 204, nextAttemptAt: null })
        assert.deepInclude(earlier, { attempt: 1, status: "FAILED", eventId: later.eventId })
        assert.isAtLeast(Date.parse(later.createdAt), Date.parse(earlier.nextAttemptAt))
        assert.isNull((await client.webhooks(`/${id}`)).body.failingSince)
        const ended = Date.parse(earlier.createdAt) + earlier.durationMs
        return { earlier, wait: Date.parse(earlier.nextAttemptAt) - ended }
      }

      it("are retried after 5 seconds, plus or minus a tenth", async () => {
        const { earlier, wait } = await retried("broken")
        assert.strictEqual(earlier.responseStatus, 500)
        assert.isAtLeast(wait, 4_500)
        assert.isAtMost(wait, 5_500)
      })

      it("are retried when the receiver asks for it", async () => {
        const { earlier, wait } = await retried("busy")
        assert.strictEqual(earlier.responseStatus, 503)
        assert.isAtLeast(wait, 9_000)
        assert.isAtMost(wait, 9_100)
      })

      it("time out after 15 seconds without an answer, and are retried", async () => {
        const { earlier } = await retried("hanging")
        assert.isNull(earlier.responseStatus)
        assert.match(earlier.error, /15 seconds/)
        assert.isAtLeast(earlier.durationMs, 15_000)
      })

      it("report an expired code once, within seconds; its status stays PENDING", async () => {
        const { client, endpoints, receiver, requestId } = then()
        const { secret, url } = endpoints.expiry
        const [received] = await receiver.sent(url, 1)
        await signed(received!, secret)
        const { createdAt, data, type } = received!.event
        assert.strictEqual(type, "otp.expired")
        const { body } = await client.status({ requestId })
        assert.strictEqual(body.authStatus, "PENDING")
        const { items } = (await client.events({ type: "otp.initiated" })).body
        const started = items.find((event: any) => event.data.requestId === requestId)
        assert.deepStrictEqual(data, started.data)
        const late = Date.parse(createdAt) - Date.parse(started.createdAt) - 30_000
        assert.isAtLeast(late, 0)
        assert.isBelow(late, 10_000)
        refused(await client.verify({ requestId, otp: code }), "OTP_EXPIRED")
        assert.deepStrictEqual((await client.events({ type: "otp.expired" })).body.items, [received?.event])
        assert.lengthOf(receiver.at(url), 1)
      })
    })

  return { begin, suite }
}
