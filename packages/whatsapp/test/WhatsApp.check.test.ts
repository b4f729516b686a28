import { WhatsAppSimulator } from "@countersign/testkit/simulators"
import { WhatsApp } from "@countersign/whatsapp"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"

const login = { name: "login_code", language: "en" }

const checked = (simulator: WhatsAppSimulator.WhatsAppSimulator, options: Partial<WhatsApp.Options> = {}) =>
  Effect.gen(function* () {
    const { check } = yield* WhatsApp.make({
      accessToken: Redacted.make(simulator.accessToken),
      phoneNumberIds: simulator.phoneNumberIds,
      wabaId: simulator.wabaId,
      appSecret: Redacted.make(simulator.appSecret),
      verifyToken: Redacted.make(simulator.verifyToken),
      template: login,
      apiUrl: simulator.url,
      ...options
    })
    return yield* Effect.match(check!, {
      onFailure: ({ message }) => `failed: ${message}`,
      onSuccess: ({ detail }) => detail
    })
  }).pipe(Effect.provide(FetchHttpClient.layer))

describe("the WhatsApp check without sending", () => {
  it.effect("reports that the numbers can send and the templates are approved", () =>
    Effect.gen(function* () {
      const simulator = yield* WhatsAppSimulator.make({ templates: [login] })
      assert.strictEqual(yield* checked(simulator), "1 number can send; login_code approved")
      assert.match(yield* checked(simulator, { wabaId: undefined }), /; templates were not checked, because/)
      assert.deepStrictEqual(yield* simulator.seen, [])
    })
  )

  it.effect.each<readonly [Partial<WhatsApp.Options>, RegExp]>([
    [{ accessToken: Redacted.make("EAAGanother") }, /^failed: number \d+: Meta says 190: .+token of a system user/],
    [{ phoneNumberIds: ["1"] }, /^failed: number 1: Meta says 100: /],
    [{ wabaId: "1" }, /^failed: account 1: Meta says 100: /],
    [
      { template: { name: "login_code", language: "de" } },
      /^failed: the account has no template login_code in language de/
    ],
    [
      { linkTemplate: { name: "signin_link", language: "en" } },
      /^failed: template signin_link in language en is PENDING/
    ],
    [{ apiUrl: "http://127.0.0.1:2" }, /^failed: number \d+: Meta is unreachable/]
  ])("reports every problem without the token: %o", ([options, expected]) =>
    Effect.gen(function* () {
      const simulator = yield* WhatsAppSimulator.make({
        templates: [login, { name: "signin_link", language: "en", status: "PENDING" }]
      })
      const said = yield* checked(simulator, options)
      assert.match(said, expected)
      assert.notInclude(said, "EAA")
    })
  )

  it.effect("names the number that Meta blocks, and the reason", () =>
    Effect.gen(function* () {
      const simulator = yield* WhatsAppSimulator.make({ templates: [login] })
      yield* simulator.setNumber(simulator.phoneNumberIds[0]!, { can_send_message: "BLOCKED" })
      assert.match(
        yield* checked(simulator),
        /^failed: number \d+ cannot send\. 141006: There is an error with the payment/
      )
    })
  )
})
