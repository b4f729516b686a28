import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Exit, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import {
  type Account,
  Because,
  type Channel,
  ChannelError,
  Channels,
  type CodeMessage,
  type Message,
  OutcomeUnknown,
  Refused,
  Unavailable
} from "../../src/index.channel.ts"
import { Keyring } from "../../src/index.ts"
import { Senders } from "../../src/message/sending/Senders.ts"
import { Jobs } from "../../src/foundation/outbox/Jobs.ts"

const messageTo = (to: string): Message => ({
  _tag: "Code",
  deliveryId: "dlv_1",
  reference: "env_1.ver_1.dlv_1",
  to,
  brand: "Acme",
  locale: "en",
  text: Redacted.make("482913 is your code"),
  subject: Redacted.make(""),
  html: null,
  code: Redacted.make("482913"),
  validForSeconds: 300,
  expiresAt: 300_000,
  options: {}
})

const reasons = {
  good: null,
  down: new Unavailable({ providerCode: "http_503" }),
  lost: new OutcomeUnknown({ providerCode: "no_answer" }),
  refused: new Refused({ providerCode: "blocked" }),
  noTemplate: new Refused({ providerCode: "132001", because: "template", template: "NOT_FOUND" }),
  ownNumber: new Unavailable({ providerCode: "130429", because: "sender" })
}

/** A channel whose answers the test sets. */
const playing = (supports: Partial<Channel["supports"]> = {}, error?: Unavailable) => {
  const play = { reason: (error === undefined ? "good" : "given") as keyof typeof reasons | "given", asked: 0 }
  const channel: Channel = {
    name: "SMS",
    provider: "acme",
    supports: { identityTypes: ["MOBILE"], receipts: true, ...supports },
    send: () =>
      Effect.suspend(() => {
        play.asked++
        const reason = play.reason === "given" ? (error ?? null) : reasons[play.reason]
        return reason === null
          ? Effect.succeed({ providerId: null })
          : Effect.fail(new ChannelError({ channel: "SMS", reason }))
      })
  }
  return { channel, play }
}

const number = (n: number) => `+1202555${String(n).padStart(4, "0")}`

const stateOf = Effect.fnUntraced(function* (channel: Channel) {
  const { state } = yield* Senders
  return state(channel, "Code", null, yield* Clock.currentTimeMillis)._tag
})

const keyring = Layer.orDie(Keyring.layer({ secret: Redacted.make("00".repeat(32)) }))

const nothingWaits = Layer.mergeAll(
  Channels.layer([]),
  Layer.succeed(Jobs, {
    handle: () => Effect.void,
    pass: () => Effect.void,
    adopt: () => Effect.void,
    commit: (jobs, commit) => commit(jobs)
  })
)

const provided = Effect.provide(Layer.fresh(Senders.layer.pipe(Layer.provide(Layer.merge(nothingWaits, keyring)))))

describe("a channel that throws", () => {
  it.effect("during the trial send of its circuit breaker leaves the next send free to try again", () =>
    Effect.gen(function* () {
      const { send } = yield* Senders
      const { channel, play } = playing()
      let throws = false
      const fragile: Channel = {
        ...channel,
        send: (message) => {
          if (throws) throw new Error("a mistake in the channel")
          return channel.send(message)
        }
      }
      play.reason = "down"
      for (let n = 0; n < 5; n++) yield* send(fragile, messageTo(number(n)))
      yield* TestClock.adjust("10 seconds")
      throws = true
      assert.isTrue(Exit.hasDies(yield* Effect.exit(send(fragile, messageTo(number(5))))))
      throws = false
      play.reason = "good"
      yield* TestClock.adjust("60 seconds")
      assert.strictEqual((yield* send(fragile, messageTo(number(6))))._tag, "Sent")
    }).pipe(provided)
  )
})

