import { assert, describe, it } from "vitest"
import { appOf } from "../fixture/App.ts"
import { type Client, code, phone, refused, uuid } from "../fixture/Client.ts"
import type { Service } from "../fixture/Service.ts"
import { until } from "../fixture/Until.ts"
import type { Answer } from "../fixture/Wire.ts"
import type { Once } from "./Once.ts"

type Fields = { readonly [name: string]: unknown }
type Headers = { readonly [name: string]: string }

/** An app that reports where its visitors come from. */
const telling = (client: Client) => {
  const tell =
    (path: string) =>
    (body: unknown, headers: Headers = {}) =>
      client.service.send({
        path: `/v1/sdk/attribution/${path}`,
        body,
        headers: { "x-public-key": client.keys.publicKey, ...headers }
      })
  const launch = tell("launch")
  return {
    launch,
    convert: tell("conversion"),
    launched: async (fields: Fields = {}): Promise<{ readonly launchId: string; readonly launchToken: string }> => {
      const { body, status, text } = await launch({ consent: true, ...fields })
      assert.strictEqual(status, 200, text)
      assert.match(body.launchId, /^lch_[0-9a-z]{26}$/)
      assert.match(body.launchToken, /^[0-9a-z]{26}$/)
      assert.strictEqual(body.recorded, true)
      return body
    },
    withdraw: (launchId: string, token: string | null, headers: Headers = {}) =>
      client.service.send({
        method: "DELETE",
        path: `/v1/sdk/attribution/launch/${launchId}`,
        headers: {
          "x-public-key": client.keys.publicKey,
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
          ...headers
        }
      }),
    report: (query: Headers = {}) => client.get(`/v1/dashboard/attribution?${new URLSearchParams(query).toString()}`)
  }
}

const sums = ({ body }: Answer) =>
  body.items.map(({ day, ...row }: any) => {
    assert.match(day, /^\d{4}-\d\d-\d\d$/)
    return row
  })

const row = (source: string | null, counts: Fields) => ({
  source,
  medium: null,
  campaign: null,
  launches: 0,
  verifications: 0,
  conversions: 0,
  leads: 0,
  values: [],
  ...counts
})

const nothing = { recorded: false, launchId: null, launchToken: null }

