import { assert, describe, it } from "@effect/vitest"
import { Context, Effect } from "effect"
import { TestClock } from "effect/testing"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { guardReasons, type Settings, TryIt } from "../../src/index.ts"
import { sendPolicies } from "../../src/foundation/delivery/SendPolicy.ts"
import { begin, makeAppWorld } from "../fixtures/apps.ts"
import { makeInbox, wrote } from "../fixtures/InboxWorld.ts"
import { accepted, recordingChannel, unavailable } from "../fixtures/RecordingChannel.ts"
import { indian, makeWorld, otp, start, until, withSettings } from "../fixtures/World.ts"

const blocked = { blockedPrefixes: ["91987"] }
const premium = "+19005551234"

/** A merchant with SMS and WhatsApp, where WhatsApp also carries links. */
const makeSender = Effect.fnUntraced(function* (answers: Parameters<typeof recordingChannel>[1] = [accepted]) {
  const sms = recordingChannel("SMS", answers)
  const whatsapp = recordingChannel("WHATSAPP", [accepted])
  const world = yield* makeAppWorld({ channels: [sms.channel, whatsapp.channel], idle: false })
  const tags = (effect: Effect.Effect<unknown, { readonly _tag: string }>) =>
    Effect.map(Effect.flip(effect), ({ _tag }) => _tag)
  return { ...world, sms, whatsapp, tags, sent: () => sms.received.length + whatsapp.received.length }
})

interface Asked {
  readonly number: string
  /** The settings of the request that the test expects to be refused. */
  readonly settings: Partial<Settings>
}

/** Every way to request a message to a number, with the tag of its refusal. A resend begins under the usual settings. */
const requests: {
  readonly [path: string]: (
    world: Effect.Success<ReturnType<typeof makeSender>>,
    asked: Asked
  ) => Effect.Effect<string, unknown>
} = {
  "a code that a backend requests": ({ live, tags, verifications }, { number, settings }) =>
    tags(verifications.initiate(withSettings(live, settings), otp(number))),
  "a resend that a backend requests": ({ live, tags, verifications }, { number, settings }) =>
    Effect.andThen(
      verifications.initiate(live, otp(number)),
      tags(verifications.initiate(withSettings(live, settings), otp(number)))
    ),
  "a link that a backend requests": ({ live, tags, verifications }, { number, settings }) =>
    tags(verifications.initiate(withSettings(live, settings), { ...otp(number), mode: "MAGIC_LINK" })),
  "a code that an app requests": ({ app, tags, ...world }, { number, settings }) =>
    tags(begin(world, withSettings(app, settings), { phone: number })),
  "a resend that an app requests": Effect.fnUntraced(function* ({ app, tags, ...world }, { number, settings }) {
    const { verification } = yield* begin(world, app, { phone: number })
    yield* TestClock.adjust("15 seconds")
    return yield* tags(
      begin(world, withSettings(app, settings), { phone: number, sessionId: verification.id, address: "203.0.113.9" })
    )
  }),
  "a code that another system made": ({ live, relays, tags }, { number, settings }) =>
    tags(relays.relay(withSettings(live, settings), { identity: number, code: "482913", idempotencyKey: null })),
  "a code that a team member tries": ({ live, services, tags }, { number, settings }) =>
    tags(Context.get(services, TryIt).start(withSettings(live, settings), { identity: number }))
}

/** Each rule, with a number that it refuses. */
const rules: { readonly [rule: string]: Asked } = {
  allowedCountries: { number: indian, settings: { allowedCountries: ["SG"] } },
  blockedPrefixes: { number: indian, settings: blocked },
  blockedNumberTypes: { number: "+442079460958", settings: { blockedNumberTypes: ["FIXED_LINE"] } }
}

/**
 * Each file that starts a verification or hands a message to a channel, and what holds the rules on numbers there. A
 * file that is missing here sends without a test that it asks for the rules.
 */
const sending: { readonly [file: string]: string } = {
  "auth/verification/Verifications.ts": "the requests of a backend, above",
  "auth/verification/SdkSessions.ts": "the requests of an app, above",
  "auth/verification/Relays.ts": "the codes of another system, above",
  "auth/verification/TryIt.ts": "the trials of a team member, above",
  "auth/staff/SignIn.ts": "its codes go to e-mail addresses only",
  "data/example/playVisit.ts": "it plays in the test environment, where no message leaves the machine",
  "data/protection/TripMails.ts": "its mails go to e-mail addresses only",
  "message/sending/sendOneByOne.ts": "queued codes and replies, below",
  "message/sending/askCarrier.ts": "the last step of all of them",
  "engagement/campaign/CampaignSender.ts": "campaigns have their own list of recipients",
  "engagement/lead/Digests.ts": "its notices go to e-mail addresses only"
}

