import type { Event } from "@countersign/core"
import { EventStore, IdempotencyStore, StoreError, Subject, VerificationStore } from "@countersign/core/storage"
import { assert } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { change, event, fresh, guesses, noon, verification } from "./fixtures.ts"
import { promise } from "./StorageCheck.ts"

/** Text that storage has no reason to refuse. */
const awkward = [
  "",
  " ",
  "'; drop table subject; --",
  "\\",
  "\\x00 \\u0000 %s {0}",
  `"quoted", {curly}, [square], null, NULL, {}`,
  "\t\r\n\u000b\u0001\u007f",
  "\u{1f469}\u200d\u{1f680} \u{10ffff} \u202e rtl \ufeff bom \ufffe",
  "é vs e\u0301",
  "__proto__",
  "constructor",
  "toString",
  "x".repeat(2_000)
]

/** Text that some storages cannot store: they must refuse it. */
const impossible = ["\u0000", "a\u0000b", "\ud800", "\udc00 half"]

/** Writes and reads it back, or expects a refusal. It must never change. */
const roundTrip = Effect.fnUntraced(function* (text: string) {
  const store = yield* VerificationStore
  const environment = fresh("env")
  const subject = {
    ...Subject.empty(environment, text),
    live: [{ spelling: text, path: "SDK", mode: "OTP", id: text, expiresAt: noon, command: text }]
  } as const
  const written = verification(subject, { deviceInfo: JSON.stringify({ [text]: text }), orderId: text })
  const recorded = event(environment, "otp.initiated", { [text]: text, list: [text] })
  const exit = yield* Effect.exit(
    store.commit(change(subject, { verification: written, orderId: text, deviceId: text, events: [recorded] }))
  )
  if (Exit.isFailure(exit)) {
    assert.instanceOf(yield* Effect.flip(exit), StoreError)
    assert.isNull(yield* store.find(environment, written.id))
    return false
  }
  assert.deepStrictEqual(yield* store.load(environment, written.id), {
    verification: written,
    subject: { ...subject, version: 1 }
  })
  assert.strictEqual(yield* store.findIdByOrder(environment, text), written.id)
  assert.strictEqual(yield* store.findByDevice(environment, text), text)
  const events: ReadonlyArray<Event> = yield* (yield* EventStore).list({
    environment,
    type: null,
    after: null,
    limit: 9
  })
  assert.deepStrictEqual(events, [recorded])
  return true
})

export const hostileChecks = [
  promise(
    "awkward text is stored exactly",
    Effect.forEach(
      awkward,
      (text) => Effect.map(roundTrip(text), (kept) => assert.isTrue(kept, JSON.stringify(text.slice(0, 40)))),
      { concurrency: "unbounded", discard: true }
    )
  ),
  promise(
    "text that cannot be stored is refused whole, and harms no other change in its batch",
    Effect.forEach([...impossible, ...awkward], roundTrip, { concurrency: "unbounded", discard: true })
  ),
  promise(
    "keys that look alike are different keys",
    Effect.gen(function* () {
      const store = yield* VerificationStore
      const environment = fresh("env")
      const alike = ["a", "A", "a ", " a", "á", "a\u0301", "ａ", "a\u200b", "a\\", "a'", "a\ufffd"]
      yield* Effect.forEach(
        alike,
        (canonical, index) =>
          store.commit(change({ ...Subject.empty(environment, canonical), guesses: guesses(index + 1) })),
        { concurrency: "unbounded", discard: true }
      )
      for (const [index, canonical] of alike.entries()) {
        assert.deepStrictEqual((yield* store.subject(environment, canonical)).guesses, guesses(index + 1))
      }
      for (const invalid of ["a\ud800", "a\udfff", "a\u0000"]) {
        const exit = yield* Effect.exit(store.subject(environment, invalid))
        if (Exit.isSuccess(exit)) assert.strictEqual(exit.value.version, 0)
      }
    })
  ),
  promise(
    "the boundary between two parts of a key cannot be forged",
    Effect.gen(function* () {
      const store = yield* VerificationStore
      const idempotency = yield* IdempotencyStore
      const e = fresh("env")
      yield* store.commit(change(Subject.empty(`${e}a`, "b")))
      yield* store.commit(change(Subject.empty(e, "ab")))
      yield* store.commit(change(Subject.empty(`${e},a`, "b")))
      yield* store.commit(change(Subject.empty(e, ",ab")))
      const begin = (endpoint: string, key: string) =>
        idempotency.begin({
          scope: { environment: e, endpoint, key },
          fingerprint: "body",
          holder: "me",
          now: noon,
          leasedUntil: noon + 1,
          keptSince: 0
        })
      assert.strictEqual((yield* begin("ab", "c"))._tag, "Taken")
      assert.strictEqual((yield* begin("a", "bc"))._tag, "Taken")
      assert.strictEqual((yield* begin("", "abc"))._tag, "Taken")
    })
  ),
  promise(
    "a very long state is stored",
    Effect.gen(function* () {
      const store = yield* VerificationStore
      const subject = Subject.empty(fresh("env"), fresh("91"))
      const written = verification(subject, { deviceInfo: "\u{1f600}'\\".repeat(50_000) })
      yield* store.commit(change(subject, { verification: written }))
      assert.deepStrictEqual(yield* store.find(subject.environment, written.id), written)
    })
  )
]
