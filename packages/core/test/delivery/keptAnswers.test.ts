import { readdirSync, readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect } from "effect"
import { TestClock } from "effect/testing"
import { BalanceStore, emptyBalance } from "../../src/index.storage.ts"
import { absentStorage } from "../fixtures/absentStorage.ts"
import { makeInbox, wrote } from "../fixtures/InboxWorld.ts"
import { makeReceiver, status } from "../fixtures/Receiver.ts"
import { accepted, type Answer, recordingChannel, refused, unknownOutcome } from "../fixtures/RecordingChannel.ts"
import { happen, logOf, makeCallers, makeTeller, pass, registered } from "../fixtures/Teller.ts"
import { indian, makeProcess, makeStorage, makeWorld, otp, start, until } from "../fixtures/World.ts"
import { operator } from "../../src/foundation/outbox/AuditEntry.ts"

/** A provider that answers after 0.9 s; Postgres goes away in between. */
const slowly = (answer: Answer): Answer => Effect.delay(answer, "900 millis")

const price = 20

/** A process that stops waits for its running work, so the clock must continue. */
const timeGoesOn = Effect.addFinalizer(() =>
  Effect.forkDetach(Effect.repeat(Effect.andThen(TestClock.adjust("1 second"), Effect.yieldNow), { times: 30 }))
)

/** A paid code whose provider answers while the database is away. */
const paidCode = Effect.fnUntraced(function* (answers: ReadonlyArray<Answer>, processes = 1) {
  const { away, storage } = absentStorage(yield* makeStorage)
  const sms = recordingChannel("SMS", answers.map(slowly))
  const world = yield* makeWorld({ storage, channels: [sms.channel] })
  yield* timeGoesOn
  for (let more = 1; more < processes; more++) yield* makeProcess(storage, { channels: [sms.channel] })
  const balances = Context.get(storage, BalanceStore)
  const { environment } = world.live
  yield* world.merchants.changeSettings(
    { ...world.live, actor: operator },
    { billing: "PREPAID", prices: { SMS: price } }
  )
  const caller = yield* world.merchants.callerOf(world.keys.live.clientId)
  yield* balances.commit(BalanceStore.change({ ...emptyBalance(environment), creditLimit: 1_000 }))
  const { verification } = yield* world.verifications.initiate(caller, otp(indian))
  yield* TestClock.adjust("500 millis")
  return {
    away,
    ...world,
    sms,
    caller,
    verification,
    paid: Effect.map(balances.ledger(environment, { before: null, limit: 100 }), (all) =>
      all.map(({ amount }) => -amount).reduce((sum, amount) => sum + amount, 0)
    ),
    shown: Effect.map(world.verifications.status(caller, { requestId: verification.id }), ({ deliveries, status }) => [
      status,
      ...deliveries.map((one) => one.status)
    ])
  }
})

/** Keeps the database away for `seconds` seconds, from half a second after the send began. */
const outage = Effect.fnUntraced(function* (away: { now: boolean }, seconds: number) {
  away.now = true
  yield* TestClock.adjust(`${seconds} seconds`)
  away.now = false
  yield* TestClock.adjust("1100 millis")
})