describe("the merchant's rules on numbers", () => {
  it("are tested for every file of core that sends", () => {
    const root = join(import.meta.dirname, "../../src")
    const isSending = (file: string) =>
      readFileSync(join(root, file), "utf8")
        .split("\n")
        .some((line) => /\.initiate\(|\b(senders|channel|carrier)\.send\w*\(/.test(line) && !/^\s*\*/.test(line))
    const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"))
    assert.deepStrictEqual(files.filter(isSending).toSorted(), Object.keys(sending).toSorted())
  })

  for (const [path, request] of Object.entries(requests)) {
    for (const [rule, asked] of Object.entries(rules)) {
      it.effect(`refuse ${path}, by ${rule}, and nothing is written`, () =>
        Effect.gen(function* () {
          const world = yield* makeSender()
          const before = path.startsWith("a resend") ? 1 : 0
          assert.strictEqual(yield* request(world, asked), "DestinationForbidden")
          yield* TestClock.adjust("1 minute")
          assert.strictEqual(world.sent(), before)
          assert.strictEqual((yield* world.events(world.live)).length, before)
        })
      )
    }
  }

  it.effect("refuse by country, by prefix and by type of number, for a backend too", () =>
    Effect.gen(function* () {
      const { live, verifications } = yield* makeSender()
      const problem = (identity: string, settings: Parameters<typeof withSettings>[1]) =>
        Effect.map(Effect.flip(verifications.initiate(withSettings(live, settings), otp(identity))), (error) =>
          error._tag === "DestinationForbidden" ? error.problem : error._tag
        )
      assert.deepStrictEqual(
        [
          yield* problem(indian, { allowedCountries: ["SG"] }),
          yield* problem("+88212345678", { allowedCountries: ["IN"] }),
          yield* problem(indian, blocked),
          yield* problem(premium, { blockedNumberTypes: ["PAGER", "PREMIUM_RATE"] })
        ],
        [
          "numbers of this country are not allowed",
          "+882 belongs to no country, and is not in allowedCountries",
          "numbers with this prefix are blocked",
          "premium-rate numbers are not allowed"
        ]
      )
      // Without rules, a backend sends anywhere.
      for (const identity of [indian, "+88212345678", premium]) yield* verifications.initiate(live, otp(identity))
    })
  )

  it.effect("return a repeat of a request that was carried out before they changed", () =>
    Effect.gen(function* () {
      const { live, verifications } = yield* makeSender()
      const { verification } = yield* verifications.initiate(live, otp(indian), "k1")
      const repeat = yield* verifications.initiate(withSettings(live, blocked), otp(indian), "k1")
      assert.deepStrictEqual([repeat.repeated, repeat.verification.id], [true, verification.id])
    })
  )

  it.effect("let a trusted device in, because OneTap sends nothing", () =>
    Effect.gen(function* () {
      const { codeOf, live, verifications } = yield* makeSender()
      const caller = withSettings(live, { oneTap: true })
      const first = yield* verifications.initiate(caller, otp(indian))
      const { id } = first.verification
      const deviceToken = first.deviceToken!
      yield* verifications.verify(caller, { requestId: id, otp: codeOf(first.verification), deviceToken })
      const strict = withSettings(live, { oneTap: true, ...blocked })
      assert.isTrue((yield* verifications.initiate(strict, otp(indian, { deviceToken }))).oneTapApplied)
    })
  )
})

/** A message of each kind that waits while its number becomes forbidden, and what becomes of it. */
const waiting: {
  readonly [kind in keyof typeof sendPolicies]:
    | Effect.Effect<ReadonlyArray<string>, unknown, never>
    | "has its own list"
} = {
  code: Effect.scoped(
    Effect.gen(function* () {
      const sms = recordingChannel("SMS", [unavailable("SMS")])
      const whatsapp = recordingChannel("WHATSAPP", [accepted])
      const { live, merchants, verifications } = yield* makeWorld({ channels: [sms.channel, whatsapp.channel] })
      const caller = withSettings(live, { fallbackChannel: "WHATSAPP" })
      const { id } = (yield* verifications.initiate(caller, otp(indian))).verification
      yield* until(Effect.sync(() => sms.received.length === 1))
      yield* merchants.changeSettings(live, blocked)
      yield* TestClock.adjust("5 minutes")
      const { deliveries } = yield* verifications.status(live, { requestId: id })
      assert.deepStrictEqual([sms.received.length, whatsapp.received.length], [1, 0])
      return deliveries.map(({ channel, providerCode, status }) => `${channel} ${status} ${providerCode}`)
    })
  ),
  relayed: Effect.scoped(
    Effect.gen(function* () {
      const sms = recordingChannel("SMS", [unavailable("SMS")])
      const whatsapp = recordingChannel("WHATSAPP", [accepted])
      const { live, merchants, relays } = yield* makeWorld({ channels: [sms.channel, whatsapp.channel] })
      const caller = withSettings(live, { fallbackChannel: "WHATSAPP" })
      const { id } = yield* relays.relay(caller, { identity: indian, code: "482913", idempotencyKey: null })
      yield* until(Effect.sync(() => sms.received.length === 1))
      yield* merchants.changeSettings(live, blocked)
      yield* TestClock.adjust("5 minutes")
      const { deliveries } = yield* relays.get(live, id)
      assert.deepStrictEqual([sms.received.length, whatsapp.received.length], [1, 0])
      return deliveries.map(({ channel, providerCode, status }) => `${channel} ${status} ${providerCode}`)
    })
  ),
  reply: Effect.scoped(
    Effect.gen(function* () {
      const world = yield* makeInbox({ answers: [unavailable("WHATSAPP")] })
      yield* world.arrive(wrote("919876543210", "hi", start))
      yield* until(Effect.map(Effect.orDie(world.leads.page(world.live, {})), (all) => all.length === 1))
      const { id } = yield* world.leads.reply(world.live, 1, { template: "welcome/en_US", values: ["Asha"] })
      yield* until(Effect.sync(() => world.sent.length === 1))
      yield* world.merchants.changeSettings(world.live, blocked)
      yield* TestClock.adjust("5 minutes")
      assert.strictEqual(world.sent.length, 1)
      const { items } = yield* world.leads.messages(world.live, 1, {})
      return items.filter((item) => item.id === id).map(({ error, status }) => `${status} ${error}`)
    })
  ),
  campaign: "has its own list"
}

/** Whether the guard judges messages of each kind, and why not. It judges by which codes were typed. */
const judged: { readonly [kind in keyof typeof sendPolicies]: true | string } = {
  code: true,
  relayed: true,
  reply: "an agent sends it to a customer who wrote first, so no stranger can request it",
  campaign: "the merchant chooses its recipients"
}

describe("the guard", () => {
  it("has an answer for every kind of message", () => {
    for (const table of [waiting, judged]) assert.sameMembers(Object.keys(table), Object.keys(sendPolicies))
  })

  for (const [path, request] of Object.entries(requests)) {
    it.effect(`refuses ${path} to a block of numbers whose codes nobody types`, () =>
      Effect.gen(function* () {
        const world = yield* makeSender()
        for (let n = 0; n < 40; n++) {
          yield* world.verifications.initiate(world.live, otp(`+9198765${String(n * 97).padStart(5, "0")}`))
          yield* TestClock.adjust("1 second")
        }
        const before = world.sent() + (path.startsWith("a resend") ? 1 : 0)
        const settings = { guardEnforces: guardReasons }
        assert.strictEqual(yield* request(world, { number: "+919876504321", settings }), "GuardRefused")
        yield* TestClock.adjust("1 minute")
        assert.strictEqual(world.sent(), before)
      })
    )
  }
})

describe("a queued message whose number becomes forbidden", () => {
  const ends = {
    code: ["SMS FAILED destination_forbidden", "WHATSAPP FAILED destination_forbidden"],
    relayed: ["SMS FAILED destination_forbidden", "WHATSAPP FAILED destination_forbidden"],
    reply: ["FAILED destination_forbidden"]
  } as const
  for (const [kind, sent] of Object.entries(waiting)) {
    if (sent === "has its own list") continue
    it.effect(`is not sent, if it is a ${kind}`, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* sent, ends[kind as keyof typeof ends])
      })
    )
  }
})
