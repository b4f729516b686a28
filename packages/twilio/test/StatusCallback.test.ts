import type { Receipt } from "@countersign/core/channel"
import { Twilio } from "@countersign/twilio"
import { TwilioSimulator } from "@countersign/testkit/simulators"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { createHash } from "node:crypto"
import {
  authToken,
  callbackOf,
  callbackUrl,
  channel,
  channels,
  form,
  type Pairs,
  rcsSender,
  reference,
  request,
  sid,
  signed
} from "./fixtures/world.ts"

const report = (status: string, ...more: Pairs): Pairs => [
  ["MessageSid", sid],
  ["MessageStatus", status],
  ["AccountSid", "AC00000000000000000000000000000001"],
  ["To", "+919812345678"],
  ["From", "+15005550006"],
  ...more
]

const jsonHash = "015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862"

/** Published with the adapter's documentation as test vectors for other implementations. */
const vectors = {
  A: {
    url: "https://verify.example.com/hooks/twilio/status",
    body: form([
      ["AccountSid", "AC00000000000000000000000000000001"],
      ["ApiVersion", "2010-04-01"],
      ["From", "+15005550006"],
      ["MessageSid", sid],
      ["MessageStatus", "delivered"],
      ["RawDlrDoneDate", "2611191205"],
      ["SmsSid", sid],
      ["SmsStatus", "delivered"],
      ["To", "+919812345678"]
    ]),
    signature: "Nb05/EqnZ2ruZUWdslZ2oQ7o9Xs="
  },
  B: {
    url: "https://verify.example.com/hooks/twilio/status?attempt=att_42&x=1",
    body: form([
      ["To", "whatsapp:+919812345678"],
      ["MessageStatus", "undelivered"],
      ["MessageSid", "SM00000000000000000000000000000002"],
      ["From", "whatsapp:+15005550006"],
      ["ErrorCode", "30006"],
      ["AccountSid", "AC00000000000000000000000000000001"]
    ]),
    signature: "3hArIkROwFIeCKVu1N20OikcjVg="
  },
  C: {
    url: "https://a.example/x",
    body: form([
      ["MediaUrl", "b"],
      ["MediaUrl", "a"],
      ["Body", "नमस्ते"],
      ["MediaUrl", "a"]
    ]),
    signature: "rvjkNxvZK3NMVszNX9mb4/h/9Lc="
  },
  D: {
    url: `https://verify.example.com/hooks/twilio/json?bodySHA256=${jsonHash}`,
    body: '{"a":1}',
    signature: "mp1jCID2Qnt1pwuvJKhPfvL2pU4="
  },
  // Names are sorted by UTF-16 units as in Twilio's library, so an emoji comes before U+FFFD.
  E: {
    url: "https://verify.example.com/v1/callbacks/twilio?ref=r",
    body: form([
      ["empty", "é"],
      ["\u{1f600}", "y"],
      ["Tag", "sent"],
      ["\ufffd", "x"],
      ["Empty", ""],
      ["Tag", "delivered"],
      ["Body", "नमस्ते 👋 a=b&c+d%20!'()*~"],
      ["Tag", "sent"]
    ]),
    signature: "NmQIoLleR5G7IRe0/b8Lrh+P5SE="
  }
}

/** The URL that was called, the URL that was signed instead, and the result of Twilio's library. */
const spellings: ReadonlyArray<readonly [called: string, by: string, signature: string, believed: boolean]> = [
  ["https://a.example/x?q=it's me", "https://a.example/x?q=it's me", "DQjw01xdwsnMs9uJTj8e+VJvGng=", true],
  ["https://A.example/x", "https://A.example:443/x", "AccbF18hXQeZyPs1Ru6naWOJpFs=", true],
  ["https://a.example:8443/x", "https://a.example/x", "GjQ2DjhtW8tDJSWlkMjKynJgTXk=", true],
  ["http://a.example/x", "http://a.example:80/x", "SiD8J03loAgKrMOuqojpC9cmOGw=", true],
  ["https://[::1]/x?a", "https://[::1]:443/x?a", "OafKLsdZKk61tRk26bvexD4HOEc=", true],
  ["https://a.example/x?q=it's me", "https://a.example/x?q=it%27s%20me", "4Efc7rucqowjfyK7YzuQWvxnMpY=", true],
  ["https://a.example/x?b&q=a+b", "https://a.example/x?b=&q=a%20b", "AduhKL7KHmJU7v+JSmUOWUn56PA=", true],
  ["https://a.example/x?b&q=a+b", "https://a.example:443/x?b=&q=a%20b", "1y/KLfEffgkQWBm9bN2IyZAPiHs=", true],
  ["https://a.example/x?q=%27", "https://a.example/x?q='", "aXxGZU0FtJuo/fATbcQzQ9kPlx4=", true],
  ["https://a.example/x", "https://a.example:8443/x", "Pu05wiHzFdgdbcJEje5LbHdZVvE=", false],
  ["https://a.example:443/x", "https://a.example:80/x", "U9577WSBZQWsWdI4+8hRJjJzWBo=", false],
  ["https://a.example/x", "http://a.example/x", "e/ab4esvTzD+DVs2FMAWDvGMJyg=", false]
]

