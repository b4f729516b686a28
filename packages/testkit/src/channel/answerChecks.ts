import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as Race from "../Race.ts"
import type { BenchCheck } from "./ChannelCheck.ts"
import { leaves } from "./leaves.ts"
import { before, secretOf, describe, errorOf, unreachableUrl, only, reads, sentOf, textOf, trial } from "./trial.ts"

/** How a channel interprets a provider's answers. */
export const answerChecks: ReadonlyArray<BenchCheck> = [
  [
    "a message that the provider accepts is Sent, to its recipient, with its code, in one request",
    (bench) =>
      Effect.gen(function* () {
        const { message, provider, send } = yield* trial(bench)
        const wanted = yield* message(1)
        sentOf(yield* send(wanted))
        const seen = only(yield* provider.seen)
        assert.strictEqual(seen.to, wanted.to, "the recipient on the wire")
        assert.isTrue(reads(seen, secretOf(wanted)), "the code does not reach the provider")
        if (bench.carries === "text")
          assert.isTrue(reads(seen, textOf(wanted)), "the text does not reach the provider unchanged")
      })
  ],
  [
    "a sent message keeps the provider's id, and its reference reaches the provider for receipts",
    (bench) =>
      Effect.gen(function* () {
        const { channel, message, provider, send } = yield* trial(bench)
        const wanted = yield* message(1)
        const sent = sentOf(yield* send(wanted))
        const seen = only(yield* provider.seen)
        if (seen.providerId !== null)
          assert.strictEqual(sent.providerId, seen.providerId, "providerId is the provider's name")
        if (!channel.supports.receipts) return
        const travels =
          seen.raw.includes(wanted.reference) || leaves(seen.raw).some((leaf) => leaf.includes(wanted.reference))
        assert.isTrue(travels, "a channel with receipts gives the provider the message's reference")
      })
  ],
  [
    "a message that the provider rejects is Refused, after one request",
    (bench) =>
      Effect.gen(function* () {
        const { channel, message, provider, send } = yield* trial(bench)
        yield* provider.play("refused")
        const { reason } = errorOf(channel, yield* send(yield* message(1)))
        assert.strictEqual(reason._tag, "Refused")
        only(yield* provider.seen)
      })
  ],
  [
    "an overloaded provider is Unavailable, after one request, with the provider's retry delay",
    (bench) =>
      Effect.gen(function* () {
        const { channel, message, provider, send } = yield* trial(bench)
        yield* provider.play("overloaded")
        const { reason } = errorOf(channel, yield* send(yield* message(1)))
        assert.strictEqual(reason._tag, "Unavailable")
        only(yield* provider.seen)
        if (provider.retryAfterSeconds === undefined || reason._tag !== "Unavailable") return
        assert.strictEqual(reason.retryAfterSeconds, provider.retryAfterSeconds, "the provider's own wish is kept")
      })
  ],
  [
    "an unreadable answer is OutcomeUnknown, after one request",
    (bench) =>
      Effect.gen(function* () {
        const { channel, message, provider, send } = yield* trial(bench)
        yield* provider.play("garbled")
        const { reason } = errorOf(channel, yield* send(yield* message(1)))
        assert.strictEqual(reason._tag, "OutcomeUnknown", "it is neither success nor refusal")
        only(yield* provider.seen)
      })
  ],
  [
    "an unreachable provider is Unavailable",
    (bench) =>
      Effect.gen(function* () {
        const provider = yield* bench.provider
        const channel = yield* bench.make(yield* unreachableUrl(provider.url))
        const { message, send } = before(bench, channel, provider)
        const { reason } = errorOf(channel, yield* send(yield* message(1)))
        assert.strictEqual(reason._tag, "Unavailable", "nothing was sent, so it may be tried again")
      })
  ],
  [
    "after a failure the next message is sent",
    (bench) =>
      Effect.gen(function* () {
        const { channel, message, provider, send } = yield* trial(bench)
        yield* provider.play("garbled")
        errorOf(channel, yield* send(yield* message(1)))
        yield* provider.play("accepted")
        const wanted = yield* message(2)
        sentOf(yield* send(wanted))
        assert.strictEqual((yield* provider.seen)[1]?.to, wanted.to)
      })
  ],
  [
    "messages that are sent concurrently do not mix",
    (bench) =>
      Effect.gen(function* () {
        const { message, provider, send } = yield* trial(bench)
        const wanted = yield* Effect.forEach([0, 1, 2, 3, 4, 5, 6, 7], (n) => message(n))
        const { successes } = yield* Race.together(wanted.length, (n) => send(wanted[n]!))
        const sent = successes.map(sentOf)
        const seen = yield* provider.seen
        assert.strictEqual(seen.length, wanted.length, "each message is one request")
        for (const [n, each] of wanted.entries()) {
          const theirs = seen.filter(({ to }) => to === each.to)
          assert.strictEqual(theirs.length, 1, `requests for recipient ${n}`)
          assert.isTrue(reads(theirs[0]!, secretOf(each)), `recipient ${n} gets another's code`)
          if (theirs[0]!.providerId !== null) assert.strictEqual(sent[n]!.providerId, theirs[0]!.providerId)
        }
      })
  ]
]

