import { type ChannelError, InvalidOptions } from "@countersign/core/channel"
import { TruecallerSimulator } from "@countersign/testkit/simulators"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Truecaller } from "../src/index.ts"

const phone = "919876543210"
const clientId = "simulated-client-id"

interface Answer {
  readonly status: number
  readonly body: unknown
}

/** A server that answers the token call and the userinfo call with these. */
const serving = (token: Answer, userinfo: Answer) =>
  Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createServer>>((resume) => {
      const server = createServer((request, response) => {
        const { body, status } = request.url === "/v1/token" ? token : userinfo
        response.writeHead(status, { "content-type": "application/json" })
        response.end(typeof body === "string" ? body : JSON.stringify(body))
      }).listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) => Effect.sync(() => (server.closeAllConnections(), server.close()))
  ).pipe(Effect.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`))

const prove = (apiUrl: string, code = "code", codeVerifier = "v".repeat(43)) =>
  Effect.flatMap(Truecaller.make({ clientId, apiUrl }), (truecaller) =>
    truecaller.verify(
      { code: Redacted.make(code), codeVerifier: Redacted.make(codeVerifier) },
      { sessionId: "ver_1", merchantId: "mer_1", phone, kept: null }
    )
  )

const short = ({ reason }: ChannelError) =>
  [reason._tag, reason.providerCode, "because" in reason ? reason.because : ""].join(" ").trim()

const took: Answer = { status: 200, body: { access_token: "eyJ.a.b", expires_in: 3600, token_type: "Bearer" } }
const profile: Answer = { status: 200, body: { phone_number: phone, phone_number_verified: true } }

describe("what Truecaller is asked", () => {
  it.effect("are two requests: a form without a secret, and the profile with the token that came of it", () =>
    Effect.gen(function* () {
      const truecaller = yield* TruecallerSimulator.make()
      const code = "a code/with+what&forms=know"
      assert.strictEqual((yield* Effect.exit(prove(`${truecaller.url}/`, code)))._tag, "Failure")
      const asked = yield* truecaller.seen
      assert.lengthOf(asked, 1)
      const [head, body] = asked[0]!.split("\r\n\r\n")
      assert.match(head!, /^POST \/v1\/token HTTP\/1\.1/)
      assert.match(head!, /content-type: application\/x-www-form-urlencoded/i)
      assert.deepStrictEqual(Object.fromEntries(new URLSearchParams(body)), {
        grant_type: "authorization_code",
        client_id: clientId,
        code,
        code_verifier: "v".repeat(43)
      })
      const { code: right, codeVerifier } = yield* truecaller.consent({ phone })
      yield* Effect.withSpan(prove(truecaller.url, right, codeVerifier), "a request of ours")
      const [, , userinfo] = yield* truecaller.seen
      assert.match(userinfo!, /^GET \/v1\/userinfo HTTP\/1\.1/)
      assert.match(userinfo!, /^authorization: Bearer simulated\./im)
      assert.notInclude(userinfo!, right)
      for (const raw of yield* truecaller.seen) assert.notMatch(raw, /^(traceparent|b3|cookie):/im)
    })
  )
})

describe("what Truecaller answers", () => {
  it.effect("to a code means, by its status and nothing else but our own name", () =>
    Effect.gen(function* () {
      const rows: ReadonlyArray<readonly [Answer, string]> = [
        [{ status: 400, body: { code: 400, message: "Missing parameter code" } }, "Refused http_400"],
        [{ status: 403, body: { code: 403, message: "Invalid client code" } }, "Refused http_403"],
        [{ status: 403, body: "" }, "Refused http_403"],
        [{ status: 403, body: { code: 403, message: "Unknown client" } }, "Refused http_403 account"],
        [{ status: 400, body: { error: "invalid_client" } }, "Refused http_400 account"],
        [{ status: 400, body: { error: "invalid_grant" } }, "Refused http_400"],
        [{ status: 401, body: {} }, "Refused http_401 account"],
        [{ status: 404, body: "<html>" }, "Refused http_404 account"],
        [{ status: 429, body: {} }, "Unavailable http_429"],
        [{ status: 500, body: {} }, "OutcomeUnknown http_500"],
        [{ status: 503, body: {} }, "Unavailable http_503"],
        [{ status: 302, body: {} }, "OutcomeUnknown http_302"],
        [{ status: 204, body: "" }, "OutcomeUnknown http_204"],
        [{ status: 200, body: "{" }, "OutcomeUnknown unreadable"],
        [{ status: 200, body: [] }, "OutcomeUnknown unreadable"],
        [{ status: 200, body: { access_token: 7 } }, "OutcomeUnknown unreadable"],
        [{ status: 200, body: { access_token: "a\r\nb" } }, "OutcomeUnknown unreadable"]
      ]
      for (const [token, expected] of rows) {
        const url = yield* serving(token, profile)
        assert.strictEqual(short((yield* Effect.flip(prove(url))) as ChannelError), expected)
      }
    })
  )

  it.effect(
    "about a person means, however the number is written, and never that a number is verified which is not",
    () =>
      Effect.gen(function* () {
        const told = (body: unknown, status = 200): Answer => ({ status, body })
        const rows: ReadonlyArray<readonly [Answer, readonly [string | null, boolean] | string]> = [
          [profile, [phone, true]],
          [told({ phone_number: Number(phone), phone_number_verified: true }), [phone, true]],
          [told({ phone_number: `+${phone}`, phone_number_verified: true }), [phone, true]],
          [told({ phone_number: phone }), [phone, false]],
          [told({ phone_number: phone, phone_number_verified: "true" }), [phone, false]],
          [told({ phone_number: phone, phone_number_verified: 1 }), [phone, false]],
          [told({ phone_number: "", phone_number_verified: true }), [null, false]],
          [told({ phone_number: null }), [null, false]],
          [told({}), [null, false]],
          [told({}, 404), [null, false]],
          [told({ phone_number: "9198 7654 3210" }), "OutcomeUnknown unreadable"],
          [told({ phone_number: 9.1e20 }), "OutcomeUnknown unreadable"],
          [told({ phone_number: [phone] }), "OutcomeUnknown unreadable"],
          [told([]), "OutcomeUnknown unreadable"],
          [told("null"), "OutcomeUnknown unreadable"],
          [told("<html>"), "OutcomeUnknown unreadable"],
          [told({}, 401), "OutcomeUnknown http_401"],
          [told({}, 422), "Refused missing_scope"],
          [told({}, 429), "OutcomeUnknown http_429"],
          [told({}, 500), "OutcomeUnknown http_500"]
        ]
        for (const [userinfo, expected] of rows) {
          const url = yield* serving(took, userinfo)
          const shown = yield* Effect.match(prove(url), {
            onSuccess: ({ isVerified, phone }): unknown => [phone, isVerified],
            onFailure: (error) => short(error as ChannelError)
          })
          assert.deepStrictEqual(shown, expected, JSON.stringify(userinfo))
        }
      })
  )

  it.effect("for consents of every kind: the simulator knows the shapes that profiles have", () =>
    Effect.gen(function* () {
      const truecaller = yield* TruecallerSimulator.make({ clientId })
      const consented = Effect.fnUntraced(function* (more: Partial<TruecallerSimulator.TruecallerConsent>) {
        const response = yield* Effect.promise(() =>
          fetch(`${truecaller.url}/simulator/consents`, {
            method: "POST",
            body: JSON.stringify({
              phone: `+${phone}`,
              state: "ver_1",
              // S256 of 43 times `v`.
              codeChallenge: "7w_YNF9DSfIdPf_pRjSq646_kPr-2-o9NAl16JGghdM",
              ...more
            })
          })
        )
        const { authorizationCode, state } = (yield* Effect.promise(() => response.json())) as {
          authorizationCode: string
          state: string
        }
        assert.strictEqual(state, "ver_1")
        return yield* Effect.result(prove(truecaller.url, authorizationCode))
      })
      const shown = yield* Effect.forEach(
        [
          {},
          { phone: phone.slice(2) },
          { asNumber: true },
          { isVerified: false },
          { scopes: ["openid"] },
          { scopes: ["phone"] },
          { codeChallenge: "x" }
        ],
        (more) =>
          Effect.map(consented(more), (result) =>
            result._tag === "Success"
              ? [result.success.phone, result.success.isVerified]
              : short(result.failure as ChannelError)
          )
      )
      assert.deepStrictEqual(shown, [
        [phone, true],
        [phone, true],
        [phone, true],
        [phone, false],
        [null, false],
        "Refused missing_scope",
        "Refused http_403"
      ])
    })
  )
})

describe("options", () => {
  it.effect("that cannot work are all named, without their values", () =>
    Effect.gen(function* () {
      const wrong = [
        "nonsense",
        "ftp://x",
        "http://example.com",
        "https://a:b@example.com",
        "https://example.com?x",
        "https://e.com#x"
      ]
      for (const apiUrl of wrong) {
        const problem = yield* Effect.flip(Truecaller.make({ clientId: "a b", apiUrl }))
        assert.instanceOf(problem, InvalidOptions)
        assert.deepStrictEqual(
          problem.problems.map(({ option }) => option),
          ["clientId", "apiUrl"]
        )
        assert.notInclude(problem.message, apiUrl)
      }
      for (const apiUrl of [undefined, "https://example.com/", "http://localhost:1", "http://127.0.0.1:1"]) {
        yield* Truecaller.make({ clientId: "AbC-123_x.y~z", apiUrl })
      }
    })
  )
})