/** Attribution, from the apps that report it to the merchants who read it. */
export const suite = (service: () => Service, once: Once) => {
  describe("attribution", () => {
    it("joins a launch, a login and a conversion, and withdrawn consent separates them permanently", async () => {
      const client = await service().client()
      const app = telling(client)
      const earlier = new Date(Date.now() - 10).toISOString()
      const first = await app.launched({ utm: { source: "news" }, fingerprint: "f", occurredAt: earlier })
      const second = await app.launched({ utm: { source: "ad" }, fingerprint: "f" })
      const sdk = await appOf(client)
      const { sessionId } = (await sdk.initiate({ launchId: second.launchId })).body
      assert.strictEqual((await sdk.verify({ sessionId, code })).body.verified, true)
      const requestId = await client.started({ identity: phone(), launchId: first.launchId })
      await client.verify({ requestId, otp: code })
      const converted = await app.convert({ event: "paid", value: 19.99, currency: "INR", requestId: sessionId })
      assert.match(converted.body.conversionId, /^cnv_[0-9a-z]{26}$/)
      assert.deepStrictEqual({ ...converted.body, conversionId: "" }, { recorded: true, conversionId: "" })

      const values = [{ currency: "INR", value: 19.99 }]
      const last = await until(
        () => app.report(),
        (answer) => sums(answer).reduce((sum: number, one: any) => sum + one.verifications, 0) === 2,
        { what: "verifications in the report" }
      )
      assert.deepStrictEqual(sums(last), [
        row("ad", { launches: 1, verifications: 1, conversions: 1, values }),
        row("news", { launches: 1, verifications: 1 })
      ])
      assert.isNull(last.body.nextCursor)
      assert.deepStrictEqual(sums(await app.report({ model: "first" })), [
        row("ad", { launches: 1 }),
        row("news", { launches: 1, verifications: 2, conversions: 1, values })
      ])

      for (let i = 0; i < 2; i++) {
        assert.strictEqual((await app.withdraw(first.launchId, first.launchToken)).status, 204)
      }
      assert.deepStrictEqual(sums(await app.report({ model: "first" })), [
        row("ad", { launches: 1, verifications: 1, conversions: 1, values })
      ])
      await app.withdraw(second.launchId, second.launchToken)
      assert.deepStrictEqual(sums(await app.report()), [])
    })

    it("records nothing without consent, and stores no answer for the idempotency key", async () => {
      const client = await service().client()
      const app = telling(client)
      const header = { "idempotency-key": uuid() }
      for (const fields of [{}, { consent: false }, { consent: null, utm: { source: "ad" }, clickId: "c" }]) {
        const answer = await app.launch(fields, header)
        assert.deepStrictEqual([answer.status, answer.body], [200, nothing])
        assert.notProperty(answer.headers, "idempotency-replayed")
      }
      for (const consent of ["true", 1, "yes", {}, []])
        refused(await app.launch({ consent }), "INVALID_REQUEST", "consent")
      assert.deepStrictEqual(sums(await app.report()), [])
      const recorded = await app.launch({ consent: true }, header)
      assert.strictEqual(recorded.body.recorded, true)
      const again = await app.launch({ consent: true }, header)
      assert.deepStrictEqual([again.text, again.headers["idempotency-replayed"]], [recorded.text, "true"])
      assert.deepStrictEqual(sums(await app.report()), [row(null, { launches: 1 })])
    })

    once("belongs to one environment of one merchant", async () => {
      const [mine, theirs] = [await service().merchant(), await service().merchant()]
      const { launchId, launchToken } = await telling(mine.test).launched({ utm: { source: "mine" } })
      for (const other of [mine.live, theirs.test]) {
        const app = telling(other)
        refused(await app.withdraw(launchId, launchToken), "INVALID_CLIENT_CREDENTIALS")
        await app.convert({ event: "paid", launchId })
        assert.deepStrictEqual(sums(await app.report()), [row(null, { conversions: 1 })])
      }
      assert.deepStrictEqual(sums(await telling(mine.test).report()), [row("mine", { launches: 1 })])
    })

    once("names the invalid field, and refuses unauthorized callers", async () => {
      const client = await service().client({ allowedOrigins: ["https://shop.example"] })
      const app = telling(client)
      refused(await app.launch({ consent: true, utm: "google" }), "INVALID_REQUEST", "utm")
      refused(await app.launch({ consent: true, utm: { source: "x".repeat(201) } }), "INVALID_REQUEST", "utm.source")
      refused(await app.launch({ consent: true, occurredAt: "yesterday" }), "INVALID_REQUEST", "occurredAt")
      refused(await app.convert({}), "INVALID_REQUEST", "event")
      refused(await app.convert({ event: "paid", currency: "INR" }), "INVALID_REQUEST", "currency")
      refused(await app.convert({ event: "paid", value: -1 }), "INVALID_REQUEST", "value")
      refused(await app.convert({ event: "paid", value: "1" }), "INVALID_REQUEST", "value")
      refused(await app.convert({ event: "paid", properties: [] }), "INVALID_REQUEST", "properties")
      refused(await app.report({ tz: "Mars/Olympus" }), "INVALID_REQUEST", "tz")
      refused(await app.report({ cursor: "x" }), "INVALID_REQUEST", "cursor")
      const { launchId, launchToken } = await app.launched()
      for (const token of [null, "", "x", `${launchToken}x`]) {
        refused(await app.withdraw(launchId, token), "INVALID_CLIENT_CREDENTIALS")
      }
      refused(await app.withdraw("lch_nobody", launchToken), "INVALID_CLIENT_CREDENTIALS")
      const elsewhere = { origin: "https://evil.example" }
      refused(await app.launch({ consent: true }, elsewhere), "FORBIDDEN")
      refused(await app.withdraw(launchId, launchToken, elsewhere), "FORBIDDEN")
      refused(await app.launch({ consent: true }, { "x-public-key": "pk_test_nobody" }), "INVALID_CLIENT_CREDENTIALS")
      refused(await app.launch({ consent: true }, { "idempotency-key": "1" }), "INVALID_REQUEST", "Idempotency-Key")
      assert.strictEqual((await app.withdraw(launchId, launchToken, { origin: "https://shop.example" })).status, 204)
      const preflight = await service().send({ method: "OPTIONS", path: `/v1/sdk/attribution/launch/${launchId}` })
      assert.match(preflight.headers["access-control-allow-methods"] as string, /\bDELETE\b/)
    })

    once("accepts 8 KB and no more", async () => {
      const client = await service().client()
      const app = telling(client)
      const body = (bytes: number) => {
        const empty = JSON.stringify({ event: "paid", more: "" })
        return JSON.stringify({ event: "paid", more: "x".repeat(bytes - empty.length) })
      }
      assert.strictEqual((await app.convert(body(8_192))).status, 200)
      refused(await app.convert(body(8_193)), "PAYLOAD_TOO_LARGE")
      refused(await app.launch(body(8_193)), "PAYLOAD_TOO_LARGE")
    })

    once("allows 600 requests an hour per address, and its refusals never block a login", async () => {
      const client = await service().client({ sdkInitiatesPerIpPerHour: 5 })
      const app = telling(client)
      const tell = (i: number) => (i % 2 === 0 ? app.launch({ consent: true }) : app.convert({ event: "paid" }))
      const answers = await Promise.all(Array.from({ length: 700 }, (_, i) => tell(i)))
      assert.strictEqual(answers.filter(({ status }) => status === 200).length, 600)
      for (const answer of answers.filter(({ status }) => status !== 200)) refused(answer, "RATE_LIMIT_EXCEEDED")
      const [{ launches, conversions }] = sums(await app.report())
      assert.strictEqual(launches + conversions, 600)
      assert.deepStrictEqual((await app.launch({ consent: false })).body, nothing)
      const sdk = await appOf(client)
      assert.strictEqual((await sdk.initiate()).status, 200)
    })
  })
}