describe("bulk messages", () => {
  it.effect("to numbers without an answer pause bulk sending, and no message that a person waits for", () =>
    Effect.gen(function* () {
      const { bulkRestsUntil, send, sendInBulk } = yield* Senders
      const { channel, play } = playing()
      const inBulk = (n: number) => sendInBulk(channel, messageTo(number(n)), () => false)
      play.reason = "lost"
      for (let n = 0; n < 5; n++) {
        yield* inBulk(n)
        yield* TestClock.adjust("1 second")
      }
      assert.strictEqual((yield* inBulk(5))._tag, "Resting")
      assert.isNotNull(bulkRestsUntil(channel, null, yield* Clock.currentTimeMillis))
      assert.strictEqual(yield* stateOf(channel), "Working")
      play.reason = "good"
      assert.strictEqual((yield* send(channel, messageTo(number(6))))._tag, "Sent")
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual((yield* inBulk(7))._tag, "Sent")
      assert.isNull(bulkRestsUntil(channel, null, yield* Clock.currentTimeMillis))
    }).pipe(provided)
  )

  it.effect("wait while the circuit of the provider is open", () =>
    Effect.gen(function* () {
      const { send, sendInBulk } = yield* Senders
      const { channel, play } = playing()
      play.reason = "down"
      for (let n = 0; n < 5; n++) yield* send(channel, messageTo(number(n)))
      const { asked } = play
      assert.strictEqual((yield* sendInBulk(channel, messageTo(number(5)), () => false))._tag, "Resting")
      assert.strictEqual(play.asked, asked)
    }).pipe(provided)
  )
})

describe("the circuit of a provider", () => {
  it.effect("stays closed for five failures in a row under a load of answered sends", () =>
    Effect.gen(function* () {
      const { send } = yield* Senders
      const { channel, play } = playing()
      for (let n = 0; n < 105; n++) {
        play.reason = n < 100 ? "good" : n % 2 === 0 ? "down" : "lost"
        yield* send(channel, messageTo(number(n)))
        yield* TestClock.adjust(50)
      }
      assert.strictEqual(yield* stateOf(channel), "Working")
    }).pipe(provided)
  )

  it.effect("stays closed for five sends to one person's number", () =>
    Effect.gen(function* () {
      const { send } = yield* Senders
      const { channel, play } = playing()
      play.reason = "down"
      for (let n = 0; n < 5; n++) {
        yield* send(channel, messageTo(number(1)))
        yield* TestClock.adjust("1 second")
      }
      assert.strictEqual(yield* stateOf(channel), "Working")
    }).pipe(provided)
  )

  it.effect("opens once sends to five people failed and none was answered; refusals count as answers", () =>
    Effect.gen(function* () {
      const { send } = yield* Senders
      const { channel, play } = playing()
      play.reason = "refused"
      for (let n = 0; n < 20; n++) yield* send(channel, messageTo(number(n)))
      assert.strictEqual(yield* stateOf(channel), "Working")
      yield* TestClock.adjust("10 seconds")
      play.reason = "down"
      for (let n = 0; n < 5; n++) yield* send(channel, messageTo(number(n)))
      assert.strictEqual(yield* stateOf(channel), "Resting")
      const { asked } = play
      assert.strictEqual((yield* send(channel, messageTo(number(6))))._tag, "Resting")
      assert.strictEqual(play.asked, asked)
    }).pipe(provided)
  )
})

it.effect("a template that the provider refuses stops the messages that use it, and no others", () =>
  Effect.gen(function* () {
    const { send, state } = yield* Senders
    const { channel, play } = playing({ kinds: ["Code", "Link"] })
    const linkTo = (to: string): Message => {
      const { code: _, ...rest } = messageTo(to) as CodeMessage
      return { ...rest, _tag: "Link", url: Redacted.make("https://a.example/l/t"), token: Redacted.make("t") }
    }
    const states = Effect.map(Clock.currentTimeMillis, (now) => [
      state(channel, "Code", null, now)._tag,
      state(channel, "Link", null, now)._tag
    ])
    play.reason = "noTemplate"
    yield* send(channel, linkTo(number(1)))
    assert.deepStrictEqual(yield* states, ["Working", "TemplateFault"])
    play.reason = "good"
    yield* send(channel, messageTo(number(2)))
    assert.deepStrictEqual(yield* states, ["Working", "TemplateFault"], "a code that arrives says nothing of links")
    yield* send(channel, linkTo(number(3)))
    assert.deepStrictEqual(yield* states, ["Working", "Working"])
  }).pipe(provided)
)

it.effect("a failure of a merchant's own number does not open the provider's circuit", () =>
  Effect.gen(function* () {
    const { send } = yield* Senders
    const { channel, play } = playing()
    play.reason = "ownNumber"
    for (let n = 0; n < 20; n++) {
      const outcome = yield* send(channel, messageTo(number(n)))
      assert.strictEqual(outcome._tag === "Failed" && outcome.error.reason._tag, "Unavailable")
    }
    assert.strictEqual(yield* stateOf(channel), "Working")
  }).pipe(provided)
)

