import { assert, describe, it, vi } from "@effect/vitest"
import { Effect } from "effect"
import {
  authToken,
  accountSid,
  channel,
  channels,
  message,
  messagingServiceSid,
  rcsSender,
  reasonOf,
  simulator,
  taken,
  to,
  world
} from "./fixtures/world.ts"

const bodyOf = (raw: string) => raw.slice(raw.indexOf("\r\n\r\n") + 4)

const lowered = ([name, value]: readonly [string, string]): readonly [string, string] => [name.toLowerCase(), value]

const callback =
  "StatusCallback=https%3A%2F%2Fverify.example.com%2Fv1%2Fcallbacks%2Ftwilio%3Fref%3Denv_live." +
  "ver_00000000000000000000000001.dlv_00000000000000000000000001%23rc%3D5%26rp%3Dall"

describe("a request to Twilio", () => {
  it.effect("equals Twilio's documentation byte for byte", () =>
    Effect.gen(function* () {
      const { channel: sms, twilio } = yield* world()
      assert.deepStrictEqual(yield* sms.send(message()), taken)
      const [{ raw } = { raw: "" }] = yield* twilio.seen
      const [line, ...headers] = raw.slice(0, raw.indexOf("\r\n\r\n")).split("\r\n")
      const body = `To=%2B919812345678&${callback}&ValidityPeriod=300&From=%2B15005550006&Body=482913%20is%20your%20Acme%20code`
      assert.strictEqual(line, `POST /2010-04-01/Accounts/${accountSid}/Messages.json HTTP/1.1`)
      assert.strictEqual(bodyOf(raw), body)
      const names = new Map(headers.map((header) => header.split(": ", 2) as [string, string]).map(lowered))
      const basic = Buffer.from(`${accountSid}:${authToken}`).toString("base64")
      assert.strictEqual(names.get("authorization"), `Basic ${basic}`)
      assert.strictEqual(names.get("content-type"), "application/x-www-form-urlencoded")
      assert.strictEqual(names.get("accept"), "application/json")
      assert.strictEqual(names.get("content-length"), String(body.length))
      assert.strictEqual(names.get("user-agent"), "countersign")
    })
  )

  it.effect("can name a Messaging Service instead of a number", () =>
    Effect.gen(function* () {
      const { channel: sms, twilio } = yield* world({ messagingServiceSid })
      yield* sms.send(message({ text: "नमस्ते\n& 100%" }))
      const [{ raw } = { raw: "" }] = yield* twilio.seen
      assert.strictEqual(
        bodyOf(raw),
        `To=%2B919812345678&${callback}&ValidityPeriod=300&MessagingServiceSid=${messagingServiceSid}` +
          "&Body=%E0%A4%A8%E0%A4%AE%E0%A4%B8%E0%A5%8D%E0%A4%A4%E0%A5%87%0A%26%20100%25"
      )
    })
  )

  it.effect("leaves letters, digits and -._~ unescaped, and escapes the rest of ASCII", () =>
    Effect.gen(function* () {
      const { channel: sms, twilio } = yield* world()
      const ascii = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)).join("")
      yield* sms.send(message({ text: `${ascii}👋` }))
      const [{ raw } = { raw: "" }] = yield* twilio.seen
      assert.strictEqual(
        bodyOf(raw).split("&Body=")[1],
        "%20%21%22%23%24%25%26%27%28%29%2A%2B%2C-.%2F0123456789%3A%3B%3C%3D%3E%3F%40ABCDEFGHIJKLMNOPQRSTUVWXYZ" +
          "%5B%5C%5D%5E_%60abcdefghijklmnopqrstuvwxyz%7B%7C%7D~%F0%9F%91%8B"
      )
    })
  )

  it.effect("is sent from the message's DLT header; Twilio has no field for the DLT template", () =>
    Effect.gen(function* () {
      for (const options of [{}, { messagingServiceSid }]) {
        const { channel: sms, twilio } = yield* world(options)
        yield* sms.send(message({ options: { header: "ACMEIN", templateId: "1107160000000000001" } }))
        const [sent] = yield* twilio.ledger
        assert.deepStrictEqual([sent?.from, sent?.messagingServiceSid], ["ACMEIN", null])
        assert.notInclude((yield* twilio.seen)[0]?.raw, "1107160000000000001")
      }
    })
  )

  it.effect("limits the wait of a message to the lifetime of its code, within Twilio's limits", () =>
    Effect.gen(function* () {
      const { channel: sms, twilio } = yield* world()
      for (const validForSeconds of [300, 299.9, 5, 4, 1, 0, -7, 36_000, 36_001, 1e9]) {
        yield* sms.send(message({ validForSeconds }))
      }
      const periods = (yield* twilio.ledger).map(({ parameters }) => new Map(parameters).get("ValidityPeriod"))
      assert.deepStrictEqual(periods, ["300", "299", "5", "5", "5", "5", "5", "36000", "36000", "36000"])
    })
  )

  it.effect("contains the operator's options", () =>
    Effect.gen(function* () {
      const { channel: sms, twilio } = yield* world({
        contentRetention: "discard",
        addressRetention: "obfuscate",
        riskCheck: "disable"
      })
      yield* sms.send(message())
      const [sent] = yield* twilio.ledger
      const given = new Map(sent?.parameters)
      assert.deepStrictEqual(
        ["ContentRetention", "AddressRetention", "RiskCheck"].map((name) => given.get(name)),
        ["discard", "obfuscate", "disable"]
      )
    })
  )

  it.effect("names only the RCS agent, so that Twilio sends no SMS instead", () =>
    Effect.gen(function* () {
      const { channel: rcs, twilio } = yield* world({ rcsSender })
      assert.deepStrictEqual(yield* rcs.send(message({ options: { header: "ACMEIN" } })), taken)
      const [sent] = yield* twilio.ledger
      assert.deepStrictEqual([sent?.from, sent?.to, sent?.messagingServiceSid], [rcsSender, `rcs:${to}`, null])
    })
  )

  it.effect("uses a path under the API's address, and ignores edge and region variables", () =>
    Effect.gen(function* () {
      vi.stubEnv("TWILIO_EDGE", "sydney")
      vi.stubEnv("TWILIO_REGION", "au1")
      yield* Effect.addFinalizer(() => Effect.sync(() => vi.unstubAllEnvs()))
      const twilio = yield* simulator()
      const url = twilio.url.replace("127.0.0.1", "localhost")
      const sms = yield* channel(`${url}/proxy/`)
      const { providerCode } = yield* reasonOf(sms.send(message()))
      const [seen] = yield* twilio.seen
      assert.strictEqual(providerCode, "20404")
      assert.include(seen?.raw ?? "", `POST /proxy/2010-04-01/Accounts/${accountSid}/Messages.json HTTP/1.1\r\n`)
      assert.include(seen?.raw ?? "", `host: ${new URL(url).host}\r\n`)
    })
  )
})