describe("a provider's answer that arrives while the database is away", () => {
  for (const [seconds, processes] of [
    [2, 1],
    [20, 1],
    [45, 1],
    [20, 2]
  ] as const) {
    it.effect(`for ${seconds} s is recorded: the code is sent and charged once (${processes} processes)`, () =>
      Effect.gen(function* () {
        const { away, paid, shown, sms } = yield* paidCode([accepted], processes)
        yield* outage(away, seconds)
        assert.deepStrictEqual(yield* shown, ["PENDING", "SENT"])
        yield* TestClock.adjust("60 seconds")
        assert.strictEqual(sms.received.length, 1)
        assert.strictEqual(yield* paid, price)
      })
    )
  }

  it.effect("is recorded although the code was entered: the message is SENT and charged", () =>
    Effect.gen(function* () {
      const { away, caller, paid, shown, sms, verification, verifications, ...world } = yield* paidCode([accepted])
      away.now = true
      yield* TestClock.adjust("2 seconds")
      away.now = false
      yield* verifications.verify(caller, { requestId: verification.id, otp: world.codeOf(verification) })
      yield* TestClock.adjust("60 seconds")
      assert.deepStrictEqual(yield* shown, ["VERIFIED", "SENT"])
      assert.strictEqual(sms.received.length, 1)
      assert.strictEqual(yield* paid, price)
    })
  )

  it.effect("is recorded although the code expired: the message is SENT and charged", () =>
    Effect.gen(function* () {
      const { away, paid, shown, sms, verification } = yield* paidCode([Effect.delay(accepted, "8 seconds"), accepted])
      yield* outage(away, (verification.expiresAt - start) / 1_000)
      yield* TestClock.adjust("60 seconds")
      assert.strictEqual(sms.received.length, 1)
      assert.include(yield* shown, "SENT")
      assert.strictEqual(yield* paid, price)
    })
  )

  it.effect("is recorded when it is a refusal, and the message is not sent again", () =>
    Effect.gen(function* () {
      const { away, paid, shown, sms } = yield* paidCode([refused("SMS"), accepted])
      yield* outage(away, 20)
      assert.deepStrictEqual(yield* shown, ["FAILED", "FAILED"])
      yield* TestClock.adjust("60 seconds")
      assert.strictEqual(sms.received.length, 1)
      assert.strictEqual(yield* paid, 0)
    })
  )

  it.effect("to a reply is recorded, and the reply is sent once", () =>
    Effect.gen(function* () {
      const { away, storage } = absentStorage(yield* makeStorage)
      const world = yield* makeInbox({ storage, answers: [slowly(accepted)] })
      yield* timeGoesOn
      const phone = "919876543210"
      yield* world.arrive(wrote(phone, "hi", start))
      yield* until(Effect.map(Effect.orDie(world.leads.page(world.live, {})), (all) => all.length === 1))
      const made = yield* world.leads.reply(world.live, 1, { text: "Yes, it is." })
      yield* TestClock.adjust("500 millis")
      yield* outage(away, 90)
      yield* TestClock.adjust("120 seconds")
      const { items } = yield* Effect.orDie(world.leads.messages(world.live, 1, {}))
      assert.strictEqual(items.find(({ id }) => id === made.id)?.status, "SENT")
      assert.strictEqual(world.sent.length, 1)
    })
  )
})

it("every caller of a provider or a receiver retries until its answer is recorded", () => {
  const root = new URL("../../src/", import.meta.url)
  const asks = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => ({ path, text: readFileSync(new URL(path, root), "utf8") }))
    .filter(({ text }) => /\b(senders?|channel)\.send(InBulk)?\(/.test(text))
  assert.deepStrictEqual(asks.map(({ path }) => path).toSorted(), [
    "account/webhook/WebhookDeliveries.ts",
    // Recorded before it is sent: a lost answer changes nothing.
    "data/protection/TripMails.ts",
    "engagement/campaign/CampaignSender.ts",
    // The same.
    "engagement/lead/Digests.ts",
    // The same.
    "engagement/lead/Pushes.ts",
    // Returns the answer to its callers, which record it.
    "message/sending/askCarrier.ts",
    "message/sending/sendOneByOne.ts"
  ])
  for (const { path, text } of asks) {
    if (/^(data\/protection|engagement\/lead)\//.test(path) || path === "message/sending/askCarrier.ts") continue
    assert.include(text, "untilRecorded(", path)
  }
})

describe("a message without an answer of its provider", () => {
  it.effect("is SENT once its code was entered, because the person has the code from no other message", () =>
    Effect.gen(function* () {
      const { caller, paid, shown, sms, verification, verifications, ...world } = yield* paidCode([
        unknownOutcome("SMS"),
        accepted
      ])
      yield* TestClock.adjust("500 millis")
      yield* verifications.verify(caller, { requestId: verification.id, otp: world.codeOf(verification) })
      yield* TestClock.adjust("60 seconds")
      assert.deepStrictEqual(yield* shown, ["VERIFIED", "SENT"])
      assert.strictEqual(sms.received.length, 1)
      assert.strictEqual(yield* paid, price)
    })
  )
})

describe("a webhook delivery", () => {
  it.effect("loses no try to an outage of our own database", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const { away, storage } = absentStorage(yield* makeStorage)
      // Each answer takes two seconds, and the database goes away before it.
      const receiver = makeReceiver(() =>
        Effect.delay(
          Effect.suspend(() => {
            away.now = true
            return status(503)
          }),
          "2 seconds"
        )
      )
      const teller = yield* makeTeller(storage, receiver.layer)
      yield* timeGoesOn
      const { live } = yield* makeCallers(teller)
      const endpoint = yield* registered(teller, live, "https://shop.example/hook")
      yield* happen(teller, live)
      for (let turn = 0; turn < 3; turn++) {
        yield* pass(10_000)
        away.now = false
        yield* pass(3_000)
      }
      away.now = false
      yield* pass(2_000)
      const log = yield* logOf(teller, live, endpoint.id)
      assert.deepStrictEqual(
        log.map(({ attempt }) => attempt),
        receiver.requests.map((_request, i) => receiver.requests.length - i)
      )
      assert.strictEqual(receiver.requests.length, 2)
      const [last] = log
      const wait = (last?.nextAttemptAt ?? 0) - (last?.createdAt ?? 0)
      assert.approximately(wait, 300_000, 40_000)
    })
  )
})