const callback = Effect.map(channel("http://127.0.0.1:1"), callbackOf)

const receiptsOf = (pairs: Pairs, url?: string) =>
  Effect.gen(function* () {
    const { receive } = yield* callback
    return (yield* receive(signed(pairs, url))).receipts
  })

describe("the signature of a callback", () => {
  it.effect("is accepted only from Twilio", () =>
    Effect.gen(function* () {
      const { receive } = yield* callback
      const heard = { status: 200, contentType: "text/plain", body: "", receipts: [], inbound: [] }
      for (const [name, { body, signature, url }] of Object.entries(vectors)) {
        const asked = (changed: Partial<{ url: string; body: string; signature: string }> = {}) => {
          const all = { url, body, signature, ...changed }
          return Effect.exit(receive(request(all.url, all.body, { "x-twilio-signature": all.signature })))
        }
        assert.deepStrictEqual(yield* asked(), Exit.succeed(heard), name)
        const forged = [
          { body: body.slice(0, -1) },
          { body: `${body}${name === "D" ? " " : "&a=1"}` },
          { url: url.replace("https:", "http:") },
          { url: url.replace(/(\?|$)/, "/$1") },
          { url: url.replace("example", "example2") },
          { url: `${url}${url.includes("?") ? "&" : "?"}ref=${reference}` },
          { signature: "" },
          { signature: signature.toLowerCase() },
          { signature: signature.slice(0, -1) },
          { signature: "AAAAAAAAAAAAAAAAAAAAAAAAAAA=" }
        ]
        for (const change of forged) {
          const exit = yield* asked(change)
          assert.isTrue(Exit.isFailure(exit), `${name} ${JSON.stringify(change)}`)
        }
      }
    })
  )

  it.effect("may include or omit the default port", () =>
    Effect.gen(function* () {
      const { receive } = yield* callback
      const pairs = report("sent")
      const asked = (url: string, by: string) =>
        receive(request(url, form(pairs), { "x-twilio-signature": TwilioSimulator.sign(authToken, by, pairs) }))
      const plainUrl = `${callbackUrl}?ref=${reference}`
      const withPort = plainUrl.replace("example.com", "example.com:443")
      assert.lengthOf((yield* asked(plainUrl, withPort)).receipts, 1)
      assert.lengthOf((yield* asked(withPort, plainUrl)).receipts, 1)
    })
  )

  it.effect("may cover other spellings of the URL: without a port, with the default port, with escapes", () =>
    Effect.gen(function* () {
      const { receive } = yield* callback
      for (const [called, by, signature, believed] of spellings) {
        assert.strictEqual(TwilioSimulator.sign(authToken, by, []), signature, by)
        const exit = yield* Effect.exit(receive(request(called, "", { "x-twilio-signature": signature })))
        assert.strictEqual(Exit.isSuccess(exit), believed, `${called} by ${by}`)
      }
    })
  )

  it.effect("is refused with another token or body, or if it is missing", () =>
    Effect.gen(function* () {
      const { receive } = yield* callback
      const url = `${callbackUrl}?ref=${reference}`
      const pairs = report("delivered")
      const body = form(pairs)
      const refused = [
        request(url, body),
        request(url, body, { "x-twilio-signature": TwilioSimulator.sign("another_token", url, pairs) }),
        request(url, "", { "x-twilio-signature": TwilioSimulator.sign(authToken, url, pairs) }),
        { ...signed(pairs), url: "not a url" },
        signed(report("delivered", ["Long", "a".repeat(65_536)]))
      ]
      for (const each of refused) {
        const error = yield* Effect.flip(receive(each))
        assert.deepStrictEqual([error._tag, error.provider], ["CallbackRefused", "twilio"])
      }
    })
  )

  it.effect("covers field names that JavaScript objects already have", () =>
    Effect.gen(function* () {
      const pairs = report(
        "delivered",
        ["__proto__", "x"],
        ["constructor", "y"],
        ["toString", ""],
        ["hasOwnProperty", "z"]
      )
      assert.lengthOf(yield* receiptsOf(pairs), 1)
      const { receive } = yield* callback
      const dropped = { ...signed(pairs), body: new TextEncoder().encode(form(report("delivered"))) }
      assert.strictEqual((yield* Effect.flip(receive(dropped)))._tag, "CallbackRefused")
    })
  )

  it("is the same in the simulator", () => {
    for (const { body, signature, url } of [vectors.A, vectors.B, vectors.C]) {
      assert.strictEqual(TwilioSimulator.sign(authToken, url, new URLSearchParams(body)), signature)
    }
    assert.strictEqual(TwilioSimulator.sign(authToken, vectors.D.url, []), vectors.D.signature)
    const pairs: Pairs = [
      ["b", "2"],
      ["a", "ä"],
      ["b", "1"],
      ["B", ""],
      ["b", "2"]
    ]
    assert.strictEqual(TwilioSimulator.sign(authToken, "https://a.example/", pairs), "VqJNv7SWHbS49xqmYdBr9h5vHZk=")
  })
})