describe("the channels of Twilio", () => {
  it.effect("exist for each configured sender, with their capabilities", () =>
    Effect.gen(function* () {
      const both = yield* channels("http://127.0.0.1:1", { messagingServiceSid, rcsSender, perSecond: 20 })
      assert.deepStrictEqual(
        both.map(({ limits, name, provider, supports }) => ({ limits, name, provider, supports })),
        [
          {
            name: "SMS",
            provider: "twilio",
            supports: { identityTypes: ["MOBILE"], receipts: true, kinds: ["Code", "Link", "Text"] },
            limits: { perSecond: 20 }
          },
          {
            name: "RCS",
            provider: "twilio",
            supports: { identityTypes: ["MOBILE"], receipts: true, kinds: ["Code"] },
            limits: { perSecond: 20 }
          }
        ]
      )
      assert.deepStrictEqual(
        both.map(({ callback }) => callback?.name),
        ["twilio", "twilio"]
      )
    })
  )

  it.effect("request receipts only if Twilio can reach the service", () =>
    Effect.gen(function* () {
      const wanted: ReadonlyArray<readonly [string | undefined, string | null]> = [
        [undefined, null],
        ["http://verify.example.com", null],
        ["http://10.0.0.7:8080", null],
        ["http://localhost.example.com", null],
        ["http://localhost:8080", "http://localhost:8080/v1/callbacks/twilio"],
        ["http://127.0.0.1:8080/", "http://127.0.0.1:8080/v1/callbacks/twilio"],
        ["http://[::1]:8080", "http://[::1]:8080/v1/callbacks/twilio"],
        ["https://verify.example.com:8443/base//", "https://verify.example.com:8443/base/v1/callbacks/twilio"]
      ]
      for (const [publicUrl, expected] of wanted) {
        const { channel: sms, twilio } = yield* world({ publicUrl })
        yield* sms.send(message())
        const [sent] = yield* twilio.ledger
        assert.strictEqual(sent?.statusCallback?.split("?")[0] ?? null, expected)
        assert.strictEqual(sms.supports.receipts, expected !== null)
      }
    })
  )
})
