import { assert, describe, it } from "@effect/vitest"
import { Clock, Context, Effect, Logger, Redacted, Scope } from "effect"
import { TestClock } from "effect/testing"
import type { Caller, Verification } from "../../src/index.ts"
import {
  type Channel,
  ChannelError,
  type ChannelName,
  type Delivery,
  OutcomeUnknown,
  type Receipt,
  Refused,
  type Sent,
  Unavailable
} from "../../src/index.channel.ts"
import { JobStore, type Storage } from "../../src/index.storage.ts"
import { withStore } from "../fixtures/FaultyStore.ts"
import { linksOf } from "../fixtures/links.ts"
import { makeProcess, makeStorage, makeWorld, otp, start, withSettings, wrong } from "../fixtures/World.ts"

/** `pnpm chaos` runs 10,000. */
const interleavings = Number(process.env["INTERLEAVINGS"] ?? "200")
/** The logins that one pair of processes handles at the same time, each with its own order of steps. */
const perSeed = 100
/** One seed to run again. */
const given = process.env["INTERLEAVING_SEED"]
const seeds =
  given === undefined ? Array.from({ length: interleavings / perSeed }, (_, i) => 7_919 * (i + 1)) : [Number(given)]

const settings = { fallbackChannel: "WHATSAPP", fallbackAfterSeconds: 30, codeExpirySeconds: 60 } as const
const step = 1_000
/** By then the last login, its code and every lease are over. */
const steps = 120_000 / step

