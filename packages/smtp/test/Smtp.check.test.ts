import { Smtp } from "@countersign/smtp"
import { SmtpSimulator } from "@countersign/testkit/simulators"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"

const login = { user: "acme", password: "a-password-of-acme" }

const checked = (url: string) =>
  Effect.gen(function* () {
    const { check } = yield* Smtp.make({ url: Redacted.make(url), from: "codes@acme.example" })
    return yield* Effect.match(check!, {
      onFailure: ({ message }) => `failed: ${message}`,
      onSuccess: ({ detail }) => detail
    })
  })

describe("the SMTP check without sending", () => {
  it.live("connects and logs in, and sends nothing", () =>
    Effect.gen(function* () {
      const open = yield* SmtpSimulator.make()
      assert.match(yield* checked(open.url), /^127\.0\.0\.1:\d+, not encrypted, without login$/)
      const server = yield* SmtpSimulator.make({ login })
      assert.match(yield* checked(server.url), /^127\.0\.0\.1:\d+, not encrypted, logged in$/)
      assert.deepStrictEqual([...(yield* open.seen), ...(yield* server.seen)], [])
    })
  )

  it.live("reports the problem without user and password", () =>
    Effect.gen(function* () {
      const server = yield* SmtpSimulator.make({ login })
      const wrong = yield* checked(server.url.replace(login.password, "hunter2"))
      assert.match(wrong, /^failed: does not accept the user and password \(535\); compare both/)
      assert.match(yield* checked(server.url.replace("?ignoreTLS=true", "")), /^failed: does not offer encryption; /)
      const encrypted = yield* SmtpSimulator.make({ tls: "starttls" })
      assert.match(yield* checked(encrypted.url), /^failed: has a certificate that is not trusted; /)
      assert.match(yield* checked("smtp://127.0.0.1:1"), /^failed: refused the connection; /)
      assert.match(yield* checked("smtp://no-such-host.invalid"), /^failed: has a host name without an address; /)
      yield* server.play("closing")
      const closing = yield* checked(server.url)
      assert.match(closing, /^failed: answered 421; /)
      assert.notMatch(wrong + closing, /acme|hunter2/)
    })
  )
})
