import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { ChannelError, OutcomeUnknown, Refused, Unavailable } from "../../src/index.channel.ts"
import { sendPolicies } from "../../src/foundation/delivery/SendPolicy.ts"
import * as Reference from "../../src/message/sending/Reference.ts"
import { type MailOptions, makeMails, reference, Shop } from "../fixtures/ReceiptMails.ts"
import { accepted, type Answer, recordingChannel } from "../fixtures/RecordingChannel.ts"
import { start } from "../fixtures/World.ts"

const fails = (reason: ChannelError["reason"]): Answer => Effect.fail(new ChannelError({ channel: "SMS", reason }))
const refused = fails(new Refused({ providerCode: "21211", because: "recipient" }))
const optedOut = fails(new Refused({ providerCode: "21610", because: "opted_out" }))
const unavailable = fails(new Unavailable({ providerCode: "http_503" }))
const unknown = fails(new OutcomeUnknown({ providerCode: "garbled" }))
const slow: Answer = Effect.delay(accepted, "900 millis")

const price = 20

const kinds = Object.entries(sendPolicies)

/** A message with a send policy, and the answers of its provider. */
const underWay = Effect.fnUntraced(function* (
  policy: (typeof kinds)[number][1],
  answers: ReadonlyArray<Answer>,
  { balance = 100, ...options }: MailOptions & { readonly balance?: number } = {}
) {
  yield* TestClock.setTime(start)
  const { channel: plain, received } = recordingChannel("SMS", answers)
  const channel = { ...plain, supports: { ...plain.supports, kinds: ["Code", "Text"] as const } }
  const shop = new Shop(policy, balance)
  const process = yield* makeMails(shop, policy, [channel], options)
  const report = (status: "SENT" | "DELIVERED" | "FAILED") =>
    Effect.orDie(
      process.receipts.record({
        reference: Reference.format(reference),
        status,
        providerId: "m1",
        providerCode: status === "FAILED" ? "30005" : null
      })
    )
  const begin = Effect.forkScoped(process.job, { startImmediately: true })
  return { ...process, begin, channel, received, report, shop }
})

