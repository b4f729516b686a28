import { TwilioSimulator } from "@countersign/testkit/simulators"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { accountSid, authToken, simulator } from "./fixtures/world.ts"

type Fields = { readonly [name: string]: string }

const right: Fields = { To: "+919812345678", From: "+15005550006", Body: "482913 is your code" }
const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`

interface Posted {
  readonly path?: string
  readonly authorization?: string
  readonly contentType?: string
}

const post = (twilio: TwilioSimulator.TwilioSimulator, fields: Fields, posted: Posted = {}) =>
  Effect.promise(async () => {
    const { authorization = basic(accountSid, authToken), contentType = "application/x-www-form-urlencoded" } = posted
    const response = await fetch(`${twilio.url}${posted.path ?? `/2010-04-01/Accounts/${accountSid}/Messages.json`}`, {
      method: "POST",
      headers: { authorization, "content-type": contentType },
      body: new URLSearchParams(fields).toString()
    })
    return { status: response.status, body: (await response.json()) as { readonly [name: string]: unknown } }
  })

describe("TwilioSimulator", () => {
  it.effect("answers like Twilio", () =>
    Effect.gen(function* () {
      const twilio = yield* simulator()
      yield* TestClock.setTime(Date.UTC(2026, 10, 19, 12, 5))
      const uri = `/2010-04-01/Accounts/${accountSid}/Messages/SM00000000000000000000000000000001`
      const expected = {
        sid: "SM00000000000000000000000000000001",
        account_sid: accountSid,
        api_version: "2010-04-01",
        messaging_service_sid: null,
        from: "+15005550006",
        to: "+919812345678",
        body: "482913 is your code",
        status: "queued",
        direction: "outbound-api",
        error_code: null,
        error_message: null,
        num_segments: "1",
        num_media: "0",
        price: null,
        price_unit: "USD",
        date_created: "Thu, 19 Nov 2026 12:05:00 +0000",
        date_updated: "Thu, 19 Nov 2026 12:05:00 +0000",
        date_sent: null,
        uri: `${uri}.json`,
        subresource_uris: { media: `${uri}/Media.json` }
      }
      assert.deepStrictEqual(yield* post(twilio, right), { status: 201, body: expected })
      const service = { To: "+919812345678", MessagingServiceSid: "MG00000000000000000000000000000001", Body: "x" }
      const { body } = yield* post(twilio, service)
      assert.deepStrictEqual(
        [body["sid"], body["from"], body["status"], body["num_segments"]],
        ["SM00000000000000000000000000000002", null, "accepted", "0"]
      )
      assert.lengthOf(yield* twilio.ledger, 2)
    })
  )

  it.effect("refuses what Twilio refuses, with its code", () =>
    Effect.gen(function* () {
      const twilio = yield* simulator()
      const { Body, From, To, ...none } = right
      const rows: ReadonlyArray<readonly [Fields, Posted, number, number]> = [
        [right, { authorization: "" }, 401, 20003],
        [right, { authorization: basic(accountSid, "wrong") }, 401, 20003],
        [right, { path: "/2010-04-01/Accounts/AC00000000000000000000000000000002/Messages.json" }, 401, 20003],
        [right, { path: `/2010-04-01/Accounts/${accountSid}/Calls.json` }, 404, 20404],
        [right, { contentType: "application/json" }, 400, 21604],
        [{ ...none, From: From!, Body: Body! }, {}, 400, 21604],
        [{ ...none, To: To!, Body: Body! }, {}, 400, 21603],
        [{ ...none, To: To!, From: From! }, {}, 400, 21602],
        [{ ...right, Body: "a".repeat(1_601) }, {}, 400, 21617],
        [{ ...right, To: "919812345678" }, {}, 400, 21211],
        [{ ...right, To: "rcs:+919812345678" }, {}, 400, 63007],
        [{ ...right, StatusCallback: "https://my_host.example.com/" }, {}, 400, 21609],
        [{ ...right, StatusCallback: "verify.example.com" }, {}, 400, 21609]
      ]
      for (const [fields, posted, status, code] of rows) {
        const answer = yield* post(twilio, fields, posted)
        assert.deepStrictEqual([answer.status, answer.body["code"], answer.body["status"]], [status, code, status])
      }
      assert.lengthOf(yield* twilio.ledger, 0)
      assert.lengthOf(yield* twilio.seen, rows.length)
    })
  )

  it.effect("supports the magic numbers if configured", () =>
    Effect.gen(function* () {
      const twilio = yield* TwilioSimulator.make({ accountSid, authToken, magicNumbers: true })
      const rows: ReadonlyArray<readonly [Fields, unknown]> = [
        [right, undefined],
        [{ ...right, From: "+15005550001" }, 21212],
        [{ ...right, From: "+15005550007" }, 21606],
        [{ ...right, From: "+15005550008" }, 21611],
        [{ ...right, From: "+14155550000" }, 21606],
        [{ ...right, To: "+15005550001" }, 21211],
        [{ ...right, To: "+15005550002" }, 21612],
        [{ ...right, To: "+15005550003" }, 21408],
        [{ ...right, To: "+15005550004" }, 21610],
        [{ ...right, To: "+15005550009" }, 21614]
      ]
      for (const [fields, code] of rows) assert.strictEqual((yield* post(twilio, fields)).body["code"], code)
      yield* twilio.settled
      assert.deepStrictEqual(yield* twilio.reports, [])
    })
  )

  it.effect("calls a hook for every message, and counts messages per second", () =>
    Effect.gen(function* () {
      const told: Array<string> = []
      const twilio = yield* simulator({
        onMessage: ({ body, sid }) => Effect.sync(() => void told.push(`${sid.slice(-2)} ${body}`))
      })
      for (const [after, body] of [
        [0, "a"],
        [600, "b"],
        [399, "c"],
        [1, "d"],
        [5_000, "e"]
      ] as const) {
        yield* TestClock.adjust(after)
        yield* post(twilio, { ...right, Body: body })
      }
      assert.deepStrictEqual(told, ["01 a", "02 b", "03 c", "04 d", "05 e"])
      assert.strictEqual(yield* twilio.busiestSecond, 3)
    })
  )

  it.effect("treats each number as configured", () =>
    Effect.gen(function* () {
      const twilio = yield* simulator()
      yield* twilio.play((to) => (to.endsWith("0") ? { refused: 21614 } : "accepted"))
      const refused = yield* post(twilio, { ...right, To: "+919812345670" })
      assert.deepInclude(refused.body, { code: 21614 })
      assert.strictEqual((yield* post(twilio, right)).status, 201)
      assert.lengthOf(yield* twilio.ledger, 1)
    })
  )

  it.effect("listens on the given port, and closes all connections when its scope ends", () =>
    Effect.gen(function* () {
      const ended = yield* Effect.scoped(
        Effect.gen(function* () {
          const twilio = yield* simulator()
          yield* twilio.play("hanging")
          const waiting = post(twilio, right).pipe(Effect.catchDefect(() => Effect.succeed("hung up")))
          const fiber = yield* Effect.forkDetach(waiting)
          yield* twilio.asked(1)
          return { fiber, port: Number(new URL(twilio.url).port) }
        })
      )
      assert.strictEqual(yield* Fiber.join(ended.fiber), "hung up")
      const twilio = yield* simulator({ port: ended.port })
      assert.strictEqual(twilio.url, `http://127.0.0.1:${ended.port}`)
      assert.strictEqual((yield* post(twilio, right)).status, 201)
    })
  )
})