describe("the reason that a provider gives for a failure", () => {
  const ofOne = ["recipient", "opted_out", "channel", "content", "template", "sender"] as const
  const ofAll = ["account", "limit"] as const

  const afterTwenty = (because: Because | undefined, account?: Account) =>
    Effect.gen(function* () {
      const { send, state } = yield* Senders
      const { channel, play } = playing({}, new Unavailable({ providerCode: "later", ...(because && { because }) }))
      for (let n = 0; n < 20; n++) {
        const outcome = yield* send(channel, { ...messageTo(number(n)), ...(account && { account }) })
        if (outcome._tag === "Resting") break
      }
      play.reason = "good"
      const now = yield* Clock.currentTimeMillis
      const asked = play.asked
      const next = yield* send(channel, messageTo(number(99)))
      return { asked, next: next._tag, of: (id: string | null) => state(channel, "Code", id, now)._tag }
    })

  it("has a case here for every reason of a channel", () => {
    assert.sameMembers([...ofOne, ...ofAll], [...Because.literals])
  })

  for (const because of ofOne) {
    it.effect(`never counts against the provider: ${because}`, () =>
      Effect.gen(function* () {
        const { asked, next, of } = yield* afterTwenty(because)
        assert.deepStrictEqual([asked, next, of(null)], [20, "Sent", "Working"])
      }).pipe(provided)
    )
  }

  for (const because of [...ofAll, undefined]) {
    it.effect(`counts against the provider: ${because ?? "no reason given"}`, () =>
      Effect.gen(function* () {
        const { asked, next, of } = yield* afterTwenty(because)
        assert.deepStrictEqual([asked, next, of(null)], [5, "Resting", "Resting"])
      }).pipe(provided)
    )
  }

  it.effect("opens the circuit of one merchant's account, and of no other account", () =>
    Effect.gen(function* () {
      const { asked, next, of } = yield* afterTwenty(undefined, { id: "777", accessToken: Redacted.make("t") })
      assert.deepStrictEqual([asked, next], [5, "Sent"])
      assert.deepStrictEqual([of("777"), of("778"), of(null)], ["Resting", "Working", "Working"])
    }).pipe(provided)
  )

  it.effect("opens the circuit of the service's account, and no merchant's", () =>
    Effect.gen(function* () {
      const { of } = yield* afterTwenty(undefined)
      assert.deepStrictEqual([of("777"), of(null)], ["Working", "Resting"])
    }).pipe(provided)
  )
})

describe("the trial send after an open circuit", () => {
  it.effect("uses a new recipient's message, not one that failed", () =>
    Effect.gen(function* () {
      const { send } = yield* Senders
      const { channel, play } = playing()
      play.reason = "down"
      for (let n = 0; n < 5; n++) yield* send(channel, messageTo(number(n)))
      yield* TestClock.adjust("10 seconds")
      const { asked } = play
      for (let n = 0; n < 5; n++) {
        const outcome = yield* send(channel, messageTo(number(n)))
        assert.deepStrictEqual(outcome, { _tag: "Resting", until: 20_000 })
      }
      assert.strictEqual(play.asked, asked)
      assert.strictEqual(yield* stateOf(channel), "Working", "an initiate is admitted while it is half open")
      play.reason = "good"
      assert.strictEqual((yield* send(channel, messageTo(number(9))))._tag, "Sent")
      assert.strictEqual((yield* send(channel, messageTo(number(0))))._tag, "Sent")
    }).pipe(provided)
  )
})

describe("a channel never receives", () => {
  const misfits: ReadonlyArray<readonly [what: string, supports: Partial<Channel["supports"]>, to: string]> = [
    ["a kind of message that it does not carry", { kinds: ["Link", "Text"] }, number(1)],
    ["a phone number when it says that it carries e-mail", { identityTypes: ["EMAIL"] }, number(1)],
    ["an address when it says that it carries phone numbers", {}, "a@example.com"]
  ]

  for (const [what, supports, to] of misfits) {
    it.effect(what, () =>
      Effect.gen(function* () {
        const { send } = yield* Senders
        const { channel, play } = playing(supports)
        const outcome = yield* send(channel, messageTo(to))
        assert.strictEqual(outcome._tag === "Failed" && outcome.error.reason.providerCode, "unsupported_message")
        assert.strictEqual(play.asked, 0)
      }).pipe(provided)
    )
  }
})