const retryAfter = 7

/** The same for answers that exist only in HTTP. */
export const httpChecks: ReadonlyArray<BenchCheck> = [
  [
    "429 is Unavailable, with the provider's Retry-After",
    (bench) =>
      Effect.gen(function* () {
        if (bench.http === null) return
        const provider = yield* bench.http
        const { channel, message, send } = before(bench, yield* bench.make(provider.url), provider)
        yield* provider.answer({
          status: 429,
          headers: { "retry-after": String(retryAfter) },
          body: "too many requests"
        })
        const { reason } = errorOf(channel, yield* send(yield* message(1)))
        assert.deepStrictEqual(
          reason._tag === "Unavailable" ? reason.retryAfterSeconds : reason._tag,
          retryAfter,
          "429 is the provider's wish to be asked again later"
        )
        only(yield* provider.seen)
      })
  ],
  [
    "408, 500, 502 and 504 are OutcomeUnknown with any body, and 503 is Unavailable or OutcomeUnknown",
    (bench) =>
      Effect.gen(function* () {
        if (bench.http === null) return
        const provider = yield* bench.http
        const { channel, message, send } = before(bench, yield* bench.make(provider.url), provider)
        const statuses = [408, 500, 502, 504, 503]
        for (const [n, status] of statuses.entries()) {
          yield* provider.answer({ status, headers: { "content-type": "text/html" }, body: "<html><h1>Sorry</h1>" })
          const { reason } = errorOf(channel, yield* send(yield* message(n)))
          const tags = status === 503 ? ["Unavailable", "OutcomeUnknown"] : ["OutcomeUnknown"]
          assert.include(tags, reason._tag, `${status}: the message may be on its way`)
        }
        assert.strictEqual((yield* provider.seen).length, statuses.length, "each send asks the provider exactly once")
      })
  ],
  [
    "an answer about one recipient names that cause: an opt-out is Refused as opted_out, a wait is Unavailable as recipient",
    (bench) =>
      Effect.gen(function* () {
        if (bench.http === null) return
        const provider = yield* bench.http
        const { channel, message, send } = before(bench, yield* bench.make(provider.url), provider)
        for (const [answer, ...expected] of [
          [bench.answers?.optedOut, "Refused", "opted_out"],
          [bench.answers?.deferred, "Unavailable", "recipient"]
        ] as const) {
          if (answer === undefined) continue
          yield* provider.answer(answer)
          const { reason } = errorOf(channel, yield* send(yield* message(1)))
          assert.strictEqual(`${reason._tag} ${"because" in reason ? reason.because : ""}`, expected.join(" "))
        }
      })
  ],
  [
    "401, 403 and 404 are Refused with any body",
    (bench) =>
      Effect.gen(function* () {
        if (bench.http === null) return
        const provider = yield* bench.http
        const { channel, message, send } = before(bench, yield* bench.make(provider.url), provider)
        for (const status of [401, 403, 404]) {
          yield* provider.answer({ status, headers: { "content-type": "text/html" }, body: "<html><h1>No</h1>" })
          const { reason } = errorOf(channel, yield* send(yield* message(status % 10)))
          assert.strictEqual(reason._tag, "Refused", `${status} is the same the next time`)
        }
      })
  ],
  [
    "a connection that closes before or during the answer is OutcomeUnknown, after one request",
    (bench) =>
      Effect.gen(function* () {
        if (bench.http === null) return
        for (const fault of ["slam", "breakOff"] as const) {
          const provider = yield* bench.http
          const { channel, message, send } = before(bench, yield* bench.make(provider.url), provider)
          yield* provider[fault]
          const answer = yield* send(yield* message(1))
          const { reason } = errorOf(channel, answer)
          assert.strictEqual(reason._tag, "OutcomeUnknown", `the request was read: ${describe(answer)}`)
          only(yield* provider.seen)
        }
      })
  ]
]
