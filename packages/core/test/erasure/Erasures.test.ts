import { assert, describe, it } from "@effect/vitest"
import { Clock, Context, Effect, Result } from "effect"
import { TestClock } from "effect/testing"
import { type Caller, Erasures, Idempotency, OptOuts, RefusedInitiates } from "../../src/index.ts"
import {
  AuditStore,
  Erasure,
  noRecords,
  OutboxStore,
  type Subject,
  VerificationStore
} from "../../src/index.storage.ts"
import { messageId, written } from "../../src/engagement/lead/Arrived.ts"
import { sealed } from "../../src/engagement/lead/Inbox.ts"
import { keptNameOf } from "../../src/auth/verification/keptLimits.ts"
import { makeAttribution } from "../fixtures/AttributionWorld.ts"
import { did, wrote } from "../fixtures/InboxWorld.ts"
import { withSetClock } from "../fixtures/setClock.ts"
import { spiedStorage } from "../fixtures/spiedStorage.ts"
import { otp, start, withSettings } from "../fixtures/World.ts"

const digits = "919876500123"
const spellings = ["+919876500123", "98765 00123", "91-9876-500-123"]
const other = "+919876500124"
/** Texts that occur only in this person's data. */
const canaries = [
  "9876500123",
  "98765 00123",
  "9876-500-123",
  "Canary Singh",
  "secret parrot",
  "order-canary",
  "canary-device",
  "canary-first"
]

const base64 = (text: string) => Buffer.from(text).toString("base64").replace(/=+$/, "")
/** Every form in which a text could be stored. The first base64 characters depend on the preceding text. */
const forms = (text: string) => [
  text,
  JSON.stringify(text).slice(1, -1),
  Buffer.from(text).toString("hex"),
  base64(text).slice(0, -2),
  base64(`x${text}`).slice(2, -2),
  base64(`xx${text}`).slice(4, -2)
]

const found = (dump: string) =>
  canaries.flatMap((canary) => forms(canary).filter((form) => dump.toLowerCase().includes(form.toLowerCase())))

/** A merchant with every kind of data about one person, and with another person. */
const makeKnown = Effect.fnUntraced(function* () {
  const { dump, storage } = yield* spiedStorage
  const world = yield* makeAttribution({ storage })
  const oneTap = withSettings(world.live, { oneTap: true, hourlyLimit: 100 })
  const idempotency = Context.get(world.services, Idempotency)
  const login = Effect.fnUntraced(function* (caller: Caller, identity: string, orderId: string) {
    const { launchId } = yield* world.launch({ fingerprint: `of ${orderId}`, utm: { source: "google" } })
    const request = otp(identity, { channel: "WHATSAPP", orderId, deviceInfo: { model: "canary-device" }, launchId })
    const { verification, deviceToken } = yield* world.verifications.initiate(caller, request)
    const code = yield* Effect.succeed(world.codeOf(verification))
    yield* world.verifications.verify(caller, { requestId: verification.id, otp: code, deviceToken })
    return verification
  })
  for (const [n, spelling] of spellings.entries()) yield* login(oneTap, spelling, `order-canary ${n}`)
  yield* world.verifications.initiate(
    oneTap,
    otp(spellings[0]!, { channel: "WHATSAPP", orderId: "order-canary-first" })
  )
  const live = yield* world.verifications.initiate(
    oneTap,
    otp(spellings[0]!, { channel: "WHATSAPP", orderId: "order-canary last" })
  )
  yield* world.arrive(
    wrote(digits, "a secret parrot", start, {
      id: "wamid.1",
      sender: { phone: digits, userId: null, profileName: "Canary Singh" }
    }),
    did("Reaction", digits, start, { messageId: "wamid.1", emoji: "secret parrot" }),
    did("Reaction", digits, start - 1, { messageId: "unheard of", emoji: "secret parrot" })
  )
  yield* world.arrive(wrote("919876500124", "hello", start))
  yield* world.folded(2)
  const kept = { environment: world.live.environment, endpoint: "POST /v1/auth/verify-code", key: "k1" }
  yield* idempotency.once(
    kept,
    "{}",
    Effect.succeed({ status: 200, body: JSON.stringify({ identity: spellings[1] }) }),
    () => true
  )
  const erasures = Context.get(world.services, Erasures)
  const optOuts = Context.get(world.services, OptOuts)
  const refused = Context.get(world.services, RefusedInitiates)
  for (const identity of [spellings[2], other]) {
    const request = () => ({ identity, channel: "WHATSAPP" })
    yield* refused.note(world.live, { path: "SERVER", errorCode: "RATE_LIMIT_EXCEEDED", reason: "spelling", request })
  }
  yield* optOuts.add(world.live, digits)
  /** Sealed messages are decrypted outside the test clock, so poll until the erasure has finished. */
  const done = Effect.fnUntraced(function* (id: string) {
    for (;;) {
      yield* TestClock.adjust("1 second")
      const erasure = yield* erasures.get(world.live, id)
      if (erasure.finishedAt !== null) return erasure
    }
  })
  /** Waits until no counted code or guess of the person is left. */
  const gone = <E>(subject: Effect.Effect<Subject.Subject, E>) =>
    Effect.gen(function* () {
      while ((yield* subject).version > 0) yield* TestClock.adjust("5 minutes")
    })
  return {
    ...world,
    done,
    gone,
    isAnswerKept: idempotency.knows(kept),
    dump,
    oneTap,
    live: world.live,
    erasures,
    optOuts,
    refused,
    waiting: live.verification
  }
})

