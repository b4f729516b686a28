import type { AccountFacts, AccountRefused } from "@countersign/core/channel"
import { WhatsAppSimulator } from "@countersign/testkit/simulators"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Fiber, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { shown, withoutToken } from "../src/words.ts"
import { channelFor, silent } from "./fixtures/channel.ts"

const token = "EAAGtheirsToken0123456789"
const theirs = "206540352242922"
const wabaId = "202290129340398"

type Simulator = WhatsAppSimulator.WhatsAppSimulator

const made = Effect.gen(function* () {
  const meta = yield* WhatsAppSimulator.make()
  // More numbers and templates than one page holds.
  const many = Array.from({ length: 60 }, (_, n) => String(300_000_000_000 + n))
  const others = Array.from({ length: 60 }, (_, n) => ({ name: `login_code_${n}`, language: "en" }))
  yield* meta.addAccount({
    wabaId,
    accessToken: token,
    phoneNumberIds: [...many, theirs],
    templates: [...others, { name: "login_code", language: "en" }]
  })
  yield* meta.setNumber(theirs, { display_phone_number: "+91 98123 00000", verified_name: "Asha's Sarees" })
  return meta
})

const asked = { id: theirs, groupId: wabaId, accessToken: Redacted.make(token) }

const connect = (meta: Simulator, candidate: Partial<typeof asked> = {}) =>
  Effect.flatMap(channelFor(meta), ({ accounts }) => accounts!.connect({ ...asked, ...candidate }))

/** Returns why a number was refused, and asserts that no output contains the token. */
const problemIn = (exit: Exit.Exit<AccountFacts, AccountRefused>): string => {
  if (Exit.isSuccess(exit)) return assert.fail("the number was connected")
  assert.notInclude(Cause.pretty(exit.cause) + JSON.stringify(exit), token)
  const [reason] = exit.cause.reasons
  if (reason?._tag !== "Fail") return assert.fail(Cause.pretty(exit.cause))
  assert.isAtMost(reason.error.problem.length, 300)
  return reason.error.problem
}

const refusal = (meta: Simulator, candidate: Partial<typeof asked> = {}) =>
  Effect.flatMap(channelFor(meta), ({ accounts }) =>
    Effect.map(Effect.exit(accounts!.connect({ ...asked, ...candidate })), problemIn)
  )

const isSubscribed = (meta: Simulator) => Effect.map(meta.subscribed, (ids) => ids.includes(wabaId))

describe("a connected number", () => {
  it.effect("is confirmed by Meta with its name, and subscribes the app", () =>
    Effect.gen(function* () {
      const meta = yield* made
      assert.deepStrictEqual(yield* connect(meta), {
        displayNumber: "+91 98123 00000",
        displayName: "Asha's Sarees"
      })
      assert.isTrue(yield* isSubscribed(meta))
      const calls = yield* meta.calls
      assert.strictEqual(calls[0], `GET /${theirs}`)
      assert.strictEqual(calls.at(-1), `POST /${wabaId}/subscribed_apps`)
      // A number may be connected again, for example to replace its token.
      yield* connect(meta)
    })
  )
})

describe("a number is refused, and its account stays unsubscribed", () => {
  const cases: ReadonlyArray<
    readonly [
      what: string,
      words: RegExp,
      candidate: Partial<typeof asked>,
      prepare?: (meta: Simulator) => Effect.Effect<void>
    ]
  > = [
    ["with a wrong token", /^Meta says 190: Error validating access token$/, { accessToken: Redacted.make("EAAGno") }],
    [
      "with a token that cannot travel",
      /^accessToken must be/,
      { accessToken: Redacted.make(`${token}\r\nX-Smuggled: 1`) }
    ],
    ["when its id is no id", /^phoneNumberId must be/, { id: "../me" }],
    ["when its account's id is no id", /^wabaId must be/, { groupId: "+919812345678" }],
    ["when the token may not see it", /^Meta says 100: Invalid parameter: Unsupported get/, { id: "106540352242922" }],
    [
      "when it is of another account",
      /^The number 406540352242922 does not belong to the WhatsApp business account 202290129340398$/,
      { id: "406540352242922" },
      (meta) => meta.addAccount({ wabaId: "4", accessToken: token, phoneNumberIds: ["406540352242922"] })
    ],
    ["when its account cannot be seen", /^Meta says 100: .*'999' does not exist/, { groupId: "999" }],
    [
      "when it is not registered",
      /^The number is PENDING at Meta and must be CONNECTED/,
      {},
      (meta) => meta.setNumber(theirs, { status: "PENDING" })
    ],
    [
      "when Meta blocks it, with Meta's reason",
      /^Meta blocks the number\. 141006: There is an error with the payment method$/,
      {},
      (meta) => meta.setNumber(theirs, { can_send_message: "BLOCKED" })
    ],
    [
      "when the template for codes is paused",
      /^The template login_code in language en is PAUSED in/,
      {},
      (meta) => meta.setTemplate({ name: "login_code", language: "en", status: "PAUSED" }, wabaId)
    ]
  ]

  for (const [what, words, candidate, prepare] of cases) {
    it.effect(what, () =>
      Effect.gen(function* () {
        const meta = yield* made
        if (prepare !== undefined) yield* prepare(meta)
        assert.match(yield* refusal(meta, candidate), words)
        assert.isFalse(yield* isSubscribed(meta))
      })
    )
  }

  it.effect("but not for a missing link template, which only links need", () =>
    Effect.gen(function* () {
      const meta = yield* made
      const channel = yield* channelFor(meta, { linkTemplate: { name: "signin_link", language: "en" } })
      assert.isTrue(Exit.isSuccess(yield* Effect.exit(channel.accounts!.connect(asked))))
    })
  )

  it.effect("when the code template is missing in the code language", () =>
    Effect.gen(function* () {
      const meta = yield* made
      const channel = yield* channelFor(meta, { template: { name: "login_code", language: "en_US" } })
      const exit = yield* Effect.exit(channel.accounts!.connect(asked))
      assert.include(problemIn(exit), "The template login_code in language en_US is missing from")
    })
  )

  it.effect("when Meta is unreachable", () =>
    Effect.gen(function* () {
      const gone = yield* Effect.scoped(WhatsAppSimulator.make())
      assert.strictEqual(yield* refusal(gone), "Meta is unreachable; try again")
    })
  )
})

it.effect("a number whose check hangs is refused after 25 seconds", () =>
  Effect.gen(function* () {
    const meta = yield* made
    const channel = yield* channelFor(meta, { apiUrl: yield* silent })
    const waiting = yield* Effect.forkChild(Effect.exit(channel.accounts!.connect(asked)), { startImmediately: true })
    yield* TestClock.adjust("25 seconds")
    assert.include(problemIn(yield* Fiber.join(waiting)), "Meta did not answer in time")
  })
)

it("a token in Meta's answer is never shown", () => {
  const secret = Redacted.make("EAAGabcdefgh|12345678-token")
  for (const words of [
    "Malformed access token EAAGabcdefgh|12345678-token",
    "Malformed access token EAAGabcdefgh",
    "the part 12345678-token is wrong",
    "Bad token: EAAGsomebodyelses"
  ]) {
    const safe = withoutToken(words, secret)
    assert.notMatch(safe, /EAAG|12345678/, words)
    assert.include(safe, "…")
  }
  assert.strictEqual(shown("a\r\nb\0\t c\u001b[31m", secret), "a b c [31m")
  assert.isAtMost(shown("x".repeat(100_000), secret).length, 300)
})
