import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { ServerResponse } from "node:http"
import { meaningOf } from "../src/ErrorTable.ts"
import { answer, answering } from "./fixtures/answering.ts"
import { channel, message, plain, rcsSender, reasonOf, taken, world } from "./fixtures/world.ts"

/** Twilio's codes by their meaning for core, grouped as in Twilio's documentation. */
const meanings = {
  opted_out: [21610],
  recipient: [21211, 21614, 21635, 21612, 21608, 30004, 30005, 30006, 30003, 30008, 30036, 30410],
  account: [
    20003, 20005, 20404, 21408, 21602, 21603, 21604, 21617, 21609, 21654, 21655, 21656, 21701, 21702, 21703, 21704,
    21705, 30002, 63001, 63002, 63007, 63008, 63013, 63015, 63020, 63021, 63035, 63051, 21664, 21665, 21666, 21667
  ],
  sender: [21212, 21606, 21659, 21661, 30018, 30024, 30032, 30033, 30034, 30035],
  content: [30007, 30450, 30453],
  limit: [20429, 21611, 30001, 30022, 30023, 30027, 63017, 63018, 63038],
  unknown: [20500],
  later: [20503, 30017, 63009, 63010, 63012],
  channel: [63003, 63024, 63014, 63033, 63032, 63036, 63016]
}

const templates = { NOT_FOUND: [63027], INCOMPLETE: [63028], INVALID: [63040, 63041, 63042] }

const error = (code: unknown, status = 400) => answer(status, JSON.stringify({ code, message: "no", status }))

describe("an error code of Twilio", () => {
  it.effect("is mapped to a reason for core", () =>
    Effect.gen(function* () {
      const { channel: sms, twilio } = yield* world()
      for (const [means, codes] of Object.entries(meanings)) {
        for (const refused of codes) {
          yield* twilio.play({ refused })
          const providerCode = String(refused)
          assert.deepStrictEqual(
            plain(yield* reasonOf(sms.send(message()))),
            means === "unknown"
              ? { _tag: "OutcomeUnknown", providerCode }
              : means === "later"
                ? { _tag: "Unavailable", providerCode }
                : { _tag: means === "limit" ? "Unavailable" : "Refused", providerCode, because: means }
          )
        }
      }
    })
  )

  it.effect("names a template error", () =>
    Effect.gen(function* () {
      const { channel: rcs, twilio } = yield* world({ rcsSender })
      for (const [template, codes] of Object.entries(templates)) {
        for (const refused of codes) {
          yield* twilio.play({ refused })
          assert.deepStrictEqual(plain(yield* reasonOf(rcs.send(message()))), {
            _tag: "Refused",
            providerCode: String(refused),
            because: "template",
            template
          })
        }
      }
    })
  )

  it("is mapped by the HTTP status if it is unknown", () => {
    assert.deepStrictEqual(
      [400, 403, 404, 418, 302, 429, 500, 503, 599].map((status) => meaningOf(status, 99_999).means),
      ["account", "account", "account", "account", "account", "limit", "unknown", "later", "unknown"]
    )
  })

  it.effect("is read from every format of Twilio's errors", () =>
    Effect.gen(function* () {
      const problem = {
        type: "https://www.twilio.com/docs/api/errors/21610",
        title: "Unsubscribed",
        status: 400,
        code: 21610,
        detail: "no"
      }
      const refused = (providerCode: string, because: string) => ({ _tag: "Refused", providerCode, because })
      const rows: ReadonlyArray<readonly [ReturnType<typeof answer>, object]> = [
        [error(21211), refused("21211", "recipient")],
        [error("21211"), refused("21211", "recipient")],
        [
          answer(400, JSON.stringify(problem), { "content-type": "application/problem+json" }),
          refused("21610", "opted_out")
        ],
        [error(12_345), refused("12345", "account")],
        [error(20429, 429), { _tag: "Unavailable", providerCode: "20429", because: "limit" }],
        [error(20003, 401), refused("20003", "account")],
        [
          answer(401, '{"code":20003}', { "www-authenticate": 'Basic realm="Twilio API"' }),
          refused("20003", "account")
        ],
        [answer(400, ""), refused("http_400", "account")],
        [answer(408, ""), { _tag: "OutcomeUnknown", providerCode: "http_408" }],
        [answer(304, ""), refused("http_304", "account")],
        [answer(502, "x".repeat(300_000)), { _tag: "OutcomeUnknown", providerCode: "http_502" }],
        [answer(403, "<html>no</html>"), refused("http_403", "account")],
        [answer(500, ""), { _tag: "OutcomeUnknown", providerCode: "http_500" }],
        [answer(502, "<html>no</html>"), { _tag: "OutcomeUnknown", providerCode: "http_502" }],
        [answer(400, "null"), refused("http_400", "account")],
        [answer(400, "[]"), refused("http_400", "account")],
        [answer(302, "", { location: "https://example.com/" }), refused("http_302", "account")],
        [answer(307, "", { location: "/" }), refused("http_307", "account")]
      ]
      const hostile = ["+919812345678", "__proto__", { toString: "x" }, [], null, true, -1, 1e300, 21211.5].map(
        (code): (typeof rows)[number] => [error(code), refused("http_400", "account")]
      )
      const all = [...rows, ...hostile]
      const server = yield* answering(...all.map(([each]) => each))
      const sms = yield* channel(server.url)
      for (const [, expected] of all) assert.deepStrictEqual(plain(yield* reasonOf(sms.send(message()))), expected)
      assert.strictEqual(yield* server.asked, all.length)
    })
  )

  it.effect("keeps Twilio's requested wait if it is valid", () =>
    Effect.gen(function* () {
      const wishes: ReadonlyArray<readonly [string, number | undefined]> = [
        ["7", 7],
        [" 12 ", 12],
        ["0", 0],
        ["999999999", 86_400],
        ["Thu, 19 Nov 2026 12:05:00 GMT", undefined],
        ["-1", undefined],
        ["1e9", undefined],
        ["", undefined]
      ]
      const headers = wishes.map(([wish]) =>
        answer(429, "{}", { "content-type": "application/json", "retry-after": wish })
      )
      const server = yield* answering(...headers)
      const sms = yield* channel(server.url)
      for (const [, retryAfterSeconds] of wishes) {
        assert.deepStrictEqual(plain(yield* reasonOf(sms.send(message()))), {
          _tag: "Unavailable",
          providerCode: "http_429",
          because: "limit",
          ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds })
        })
      }
    })
  )
})