describe("an erasure", () => {
  it.effect("removes a person in every spelling, and nothing of other people", () =>
    Effect.gen(function* () {
      const world = yield* makeKnown()
      yield* world.verifications.initiate(world.oneTap, otp(other, { channel: "WHATSAPP", orderId: "another" }))
      yield* TestClock.adjust("5 seconds")
      assert.isNotEmpty(found(world.dump()))
      const before = (yield* world.events(world.live)).filter((event) =>
        JSON.stringify(event.data).includes("9876500124")
      )
      assert.isTrue(yield* world.isAnswerKept)
      const begun = yield* world.erasures.begin(world.live, { identity: "98765-00123" })
      const done = yield* world.done(begun.id)
      assert.isFalse(yield* world.isAnswerKept)
      assert.deepStrictEqual(done.removed, { verifications: 4, devices: 3, leads: 1, messages: 1 })
      assert.deepStrictEqual(found(world.dump()), [])
      const people = Context.get(world.storage, VerificationStore)
      assert.deepStrictEqual(yield* people.subject(world.live.environment, digits), {
        ...(yield* people.subject(world.live.environment, "nobody")),
        canonical: digits
      })
      // Counted codes and guesses stay under a hash for as long as they count.
      const kept = people.subject(
        world.live.environment,
        keptNameOf(world.keyring.current, world.live.environment, digits)
      )
      assert.strictEqual((yield* kept).codes.length, 3)
      yield* world.gone(kept)
      assert.deepStrictEqual(found(world.dump()), [])
      const out = yield* world.optOuts.among(world.live.environment, [`+${digits}`, other])
      assert.deepStrictEqual(out, new Set([`+${digits}`]))
      const events = yield* world.events(world.live)
      assert.deepStrictEqual(
        events.filter((event) => JSON.stringify(event.data).includes("9876500124")).slice(0, before.length),
        before
      )
      assert.isNotEmpty(events.filter((event) => JSON.stringify(event.data).includes("+91******0123")))
      // A refusal stays in the list, and leads to no person.
      const { items } = yield* world.refused.list(world.live, {})
      const left = items.map(({ identity, person }) => `${identity} ${person === null ? "unnamed" : "named"}`)
      assert.sameMembers(left, ["+91******0123 unnamed", "+91******0124 named"])
      const audit = yield* Context.get(world.storage, AuditStore).list(
        { merchantId: world.live.merchantId, action: "person.erased" },
        { after: null, limit: 10 }
      )
      assert.deepStrictEqual(
        audit.map(({ target }) => target),
        [{ kind: "person", id: Erasure.personOf(world.keyring.current, world.live.environment, digits) }]
      )
    })
  )

  it.effect("also removes data whose time is in the future because the clock was set back", () =>
    withSetClock((set) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(start)
        const world = yield* makeKnown()
        yield* TestClock.adjust("5 seconds")
        set(-5.5 * 3_600_000)
        yield* TestClock.adjust("5 seconds")
        const begun = yield* world.erasures.begin(world.live, { identity: "98765-00123" })
        yield* TestClock.adjust("1 second")
        const next = yield* world.verifications.initiate(world.oneTap, otp(spellings[0]!, { channel: "WHATSAPP" }))
        const done = yield* world.done(begun.id)
        assert.deepStrictEqual(done.removed, { verifications: 4, devices: 3, leads: 1, messages: 1 })
        const people = Context.get(world.storage, VerificationStore)
        const left = yield* people.ofPerson(world.live.environment, digits, { after: null, limit: 10 })
        assert.deepStrictEqual(
          left.map(({ id }) => id),
          [next.verification.id]
        )
        const told = (yield* world.events(world.live)).filter((event) => found(JSON.stringify(event.data)).length > 0)
        assert.deepStrictEqual(
          told.map((event) => "requestId" in event.data && event.data.requestId),
          [next.verification.id]
        )
      })
    )
  )

  it.effect("drops the person's sealed messages that still wait, and keeps their opt-out", () =>
    Effect.gen(function* () {
      const world = yield* makeKnown()
      const environment = world.live.environment
      const outbox = Context.get(world.storage, OutboxStore)
      /** Delays the job of a callback until the erasure is over. */
      const waits = (phone: string, text: string, at: number, place: number) =>
        Effect.gen(function* () {
          const one = { id: messageId(at, place), written: written(wrote(phone, text, at)) }
          const job = yield* sealed(world.keyring, environment, [one], at)
          yield* outbox.append({ ...noRecords, jobs: [{ ...job, runAt: at + 600_000 }], done: null })
        })
      yield* world.optOuts.remove(world.live, digits)
      yield* TestClock.adjust("1 second")
      const at = yield* Clock.currentTimeMillis
      yield* waits(digits, "a secret parrot", at, 1)
      yield* waits(digits, "STOP", at, 2)
      yield* waits("919876500124", "of somebody else", at, 3)
      yield* world.done((yield* world.erasures.begin(world.live, { identity: digits })).id)
      yield* waits(digits, "written afterwards", yield* Clock.currentTimeMillis, 4)
      yield* TestClock.adjust("595 seconds")
      assert.deepStrictEqual(found(world.dump()), [])
      let leads = yield* world.leads.page(world.live, {})
      for (; leads.length < 2; leads = yield* world.leads.page(world.live, {})) yield* TestClock.adjust("1 second")
      const texts = yield* Effect.forEach(leads, ({ lead }) => world.leads.messages(world.live, lead.id, {}))
      const said = JSON.stringify(texts)
      assert.include(said, "of somebody else")
      assert.include(said, "written afterwards")
      assert.notInclude(said, "secret parrot")
      const out = yield* world.optOuts.among(environment, [`+${digits}`, other])
      assert.deepStrictEqual(out, new Set([`+${digits}`]))
    })
  )

  it.effect("resets no limit: codes and guesses continue to count in each spelling", () =>
    Effect.gen(function* () {
      const world = yield* makeKnown()
      const limited = withSettings(world.live, { hourlyLimit: 3, maxConsecutiveFailures: 100 })
      const ask = (identity: string) => world.verifications.initiate(limited, otp(identity, { channel: "WHATSAPP" }))
      const isLimited = (identity: string) => Effect.map(Effect.result(ask(identity)), Result.isFailure)
      const erase = Effect.gen(function* () {
        yield* world.done((yield* world.erasures.begin(world.live, { identity: digits })).id)
        assert.deepStrictEqual(found(world.dump()), [])
      })
      const people = Context.get(world.storage, VerificationStore)
      const subject = people.subject(world.live.environment, digits)

      // The first spelling has two counted codes, the others have one each.
      yield* erase
      const mine = yield* ask(spellings[0]!)
      const wrong = world.codeOf(mine.verification) === "000000" ? "111111" : "000000"
      yield* world.verifications.verify(limited, { requestId: mine.verification.id, otp: wrong })
      assert.strictEqual((yield* subject).guesses.SERVER.failures, 1)
      yield* erase
      assert.isTrue(yield* isLimited(spellings[0]!))
      yield* ask(spellings[1]!)
      assert.strictEqual((yield* subject).guesses.SERVER.failures, 1)
      yield* erase
      yield* ask(spellings[1]!)
      yield* erase
      assert.isTrue(yield* isLimited(spellings[0]!))
      assert.isTrue(yield* isLimited(spellings[1]!))
      assert.isFalse(yield* isLimited("9876500199"))
      yield* TestClock.adjust("1 hour")
      assert.isFalse(yield* isLimited(spellings[0]!))
    })
  )
})