/** A repeatable random source. */
const chanceOf = (seed: number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

type Chance = ReturnType<typeof chanceOf>

const below = (chance: Chance, n: number) => Math.floor(chance() * n)
const oneOf = <A>(chance: Chance, ...items: ReadonlyArray<A>): A => items[below(chance, items.length)]!

/** The contract's delivery steps, written independently of the source. */
const forward: { readonly [from in Delivery.DeliveryStatus]: ReadonlyArray<Delivery.DeliveryStatus> } = {
  PENDING: ["SENT", "DELIVERED", "READ", "FAILED", "SKIPPED"],
  SENT: ["DELIVERED", "READ", "FAILED"],
  DELIVERED: ["READ"],
  READ: [],
  FAILED: [],
  // The provider reports that it has the message after all.
  SKIPPED: ["SENT", "DELIVERED", "READ"]
}

/** Records every change and checks that it is allowed. */
class Watch {
  readonly problems: Array<string> = []
  readonly codes = new Map<string, string>()
  /** References of every message that a channel received, by request. */
  readonly sent = new Map<string, Array<{ readonly reference: string; readonly deliveryId: string }>>()
  readonly counts = {
    sends: 0,
    fallbacks: 0,
    verified: 0,
    failed: 0,
    crashes: 0,
    receipts: 0,
    skipped: 0,
    started: 0,
    approved: 0
  }
  readonly #failures = new Map<string, number>()

  /** Records a message that a channel received, with its code or the token of its link. */
  message(reference: string, deliveryId: string, code: string): void {
    const id = reference.split(".")[1]!
    this.counts.sends++
    const known = this.codes.get(id) ?? code
    this.codes.set(id, known)
    if (known !== code) this.problems.push(`${id}: a message with another code or link`)
    const all = this.sent.get(id) ?? []
    this.sent.set(id, all)
    all.push({ reference, deliveryId })
  }

  /** Checks a change before its commit against the state that it replaces. */
  change(
    before: Verification.Verification | null,
    after: Verification.Verification,
    events: ReadonlyArray<{ readonly type: string }>
  ): void {
    const { id } = after
    const fresh = after.deliveries.slice(before?.deliveries.length ?? 0)
    if (before !== null && before.status !== "PENDING") {
      if (fresh.length > 0) this.problems.push(`${id}: a delivery after it was ${before.status}`)
      if (after.status !== before.status) this.problems.push(`${id}: ${before.status} became ${after.status}`)
    }
    this.counts.fallbacks += fresh.filter(({ channel }) => channel === "WHATSAPP").length
    if (after.deliveries.filter(({ channel }) => channel === "WHATSAPP").length > 1) {
      this.problems.push(`${id}: two fallbacks`)
    }
    for (const [i, was] of (before?.deliveries ?? []).entries()) {
      const { status } = after.deliveries[i]!
      if (status === "SKIPPED" && was.status !== status) this.counts.skipped++
      const isBack = was.status === "FAILED" && was.providerCode === "not_sent_in_time"
      if (status !== was.status && !forward[isBack ? "SKIPPED" : was.status].includes(status)) {
        this.problems.push(`${id}: a delivery went from ${was.status} to ${status}`)
      }
    }
    const failures = events.filter(({ type }) => type === "delivery.failed").length
    if (failures === 0) return
    this.counts.failed++
    const total = (this.#failures.get(id) ?? 0) + failures
    this.#failures.set(id, total)
    if (total > 1) this.problems.push(`${id}: ${total} delivery.failed`)
  }
}

/** Storage that checks every commit at the moment it happens. */
const watched = (storage: Context.Context<Storage>, watch: Watch) =>
  withStore(storage, (store) => ({
    commit: (change) =>
      Effect.gen(function* () {
        const { verification } = change
        const before = verification && (yield* store.find(verification.environment, verification.id))
        const stored = yield* store.commit(change)
        if (verification !== null) watch.change(before, verification, change.events)
        return stored
      })
  }))

/** A process that can be killed. A killed process starts no call and receives no answer. */
interface Life {
  alive: boolean
}

/** Storage as one process sees it: other processes may commit first, and a crash may interrupt any call. */
const reachedBy = (storage: Context.Context<Storage>, life: Life, chance: Chance): Context.Context<Storage> => {
  const turns = Effect.suspend(() => (chance() < 0.4 ? Effect.yieldNow : Effect.void))
  const through = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    turns.pipe(
      Effect.andThen(Effect.suspend(() => (life.alive ? effect : Effect.never))),
      Effect.tap(() => turns),
      Effect.flatMap((answer) => (life.alive ? Effect.succeed(answer) : Effect.never))
    )
  const jobs = Context.get(storage, JobStore)
  return withStore(storage, (store) => ({
    subject: (...all) => through(store.subject(...all)),
    load: (...all) => through(store.load(...all)),
    commit: (change) => through(store.commit(change))
  })).pipe(
    Context.add(
      JobStore,
      JobStore.of({
        ...jobs,
        claim: (claim) => through(jobs.claim(claim)),
        claimGates: (claim) => through(jobs.claimGates(claim)),
        complete: (lease) => through(jobs.complete(lease)),
        retry: (lease, retry) => through(jobs.retry(lease, retry))
      })
    )
  )
}

/** A provider's answer to a send, at random. */
const answerOf = (name: typeof ChannelName.Type, chance: Chance): Effect.Effect<Sent, ChannelError> => {
  const fail = (reason: ChannelError["reason"]) => Effect.fail(new ChannelError({ channel: name, reason }))
  const kind = below(chance, 10)
  if (kind === 0) return fail(new Refused({ providerCode: "blocked" }))
  if (kind === 1) return fail(new Unavailable({ providerCode: "busy" }))
  if (kind === 2) return fail(new OutcomeUnknown({ providerCode: "garbled" }))
  if (kind === 3) return Effect.never
  return Effect.succeed({ providerId: "m1", ...(kind === 4 ? { delivered: true } : {}) })
}

const channelsOf = (watch: Watch, life: Life, chance: Chance): ReadonlyArray<Channel> =>
  (["SMS", "WHATSAPP"] as const).map((name) => ({
    name,
    provider: name,
    supports: { identityTypes: ["MOBILE"], receipts: true, kinds: ["Code", "Link"] },
    send: (message) =>
      Effect.suspend(() => {
        if (!life.alive) return Effect.never
        watch.message(
          message.reference,
          message.deliveryId,
          message._tag === "Code"
            ? Redacted.value(message.code)
            : message._tag === "Link"
              ? Redacted.value(message.token)
              : ""
        )
        return answerOf(name, chance).pipe(
          Effect.delay(oneOf(chance, 0, 0, 40, 900, 4_000)),
          Effect.onExit(() => (life.alive ? Effect.void : Effect.never))
        )
      })
  }))

type Act = "initiate" | "right" | "wrong" | "receipt"

interface Plan {
  readonly at: number
  readonly who: number
  readonly act: Act
}

/** The actions of one person, and the step of each. */
const planOf = (who: number, chance: Chance): ReadonlyArray<Plan> => {
  const begin = below(chance, 30_000 / step)
  const later = () => begin + below(chance, oneOf(chance, 3, 35, 60))
  const acts = Array.from({ length: 3 + below(chance, 6) }, () =>
    oneOf<Act>(chance, "initiate", "right", "wrong", "receipt", "receipt", "receipt")
  )
  return [{ at: begin, who, act: "initiate" as const }, ...acts.map((act) => ({ at: later(), who, act }))]
}

const identityOf = (who: number) => `98${String(who).padStart(8, "0")}`
const statuses: ReadonlyArray<Receipt["status"]> = ["SENT", "DELIVERED", "READ", "FAILED"]

/** Runs one seed: two processes that crash and restart while people and providers act. */
const play = (seed: number) =>
  Effect.gen(function* () {
    const chance = chanceOf(seed)
    const watch = new Watch()
    const scope = yield* Scope.make()
    const storage = watched(yield* makeStorage, watch)
    const begin = Effect.gen(function* () {
      const life: Life = { alive: true }
      const services = yield* Scope.provide(
        makeProcess(reachedBy(storage, life, chance), { channels: channelsOf(watch, life, chance), chance: chance() }),
        scope
      )
      return { ...services, life }
    })
    const world = yield* makeWorld({ storage, idle: true })
    const live: Caller = withSettings(world.live, settings)
    const processes = [yield* begin, yield* begin]
    const ids = new Map<number, string>()
    const verified = new Set<string>()

    const act = Effect.fnUntraced(function* ({ act, who }: Plan) {
      const { receipts, services, verifications } = oneOf(chance, ...processes)
      const mode = who % 2 === 0 ? "OTP" : "MAGIC_LINK"
      if (act === "initiate") {
        const { verification } = yield* verifications.initiate(live, otp(identityOf(who), { mode }))
        return void ids.set(who, verification.id)
      }
      const requestId = ids.get(who)
      if (requestId === undefined) return
      const sent = watch.sent.get(requestId) ?? []
      if (act === "receipt") {
        if (sent.length === 0) return
        watch.counts.receipts++
        const { reference } = oneOf(chance, ...sent)
        return yield* receipts.record({
          reference,
          status: oneOf(chance, ...statuses),
          providerId: null,
          providerCode: null
        })
      }
      const code = watch.codes.get(requestId)
      if (code === undefined) return
      if (mode === "MAGIC_LINK") {
        const links = linksOf({ services })
        if (act === "wrong") return void (yield* links.look(code))
        const { _tag } = yield* links.approve(code, null)
        if (_tag !== "Approved") return
        watch.counts.approved++
        if (verified.has(requestId)) watch.problems.push(`${requestId}: approved twice`)
        return void verified.add(requestId)
      }
      const answer = yield* verifications.verify(live, { requestId, otp: act === "right" ? code : wrong(code) })
      if (answer._tag === "Verified") verified.add(requestId)
    })

    const plans = Map.groupBy(Array.from({ length: perSeed }, (_, who) => planOf(who, chance)).flat(), ({ at }) => at)
    for (let at = 0; at < steps; at++) {
      for (const plan of plans.get(at) ?? []) yield* Effect.forkIn(Effect.ignore(act(plan)), scope)
      if (chance() < 0.06 && at * step < 90_000) {
        watch.counts.crashes++
        const victim = below(chance, processes.length)
        const turns = below(chance, 20)
        yield* Effect.forkIn(
          Effect.gen(function* () {
            yield* Effect.repeat(Effect.yieldNow, { times: turns })
            processes[victim]!.life.alive = false
            processes[victim] = yield* begin
          }),
          scope
        )
      }
      yield* TestClock.adjust(step)
    }

    // Ends the processes, so that they do not run beside the next seed's.
    for (const { life } of processes) life.alive = false

    for (const id of ids.values()) {
      const verification = yield* world.verifications.status(live, { requestId: id })
      if (verified.has(id) && verification.status !== "VERIFIED") watch.problems.push(`${id}: a success was lost`)
      if (verification.status === "VERIFIED") watch.counts.verified++
      const asked = new Set((watch.sent.get(id) ?? []).map(({ deliveryId }) => deliveryId))
      for (const delivery of verification.deliveries) {
        if (delivery.status === "PENDING" && !asked.has(delivery.id)) watch.problems.push(`${id}: a message was lost`)
      }
    }
    watch.counts.started += ids.size
    assert.deepStrictEqual(watch.problems, [], `INTERLEAVING_SEED=${seed} plays it again`)
    return watch.counts
  })

describe("with receipts, codes, resends, timers and crashes in any order", () => {
  it.effect(
    `${interleavings} logins never get a second fallback, a message after success, another code or a step back`,
    () =>
      Effect.gen(function* () {
        const totals: { [name: string]: number } = {}
        for (const seed of seeds) {
          yield* TestClock.setTime(start)
          const counts = yield* play(seed)
          for (const [name, count] of Object.entries(counts)) totals[name] = (totals[name] ?? 0) + count
        }
        for (const [name, count] of Object.entries(totals)) assert.isAbove(count, 0, name)
        // The first request of the rest met a crash or an open circuit.
        assert.isAbove(totals["started"] ?? 0, seeds.length * perSeed * 0.8)
        assert.isAbove(yield* Clock.currentTimeMillis, start)
        console.log(JSON.stringify(totals))
      }).pipe(Effect.provide(Logger.layer([]))),
    180_000 + 60 * interleavings
  )
})