describe.each(kinds)("a message with the send policy of a %s", (_kind, policy) => {
  const { silence } = policy

  it.effect("is SENT and charged once when its provider accepts it", () =>
    Effect.gen(function* () {
      const { job, received, shop } = yield* underWay(policy, [accepted])
      yield* job
      assert.deepInclude(shop.mail, { status: "SENT", providerId: "m1", carrier: "recording SMS" })
      assert.deepStrictEqual([received.length, shop.paid], [1, price])
    })
  )

  it.effect("is loaded once to be sent, and not again to record that its provider accepted it", () =>
    Effect.gen(function* () {
      const { job, shop } = yield* underWay(policy, [accepted])
      yield* job
      assert.deepStrictEqual([shop.mail.status, shop.loads], ["SENT", 1])
    })
  )

  it.effect("is FAILED and refunded when its provider refuses it", () =>
    Effect.gen(function* () {
      const { job, received, shop } = yield* underWay(policy, [refused])
      yield* job
      assert.deepInclude(shop.mail, { status: "FAILED", providerCode: "21211", because: "recipient" })
      assert.deepStrictEqual([received.length, shop.paid], [1, 0])
    })
  )

  it.effect("records an opt-out that its provider reports", () =>
    Effect.gen(function* () {
      const { job, optOuts } = yield* underWay(policy, [optedOut])
      yield* job
      assert.deepStrictEqual(optOuts, ["+919876543210"])
    })
  )

  it.effect("is retried until its provider is available, and charged once", () =>
    Effect.gen(function* () {
      const { begin, received, shop } = yield* underWay(policy, [unavailable, unavailable, accepted])
      yield* begin
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(shop.mail.status, "SENT")
      assert.deepStrictEqual([received.length, shop.paid], [3, price])
    })
  )

  it.effect("is FAILED and refunded when its provider is unavailable until its end", () =>
    Effect.gen(function* () {
      const { begin, shop } = yield* underWay(policy, [unavailable], { validFor: 20_000 })
      yield* begin
      yield* TestClock.adjust("60 seconds")
      assert.strictEqual(shop.mail.status, "FAILED")
      assert.strictEqual(shop.paid, 0)
    })
  )

  it.effect("is FAILED, refunded and not sent when its job runs only after its end", () =>
    Effect.gen(function* () {
      const { job, received, shop } = yield* underWay(policy, [accepted], { validFor: 0 })
      yield* job
      assert.deepInclude(shop.mail, { status: "FAILED", providerCode: "not_sent_in_time" })
      assert.deepStrictEqual([received.length, shop.paid], [0, 0])
    })
  )

  it.effect("is never sent twice to a person who may have it, unless its policy repeats the same message", () =>
    Effect.gen(function* () {
      const { begin, received, shop } = yield* underWay(policy, [unknown])
      yield* begin
      yield* TestClock.adjust("10 minutes")
      assert.strictEqual(received.length, 1 + policy.repeats)
      assert.deepStrictEqual(
        [shop.mail.status, shop.mail.providerCode],
        silence === null ? ["PENDING", null] : ["FAILED", silence.as]
      )
      assert.strictEqual(shop.paid, silence === null ? price : 0)
    })
  )

  it.effect("keeps an unknown outcome when no time is left to repeat it", () =>
    Effect.gen(function* () {
      if (silence !== null) return
      const { job, received, shop } = yield* underWay(policy, [unknown], { validFor: 100 })
      yield* job
      assert.deepInclude(shop.mail, { status: "PENDING", unanswered: true, carrier: "recording SMS" })
      assert.deepStrictEqual([received.length, shop.paid], [1, price])
    })
  )

  it.effect("becomes DELIVERED by a late receipt after an unknown outcome, and is charged again once", () =>
    Effect.gen(function* () {
      const { begin, report, shop } = yield* underWay(policy, [unknown])
      yield* begin
      yield* TestClock.adjust("10 minutes")
      yield* report("DELIVERED")
      assert.deepInclude(shop.mail, { status: "DELIVERED", providerCode: null })
      assert.strictEqual(shop.paid, price)
    })
  )

  it.effect("costs nothing when a late receipt finds no balance", () =>
    Effect.gen(function* () {
      if (silence === null) return
      const { begin, report, shop } = yield* underWay(policy, [unknown], { balance: price })
      yield* begin
      yield* TestClock.adjust("10 minutes")
      shop.balance = 0
      yield* report("DELIVERED")
      assert.deepStrictEqual([shop.mail.status, shop.paid, shop.balance], ["DELIVERED", 0, 0])
    })
  )

  it.effect("keeps the status of a receipt that arrives before the answer of the send", () =>
    Effect.gen(function* () {
      const { begin, report, shop } = yield* underWay(policy, [slow])
      const running = yield* begin
      yield* TestClock.adjust("500 millis")
      yield* report("DELIVERED")
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(running)
      assert.deepInclude(shop.mail, { status: "DELIVERED", carrier: "recording SMS" })
      assert.strictEqual(shop.paid, price)
    })
  )

  it.effect("is refunded once, however often a failed receipt arrives", () =>
    Effect.gen(function* () {
      const { job, report, shop } = yield* underWay(policy, [accepted])
      yield* job
      for (let n = 0; n < 3; n++) yield* report("FAILED")
      yield* report("DELIVERED")
      assert.strictEqual(shop.mail.status, "FAILED")
      assert.strictEqual(shop.paid, 0)
      assert.strictEqual(shop.booked.filter(({ kind }) => kind === "REFUND").length, 1)
    })
  )

  it.effect("is SENT once when the database is away while its provider answers", () =>
    Effect.gen(function* () {
      const { begin, received, shop } = yield* underWay(policy, [slow])
      yield* begin
      yield* TestClock.adjust("500 millis")
      shop.failing = "before"
      yield* TestClock.adjust("40 seconds")
      shop.failing = "no"
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual(shop.mail.status, "SENT")
      assert.deepStrictEqual([received.length, shop.paid], [1, price])
    })
  )

  it.effect("is SENT and charged once when the answers of commits are lost", () =>
    Effect.gen(function* () {
      const { begin, received, shop } = yield* underWay(policy, [slow])
      yield* begin
      yield* TestClock.adjust("500 millis")
      shop.failing = "after"
      yield* TestClock.adjust("3 seconds")
      shop.failing = "no"
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual(shop.mail.status, "SENT")
      assert.deepStrictEqual([received.length, shop.paid], [1, price])
    })
  )

  it.effect("is SENT once without an id when its provider returns the id of another message", () =>
    Effect.gen(function* () {
      const { begin, received, shop } = yield* underWay(policy, [accepted])
      shop.takenIds.add("m1")
      yield* begin
      yield* TestClock.adjust("5 seconds")
      assert.deepInclude(shop.mail, { status: "SENT", providerId: null })
      assert.deepStrictEqual([received.length, shop.paid], [1, price])
    })
  )

  it.effect("is SENT and charged once when the answer of the first commit is lost", () =>
    Effect.gen(function* () {
      const { begin, received, shop } = yield* underWay(policy, [accepted])
      shop.failing = "after"
      yield* begin
      shop.failing = "no"
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual(shop.mail.status, "SENT")
      assert.deepStrictEqual([received.length, shop.paid], [1, price])
    })
  )

  it.effect("is sent at most once by two processes where its policy marks it, even when one is killed", () =>
    Effect.gen(function* () {
      const { begin, channel, received, shop } = yield* underWay(policy, [slow])
      const dying = yield* begin
      yield* TestClock.adjust("300 millis")
      yield* Fiber.interrupt(dying)
      const successor = yield* makeMails(shop, policy, [channel])
      yield* Effect.forkScoped(successor.job, { startImmediately: true })
      yield* TestClock.adjust("5 minutes")
      assert.strictEqual(received.length, policy.isMarked ? 1 : 2)
      // Without a rule for silence, only the receipt can tell.
      const isLost = policy.silence !== null
      assert.strictEqual(shop.mail.status, isLost ? "FAILED" : policy.isMarked ? "PENDING" : "SENT")
      assert.strictEqual(shop.mail.unanswered, policy.isMarked && !isLost ? true : undefined)
      assert.strictEqual(shop.paid, isLost ? 0 : price)
    })
  )

  it.effect("waits for an open circuit, and is not marked before", () =>
    Effect.gen(function* () {
      const answers = [...Array.from({ length: 5 }, () => unavailable), accepted]
      const { begin, others, received, shop } = yield* underWay(policy, answers, { validFor: 600_000 })
      yield* others(5)
      yield* begin
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual([shop.mail.status, shop.mail.version, received.length], ["PENDING", 0, 5])
      yield* TestClock.adjust("90 seconds")
      assert.deepStrictEqual([shop.mail.status, received.length], ["SENT", 6])
    })
  )
})

describe("a kind of message that is declared wrongly", () => {
  const defectOf = (job: Effect.Effect<unknown, unknown>) =>
    Effect.map(Effect.exit(job), (exit) => (Exit.isFailure(exit) ? String(Cause.squash(exit.cause)) : "none"))

  it.effect(
    "sends nothing when its references have another prefix than its owner, because receipts would be lost",
    () =>
      Effect.gen(function* () {
        const { job, received } = yield* underWay(sendPolicies.reply, [accepted], { prefix: "sale" })
        assert.match(yield* defectOf(job), /the owner of sale_… sent a message of buy_1/)
        assert.lengthOf(received, 0)
      })
  )

  it.effect("fails loudly when its job cannot store until when it waits for a receipt", () =>
    Effect.gen(function* () {
      const { job } = yield* underWay(sendPolicies.reply, [unknown], { payload: {} })
      assert.match(yield* defectOf(job), /the payload of the job mail:buy_1 needs the field "until"/)
    })
  )
})
