import { assert, describe, it } from "@effect/vitest"
import { Clock, Context, Effect, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { guardedOutcome } from "../../src/auth/verification/guardedOutcome.ts"
import { GuardMemory } from "../../src/foundation/guard/GuardMemory.ts"
import { TripStore, VerificationStore } from "../../src/index.storage.ts"
import { begin, makeAppWorld } from "../fixtures/apps.ts"
import { withStore } from "../fixtures/FaultyStore.ts"
import { makeProcess, makeWorld, otp, withSettings, type World } from "../fixtures/World.ts"

const numberOf = (n: number) => `+99891234${String((n * 91) % 10_000).padStart(4, "0")}`
const enforcing = { guardEnforces: ["PREFIX_UNVERIFIED"] as const }

/** Requests codes for numbers of one block, a second apart, that nobody types. */
const pump = Effect.fnUntraced(function* (
  { verifications }: Pick<World, "verifications">,
  caller: World["live"],
  count: number,
  from = 0
) {
  const outcomes: Array<string> = []
  for (let n = from; n < from + count; n++) {
    yield* TestClock.adjust("1 second")
    outcomes.push(
      yield* verifications.initiate(caller, otp(numberOf(n))).pipe(
        Effect.map(({ verification }) => `sent ${verification.guard?.reasons[0]?.reason ?? ""}`.trim()),
        Effect.catch((error) =>
          Effect.succeed(
            error._tag === "GuardRefused"
              ? `${error.waitSeconds === null ? "refused" : "delayed"} ${error.reason}`
              : error._tag
          )
        )
      )
    )
  }
  return outcomes
})

describe("the guard of initiate", () => {
  it.effect("records its reasons and sends, until the merchant enforces one", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ idle: true })
      const shadow = yield* pump(world, world.live, 30)
      assert.strictEqual(shadow[0], "sent")
      assert.strictEqual(shadow.at(-1), "sent PREFIX_UNVERIFIED")
      const enforced = yield* pump(world, withSettings(world.live, enforcing), 5, 100)
      assert.deepStrictEqual(enforced, Array(5).fill("refused PREFIX_UNVERIFIED"))
      // Other blocks are not refused.
      const other = yield* world.verifications.initiate(withSettings(world.live, enforcing), otp("+919876543210"))
      assert.isUndefined(other.verification.guard)
    })
  )

  it.effect("delays a request with 429 while the evidence is weaker than for a refusal", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ idle: true })
      const outcomes = yield* pump(world, withSettings(world.live, enforcing), 40)
      assert.deepStrictEqual([...new Set(outcomes)], ["sent", "delayed PREFIX_UNVERIFIED"])
      assert.isAtMost(outcomes.filter((outcome) => outcome === "sent").length, 12)
    })
  )

  it.effect("never judges numbers of the safe list, e-mail addresses and the test environment", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ idle: true })
      const safe = withSettings(world.live, { ...enforcing, safeList: ["99891234"] })
      assert.deepStrictEqual([...new Set(yield* pump(world, safe, 40))], ["sent"])
      assert.deepStrictEqual([...new Set(yield* pump(world, withSettings(world.test, enforcing), 40))], ["sent"])
      for (let n = 0; n < 40; n++) {
        yield* world.verifications.initiate(withSettings(world.live, enforcing), otp(`a${n}@example.com`))
      }
    })
  )

  it.effect("returns a repeat of a request that was carried out before the guard refused its number", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ idle: true })
      const first = yield* world.verifications.initiate(world.live, otp(numberOf(500)), "k1")
      yield* pump(world, world.live, 40)
      const caller = withSettings(world.live, enforcing)
      const repeat = yield* world.verifications.initiate(caller, otp(numberOf(500)), "k1")
      assert.deepStrictEqual([repeat.repeated, repeat.verification.id], [true, first.verification.id])
    })
  )

  it.effect("knows after a restart what an earlier process sent", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ idle: true })
      yield* pump(world, world.live, 30)
      yield* TestClock.adjust("5 minutes")
      const next = yield* makeProcess(world.storage, { idle: true })
      const caller = withSettings(world.live, enforcing)
      // The first request lets the process read the past in the background.
      yield* next.verifications.initiate(caller, otp("+919876543210"))
      yield* TestClock.adjust("1 second")
      const outcomes = yield* pump(next, caller, 3, 200)
      assert.deepStrictEqual([...new Set(outcomes)], ["refused PREFIX_UNVERIFIED"])
    })
  )

  it.effect("lets a person in who used their latest code, whatever others do at the same address", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ idle: true })
      const caller = withSettings(world.live, { guardEnforces: ["ADDRESS_UNVERIFIED"] })
      const ask = (phone: string) => world.verifications.initiate(caller, otp(phone, { clientIp: "203.0.113.7" }))
      const first = (yield* ask("+919876543210")).verification
      yield* world.verifications.verify(caller, { requestId: first.id, otp: world.codeOf(first) })
      /** Requests codes that nobody types, until the address is refused. */
      const abuse = Effect.fnUntraced(function* (from: number) {
        for (let n = from; n < from + 30; n++) {
          yield* TestClock.adjust("1 second")
          const refused = yield* Effect.flip(ask(`+4477${n * 1_000_003 + 10_000_000}`)).pipe(Effect.option)
          if (Option.isSome(refused)) return refused.value._tag
        }
        return "never refused"
      })
      yield* TestClock.adjust("2 days")
      assert.strictEqual(yield* abuse(0), "GuardRefused")
      // Another sign-in system's codes would never use the trust up.
      const code = Redacted.make("482913")
      const relayed = { identity: "+919876543210", code, clientIp: "203.0.113.7", idempotencyKey: null }
      assert.strictEqual((yield* Effect.flip(world.relays.relay(caller, relayed)))._tag, "GuardRefused")
      assert.isUndefined((yield* ask("+919876543210")).verification.guard)
      yield* TestClock.adjust("20 minutes")
      assert.strictEqual(yield* abuse(50), "GuardRefused")
      assert.strictEqual((yield* Effect.flip(ask("+919876543210")))._tag, "GuardRefused")
    })
  )

  it.effect("knows after a restart the whole last day of a merchant with more codes than it reads at once", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ idle: true })
      for (let n = 0; n < 500; n++)
        yield* world.verifications.initiate(world.live, otp(`+9198${10_000_000 + n * 10_007}`))
      yield* pump(world, world.live, 30)
      yield* TestClock.adjust("5 minutes")
      // Without the stop that is stored for the block.
      const trips = TripStore.of({ ...Context.get(world.storage, TripStore), list: () => Effect.succeed([]) })
      const next = yield* makeProcess(Context.add(world.storage, TripStore, trips), { idle: true })
      const caller = withSettings(world.live, enforcing)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual([...new Set(yield* pump(next, caller, 3, 200))], ["refused PREFIX_UNVERIFIED"])
    })
  )

  it.effect("learns within 66 seconds what another process sends at the same time", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ idle: true })
      const other = yield* makeProcess(world.storage, { idle: true })
      const caller = withSettings(world.live, enforcing)
      yield* other.verifications.initiate(caller, otp("+919876543210"))
      yield* pump(world, world.live, 30)
      yield* TestClock.adjust("66 seconds")
      yield* other.verifications.initiate(caller, otp("+919876543211"))
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual([...new Set(yield* pump(other, caller, 3, 200))], ["refused PREFIX_UNVERIFIED"])
    })
  )

  it.effect("reads the past of active merchants when it starts, before their first request", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ idle: true })
      yield* pump(world, world.live, 30)
      yield* TestClock.adjust("2 minutes")
      const slow = withStore(world.storage, ({ between }) => ({
        between: (environment, page) => Effect.delay(between(environment, page), "50 millis")
      }))
      const other = yield* makeProcess(slow, { idle: true })
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* pump(other, withSettings(world.live, enforcing), 1, 200), [
        "refused PREFIX_UNVERIFIED"
      ])
    })
  )

  it.effect("learns that a code which another process sent was typed after more than a minute", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ idle: true })
      const other = yield* makeProcess(world.storage, { idle: true })
      const sent = []
      for (let n = 0; n < 30; n++) {
        yield* TestClock.adjust("1 second")
        sent.push((yield* world.verifications.initiate(world.live, otp(numberOf(n)))).verification)
      }
      const ask = (n: number) => other.verifications.initiate(world.live, otp(`+9198765432${n}`))
      for (let n = 10; n < 20; n++) {
        yield* TestClock.adjust("8 seconds")
        yield* ask(n)
      }
      const judged = (n: number) =>
        Effect.map(
          other.verifications.initiate(world.live, otp(numberOf(n))),
          ({ verification }) => verification.guard?.reasons[0]?.reason ?? null
        )
      assert.strictEqual(yield* judged(500), "PREFIX_UNVERIFIED")
      for (const verification of sent) {
        yield* world.verifications.verify(world.live, { requestId: verification.id, otp: world.codeOf(verification) })
      }
      yield* TestClock.adjust("2 minutes")
      yield* ask(30)
      yield* TestClock.adjust("10 seconds")
      assert.isNull(yield* judged(501))
    })
  )

  it.effect("judges like a single process that saw everything, although one of two processes was replaced", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ idle: true })
      const processes = [
        yield* makeProcess(world.storage, { idle: true }),
        yield* makeProcess(world.storage, { idle: true })
      ]
      const blockOf = (block: number) => `9989${String(1_000 + block * 37)}`
      let state = 7
      const random = (below: number) => (state = (state * 48_271) % 2_147_483_647) % below
      for (let step = 0; step < 600; step++) {
        yield* TestClock.adjust(500 + random(3_000))
        if (step === 300) processes[1] = yield* makeProcess(world.storage, { idle: true })
        const block = random(12)
        const { verifications } = processes[random(2)]!
        const { verification } = yield* verifications.initiate(
          world.live,
          otp(`+${blockOf(block)}${String(random(10_000)).padStart(4, "0")}`)
        )
        // People live in the even blocks.
        if (block % 2 === 1 || random(5) === 0) continue
        yield* verifications.verify(world.live, { requestId: verification.id, otp: world.codeOf(verification) })
      }
      yield* TestClock.adjust("2 minutes")
      // Lets both read what the other one sent.
      for (const { verifications } of processes)
        yield* verifications.initiate(world.live, otp(`+9198765${random(90_000) + 10_000}`))
      yield* TestClock.adjust("1 second")

      const reference = new GuardMemory()
      const store = Context.get(world.storage, VerificationStore)
      const all = yield* store.between(world.live.environment, { after: "ver_", before: "ver_~", limit: 5_000 })
      const at = yield* Clock.currentTimeMillis
      for (const verification of all) reference.observe(guardedOutcome(verification)!, at)
      for (let block = 0; block < 12; block++) {
        const number = `${blockOf(block)}0000`
        const expected = reference
          .judge({ number, address: null, device: null }, at)
          .reasons.map(({ reason }) => reason)
        const { verification } = yield* processes[block % 2]!.verifications.initiate(world.live, otp(`+${number}`))
        const judged = (verification.guard?.reasons ?? []).map(({ reason }) => reason)
        const isNamed = (reasons: ReadonlyArray<string>) => reasons.includes("PREFIX_UNVERIFIED")
        assert.strictEqual(isNamed(judged), isNamed(expected), number)
        assert.strictEqual(isNamed(judged), block % 2 === 1, number)
      }
    })
  )

  it.effect("never shows one merchant's numbers in another merchant's judgement", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ idle: true })
      yield* pump(world, world.live, 60)
      const keys = yield* world.merchants.create("Other")
      const other = yield* world.merchants.authenticate(keys.live.clientId, keys.live.clientSecret)
      assert.deepStrictEqual(yield* pump(world, withSettings(other, enforcing), 3, 300), Array(3).fill("sent"))
    })
  )

  it.effect("judges an app's requests by the address that they come from", () =>
    Effect.gen(function* () {
      const world = yield* makeAppWorld({ idle: true })
      const caller = withSettings(world.app, { guardEnforces: ["ADDRESS_UNVERIFIED"], sdkInitiatesPerIpPerHour: 1_000 })
      const outcomes: Array<string> = []
      for (let n = 0; n < 40; n++) {
        yield* TestClock.adjust("1 second")
        const phone = `+4477${n * 1_000_003 + 10_000_000}`
        outcomes.push(
          yield* begin(world, caller, { phone, address: "203.0.113.7" }).pipe(
            Effect.as("sent"),
            Effect.catch(({ _tag }) => Effect.succeed(_tag))
          )
        )
      }
      assert.isAtMost(outcomes.filter((outcome) => outcome === "sent").length, 14)
      assert.include(outcomes, "GuardRefused")
    })
  )
})