describe("a report from Twilio", () => {
  it.effect("becomes a receipt, or nothing if it has no new status", () =>
    Effect.gen(function* () {
      const expected: ReadonlyArray<readonly [string, Receipt["status"] | null]> = [
        ["accepted", null],
        ["queued", null],
        ["scheduled", null],
        ["sending", null],
        ["sent", "SENT"],
        ["delivered", "DELIVERED"],
        ["read", "READ"],
        ["failed", "FAILED"],
        ["undelivered", "FAILED"],
        ["canceled", "FAILED"],
        ["partially_delivered", null],
        ["receiving", null],
        ["DELIVERED", null],
        ["__proto__", null],
        ["", null]
      ]
      for (const [said, status] of expected) {
        const receipts = status === null ? [] : [{ reference, status, providerId: sid, providerCode: null }]
        assert.deepStrictEqual(yield* receiptsOf(report(said)), receipts, said)
      }
    })
  )

  it.effect("of a failure contains Twilio's reason", () =>
    Effect.gen(function* () {
      const codes: ReadonlyArray<readonly [string, string | null]> = [
        ["30006", "30006"],
        ["63036", "63036"],
        ["", null],
        ["0", null],
        ["+919812345678", null],
        ["1234567", null]
      ]
      for (const [code, providerCode] of codes) {
        const [receipt] = yield* receiptsOf(report("undelivered", ["ErrorCode", code]))
        assert.strictEqual(receipt?.providerCode, providerCode)
      }
      const [delivered] = yield* receiptsOf(report("delivered", ["ErrorCode", "30006"]))
      assert.isNull(delivered?.providerCode)
    })
  )

  it.effect("takes its reference from the signed URL, and is ignored without one", () =>
    Effect.gen(function* () {
      const { receive } = yield* callback
      assert.deepStrictEqual(yield* receiptsOf(report("sent"), callbackUrl), [])
      const answer = yield* receive({ ...signed(report("sent")), query: { ref: "another" } })
      assert.deepStrictEqual(
        answer.receipts.map((receipt) => receipt.reference),
        [reference]
      )
    })
  )

  it.effect("may have the older field names, additional fields, or JSON", () =>
    Effect.gen(function* () {
      const receipt: Receipt = { reference, status: "DELIVERED", providerId: sid, providerCode: null }
      const older: Pairs = [
        ["SmsStatus", "delivered"],
        ["SmsSid", sid],
        ["NewThing", "1"],
        ["NewThing", "2"]
      ]
      assert.deepStrictEqual(yield* receiptsOf(older), [receipt])

      const { receive } = yield* callback
      const json = (body: string) => {
        const url = `${callbackUrl}?ref=${reference}&bodySHA256=${createHash("sha256").update(body).digest("hex")}`
        return receive(request(url, body, { "x-twilio-signature": TwilioSimulator.sign(authToken, url, []) }))
      }
      const said = yield* json(JSON.stringify({ MessageStatus: "delivered", MessageSid: sid, Price: 1 }))
      assert.deepStrictEqual(said.receipts, [receipt])
      for (const body of ["null", "[]", '"delivered"', "{", '{"MessageStatus":{"a":1}}']) {
        assert.deepStrictEqual((yield* json(body)).receipts, [])
      }
    })
  )

  it.effect("uses one callback for both channels", () =>
    Effect.gen(function* () {
      const [sms, rcs] = yield* channels("http://127.0.0.1:1", { from: "+15005550006", rcsSender })
      assert.strictEqual(sms?.callback, rcs?.callback)
      assert.strictEqual(Twilio.callbackName, sms?.callback?.name)
    })
  )
})