describe("an answer from Twilio", () => {
  it.effect("with a success status and no message id leaves the outcome unknown", () =>
    Effect.gen(function* () {
      const bodies = [
        "<html>",
        "",
        "{}",
        "null",
        "[]",
        "7",
        '"yes"',
        '{"sid":7}',
        '{"sid":""}',
        '{"sid":"S M\\n"}',
        '{"sid":"SM'
      ]
      const server = yield* answering(...bodies.map((body) => answer(201, body)))
      const sms = yield* channel(server.url)
      for (const body of bodies) {
        const reason = yield* reasonOf(sms.send(message()))
        assert.deepStrictEqual(plain(reason), { _tag: "OutcomeUnknown", providerCode: "unreadable" }, body)
      }
      assert.strictEqual(yield* server.asked, bodies.length)
    })
  )

  it.effect("that is cut off leaves the outcome unknown with any status", () =>
    Effect.gen(function* () {
      const statuses = [201, 400, 503]
      const server = yield* answering(
        ...statuses.map((status) => (response: ServerResponse) => {
          response.writeHead(status, { "content-type": "application/json", "content-length": "100" })
          response.write('{"code":21211', () => response.destroy())
        })
      )
      const sms = yield* channel(server.url)
      for (const _ of statuses) {
        const reason = yield* reasonOf(sms.send(message()))
        assert.deepStrictEqual(plain(reason), { _tag: "OutcomeUnknown", providerCode: "unreadable" })
      }
      assert.strictEqual(yield* server.asked, statuses.length)
    })
  )

  it.effect("may have status 200 or 201, and additional fields", () =>
    Effect.gen(function* () {
      const body = JSON.stringify({
        sid: taken.providerId,
        status: "scheduled",
        date_created: "yesterday",
        __proto__: null,
        more: [{}]
      })
      const server = yield* answering(answer(200, body))
      assert.deepStrictEqual(yield* (yield* channel(server.url)).send(message()), taken)
    })
  )
})
