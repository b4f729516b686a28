import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { GuardMemory, type GuardedOutcome } from "../../src/foundation/guard/GuardMemory.ts"
import type { Judgement } from "../../src/foundation/guard/GuardReason.ts"

const start = Date.UTC(2030, 0, 7, 10)
const second = 1_000
const minute = 60_000

const request = (number: string, more: Partial<GuardedOutcome> = {}) => ({
  number,
  address: null,
  device: null,
  ...more
})

const reasonsOf = ({ reasons }: Judgement) => reasons.map(({ reason }) => reason)

/** Requests a code for each number, one a second, and reports each as pending if the guard allows it. */
const send = (
  memory: GuardMemory,
  numbers: ReadonlyArray<string>,
  { every = second, from = start, more = {} }: { every?: number; from?: number; more?: Partial<GuardedOutcome> } = {}
) => {
  const sent: Array<string> = []
  const reasons = new Set<string>()
  let last: Judgement | null = null
  for (const [n, number] of numbers.entries()) {
    const now = from + n * every
    last = memory.judge(request(number, more), now)
    for (const reason of reasonsOf(last)) reasons.add(reason)
    if (last.verdict !== "allow") continue
    sent.push(number)
    memory.observe({ ...request(number, more), at: now, state: "PENDING" }, now)
  }
  return { sent, reasons, last: last! }
}

const block = (prefix: string, count: number, step = 7) =>
  Array.from({ length: count }, (_, n) => `${prefix}${String((n * step * 13) % 10_000).padStart(4, "0")}`)

describe("a stopped place", () => {
  /** Sends 30 codes to a block at a second each, and lets the place trip a minute after the last. */
  const tripped = () => {
    const memory = new GuardMemory()
    const numbers = block("99891234", 30)
    const last = start + 29 * second
    for (const [n, number] of numbers.entries()) {
      memory.observe({ ...request(number), at: start + n * second, state: "PENDING" }, start + n * second)
    }
    const asked = request("998912349999")
    const now = last + minute
    const met = { isEnforced: () => true, price: null }
    assert.isTrue(memory.meet(asked, memory.judge(asked, now), met, now))
    const type = (many: number) => {
      for (const [n, number] of numbers.slice(0, many).entries()) {
        memory.observe({ ...request(number), at: start + n * second, state: "VERIFIED" }, now + second)
      }
    }
    return { asked, memory, now, type }
  }

  it("is judged by its evidence alone once its codes were typed late", () => {
    const { asked, memory, now, type } = tripped()
    type(20)
    assert.deepStrictEqual(memory.judge(asked, now + 2 * second), { verdict: "allow", reasons: [] })
    // The trip is as long as half a day, and does not come back.
    assert.strictEqual(memory.judge(asked, now + 600 * minute).verdict, "allow")
  })

  it("stays stopped when an attacker types a few of its codes", () => {
    const { asked, memory, now, type } = tripped()
    type(6)
    for (const later of [2 * second, 300 * minute, 600 * minute])
      assert.strictEqual(memory.judge(asked, now + later).verdict, "block")
  })

  it("stays stopped in a process that has read few of its codes, until the typed ones outweigh them all", () => {
    const { asked, memory, now } = tripped()
    const other = new GuardMemory()
    other.learnTrips(
      memory.takeTrips(false).map(({ report }) => ({
        ...report,
        environment: "env_live",
        version: 1,
        endedAt: null,
        mailedAt: null
      })),
      now
    )
    const type = (from: number, to: number) => {
      for (const [n, number] of block("99891234", 30).entries()) {
        if (n < from || n >= to) continue
        other.observe({ ...request(number), at: start + n * second, state: "VERIFIED" }, now + second)
      }
    }
    type(0, 2)
    assert.strictEqual(other.judge(asked, now + second).verdict, "block")
    type(2, 25)
    assert.strictEqual(other.judge(asked, now + second).verdict, "allow")
  })
})

describe("an attack on a country where the merchant has customers", () => {
  const minuteOf = (n: number) => start + n * minute
  const customer = (n: number) => `4479${String(10_000_000 + n * 9_973).padStart(8, "0")}`
  const random = (n: number) => `4478${String((n * 48_271_211) % 100_000_000).padStart(8, "0")}`

  /** Two newcomers a minute for a day, then 60 random numbers a minute for an hour. */
  const attacked = () => {
    const memory = new GuardMemory()
    for (let n = 0; n < 2_880; n++) {
      const asked = request(customer(n))
      const at = minuteOf(n / 2)
      memory.observe({ ...asked, at, state: n % 6 === 0 ? "PENDING" : "VERIFIED" }, at)
    }
    let sent = 0
    for (let n = 0; n < 3_600; n++) {
      const asked = request(random(n))
      const at = minuteOf(1_440) + n * second
      const judgement = memory.judge(asked, at)
      if (judgement.reasons.length === 0) {
        sent++
        memory.observe({ ...asked, at, state: "PENDING" }, at)
      } else memory.meet(asked, judgement, { isEnforced: () => true, price: null }, at)
    }
    return { memory, sent, now: minuteOf(1_500) }
  }

  it("gets no more codes than the country usually needs", () => {
    const { sent } = attacked()
    // Newcomers entered 100 codes an hour. The attack asked for 3,600.
    assert.isAbove(sent, 50)
    assert.isBelow(sent, 500)
  })

  it("makes newcomers wait, refuses none of them, and holds back nobody who signed in before", () => {
    const { memory, now } = attacked()
    const newcomer = request(customer(100_000))
    const { reasons, verdict } = memory.judge(newcomer, now)
    assert.include(["delay", "challenge"], verdict)
    assert.includeMembers(reasonsOf({ reasons, verdict }), ["COUNTRY_UNVERIFIED"])
    assert.deepStrictEqual(memory.judge({ ...newcomer, isKnown: true }, now), { verdict: "allow", reasons: [] })
  })

  it("leaves newcomers of other blocks alone when it uses a few blocks", () => {
    const memory = new GuardMemory()
    for (let n = 0; n < 2_880; n++) {
      const at = minuteOf(n / 2)
      memory.observe({ ...request(customer(n)), at, state: n % 6 === 0 ? "PENDING" : "VERIFIED" }, at)
    }
    for (let n = 0; n < 600; n++) {
      const at = minuteOf(1_440) + n * second
      memory.observe({ ...request(`44781234${String(n).padStart(4, "0")}`), at, state: "PENDING" }, at)
    }
    const now = minuteOf(1_452)
    assert.include(reasonsOf(memory.judge(request("447812349999"), now)), "COUNTRY_UNVERIFIED")
    assert.strictEqual(memory.judge(request("447855559999"), now).verdict, "allow")
  })

  it("gives a country its usual codes of two hours although nobody enters them, and then makes newcomers wait", () => {
    const memory = new GuardMemory()
    for (let n = 0; n < 2_880; n++) {
      const at = minuteOf(n / 2)
      memory.observe({ ...request(customer(n)), at, state: n % 6 === 0 ? "PENDING" : "VERIFIED" }, at)
    }
    // After a quiet night, only the codes of the morning are recent.
    const morning = minuteOf(1_440 + 480)
    const afterUnanswered = (from: number, to: number) => {
      for (let n = from; n < to; n++) {
        const at = morning + n * second
        memory.observe({ ...request(random(n)), at, state: "PENDING" }, at)
      }
      return reasonsOf(memory.judge(request(customer(100_000)), morning + to * second + 2 * minute))
    }
    assert.deepStrictEqual(afterUnanswered(0, 60), [])
    assert.include(afterUnanswered(240, 640), "COUNTRY_UNVERIFIED")
  })

  it("counts codes of people who signed in before for their block alone", () => {
    const memory = new GuardMemory()
    for (let n = 0; n < 600; n++) {
      const at = start + n * second
      memory.observe({ ...request(random(n)), isKnown: true, at, state: "PENDING" }, at)
    }
    assert.strictEqual(memory.judge(request("447855559999"), start + 20 * minute).verdict, "allow")
  })
})

describe("the guard", () => {
  it("stops codes to a block of numbers after a few that nobody typed", () => {
    const { last, sent } = send(new GuardMemory(), block("99891234", 500))
    assert.isAtMost(sent.length, 12)
    assert.notStrictEqual(last.verdict, "allow")
    assert.include(reasonsOf(last), "PREFIX_UNVERIFIED")
  })

  it("stops ten thousand adjacent numbers in ten minutes after a dozen", () => {
    const adjacent = Array.from({ length: 10_000 }, (_, n) => `62811234${String(n).padStart(4, "0")}`)
    const { reasons, sent } = send(new GuardMemory(), adjacent, { every: 60 })
    assert.isAtMost(sent.length, 12)
    assert.include([...reasons], "ADJACENT_NUMBERS")
  })

  it("judges a person who signed in before by their address and device, and not by the other numbers of their block", () => {
    const memory = new GuardMemory()
    for (const [n, number] of block("99891234", 40, 1).entries()) {
      const at = start + n * second
      memory.observe({ ...request(number, { address: "203.0.113.7" }), at, state: "PENDING" }, at)
    }
    const now = start + 2 * minute
    // Between two numbers whose codes nobody typed.
    const person = request("998912340495")
    assert.includeMembers(reasonsOf(memory.judge(person, now)), ["PREFIX_UNVERIFIED", "ADJACENT_NUMBERS"])
    assert.deepStrictEqual(memory.judge({ ...person, isKnown: true }, now), { verdict: "allow", reasons: [] })
    const there = { ...person, address: "203.0.113.7", isKnown: true }
    assert.deepStrictEqual(reasonsOf(memory.judge(there, now)), ["ADDRESS_UNVERIFIED"])
  })

  it("lets a block of numbers through whose codes are typed, however many they are", () => {
    const memory = new GuardMemory()
    for (const [n, number] of block("91987654", 2_000).entries()) {
      const now = start + n * second
      assert.strictEqual(memory.judge(request(number), now).verdict, "allow", number)
      memory.observe({ ...request(number), at: now, state: "PENDING" }, now)
      if (n % 5 !== 0) memory.observe({ ...request(number), at: now, state: "VERIFIED" }, now + 500)
    }
  })

  it("does not hold messages that never arrived against anybody", () => {
    const memory = new GuardMemory()
    for (const [n, number] of block("91987654", 500).entries()) {
      const now = start + n * second
      assert.strictEqual(memory.judge(request(number), now).verdict, "allow", number)
      memory.observe({ ...request(number), at: now, state: "PENDING" }, now)
      memory.observe({ ...request(number), at: now, state: "LOST" }, now + 100)
    }
  })

  it("stops one address that requests codes for random numbers", () => {
    const numbers = Array.from({ length: 300 }, (_, n) => `44${7_000_000_000 + n * 3_333_337}`)
    const { last, sent } = send(new GuardMemory(), numbers, { more: { address: "203.0.113.7" } })
    assert.isAtMost(sent.length, 12)
    // Nothing else than the address was wrong.
    assert.deepStrictEqual(reasonsOf(last), ["ADDRESS_UNVERIFIED"])
  })

  it("lets an airport's address through, because its people type their codes", () => {
    const memory = new GuardMemory()
    for (let n = 0; n < 3_000; n++) {
      const number = `91${6_000_000_000 + n * 1_000_003}`
      const now = start + n * second
      const asked = { ...request(number), address: "198.51.100.9" }
      assert.strictEqual(memory.judge(asked, now).verdict, "allow", number)
      memory.observe({ ...asked, at: now, state: "PENDING" }, now)
      if (n % 4 !== 0) memory.observe({ ...asked, at: now, state: "VERIFIED" }, now + 500)
    }
  })

  it("forgets what it saw after five days, and keeps most of it for an hour", () => {
    const memory = new GuardMemory()
    const numbers = block("99891234", 100)
    for (const [n, number] of numbers.entries()) {
      memory.observe({ ...request(number), at: start + n, state: "PENDING" }, start + n)
    }
    assert.notStrictEqual(memory.judge(request("998912349999"), start + 60 * minute).verdict, "allow")
    assert.strictEqual(memory.judge(request("998912349999"), start + 5 * 24 * 60 * minute).verdict, "allow")
  })

  it("counts a code of another process as soon as it is read, whatever younger codes wait for", () => {
    const [own, others] = [new GuardMemory(), new GuardMemory()]
    const now = start + 5 * minute
    const young = { ...request("919876543210"), at: now - 10 * second, state: "PENDING" } as const
    others.observe(young, young.at)
    for (const [n, number] of block("99891234", 40).entries()) {
      const at = now - 2 * minute + n * second
      own.observe({ ...request(number), at, state: "PENDING" }, at)
      others.observe({ ...request(number), at, state: "PENDING" }, now)
    }
    own.observe(young, young.at)
    const judged = (memory: GuardMemory) => reasonsOf(memory.judge(request("998912399999"), now))
    assert.include(judged(own), "COUNTRY_UNVERIFIED")
    assert.deepStrictEqual(judged(others), judged(own))
  })

  it("counts a message that was lost and sent again as under way for a minute, not for ever", () => {
    const memory = new GuardMemory()
    for (let n = 0; n < 250; n++) {
      const number = `9989${String(n * 33_391).padStart(8, "0")}`
      for (const state of ["PENDING", "LOST", "PENDING"] as const) {
        memory.observe({ ...request(number), at: start, state }, start + (state === "PENDING" ? 0 : minute))
      }
      memory.observe({ ...request(number), at: start, state: "LOST" }, start + 2 * minute)
      memory.observe({ ...request(number), at: start, state: "PENDING" }, start + 2 * minute)
    }
    // Without a word about them, they are no longer under way.
    const later = start + 4 * minute
    assert.notInclude(reasonsOf(memory.judge(request("998911112222"), later)), "COUNTRY_TOO_FAST")
  })

  it("counts a person who typed the second code once, also when it reads the past after a start", () => {
    const [living, started] = [new GuardMemory(), new GuardMemory()]
    const now = start + 60 * minute
    for (const [n, number] of block("99891234", 100).entries()) {
      const [first, again] = [start + n * 10 * second, start + n * 10 * second + 2 * minute]
      living.observe({ ...request(number), at: first, state: "PENDING" }, first)
      living.observe({ ...request(number), at: again, state: "VERIFIED" }, again)
      started.observe({ ...request(number), at: first, state: "PENDING" }, now)
      started.observe({ ...request(number), at: again, state: "VERIFIED" }, now)
    }
    for (const [n, number] of block("99899876", 40).entries()) {
      for (const memory of [living, started])
        memory.observe({ ...request(number), at: now - 2 * minute + n, state: "PENDING" }, now)
    }
    for (const number of ["998912349999", "998998769999"])
      assert.deepStrictEqual(started.judge(request(number), now), living.judge(request(number), now))
  })

  it("counts a person who asks again after a quarter of an hour alike in every process", () => {
    const [own, others] = [new GuardMemory(), new GuardMemory()]
    const [again, now] = [start + 14.5 * minute, start + 15.6 * minute]
    for (const number of block("99891234", 12)) {
      for (const [memory, learnt] of [
        [own, again],
        [others, now]
      ] as const) {
        memory.observe({ ...request(number), at: start, state: "PENDING" }, start)
        memory.judge(request(number), learnt)
        memory.observe({ ...request(number), at: again, state: "PENDING" }, learnt)
      }
    }
    assert.deepStrictEqual(others.judge(request("998912349999"), now), own.judge(request("998912349999"), now))
    assert.include(reasonsOf(own.judge(request("998912349999"), now)), "PREFIX_UNVERIFIED")
  })

  it("remembers a block of numbers although requests come from many addresses", () => {
    const memory = new GuardMemory({ mostTallies: 1_000 })
    send(memory, block("99891234", 40))
    for (let n = 0; n < 5_000; n++) {
      const at = start + 2 * minute + n * 10
      const address = `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`
      memory.observe({ ...request("919876543210", { address }), at, state: "VERIFIED" }, at)
      memory.observe({ ...request(`9198765${n + 10_000}`, { address }), at, state: "VERIFIED" }, at)
    }
    assert.include(reasonsOf(memory.judge(request("998912349999"), start + 5 * minute)), "PREFIX_UNVERIFIED")
  })

  const reports = Schema.Array(
    Schema.Struct({
      of: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 39 })),
      state: Schema.Literals(["PENDING", "VERIFIED", "LOST"]),
      again: Schema.Boolean
    })
  )

  it.prop("judges the same whether reports come once or several times", [reports], ([list]) => {
    const [once, often] = [new GuardMemory(), new GuardMemory()]
    const now = start + 5 * minute
    for (const { again, of, state } of list) {
      const number = `99891234${String(of * 97).padStart(4, "0")}`
      const report = { ...request(number), at: start + of, state }
      once.observe(report, now)
      for (let times = again ? 3 : 1; times > 0; times--) often.observe(report, now)
    }
    assert.deepStrictEqual(often.judge(request("998912349999"), now), once.judge(request("998912349999"), now))
  })

  it.prop(
    "judges the same whatever the order in which final reports of different numbers come",
    [reports],
    ([list]) => {
      const final = new Map(list.map(({ of, state }) => [of, state]))
      const now = start + 5 * minute
      const judged = (order: ReadonlyArray<readonly [number, "LOST" | "PENDING" | "VERIFIED"]>) => {
        const memory = new GuardMemory()
        for (const [of, state] of order) {
          const number = `99891234${String(of * 97).padStart(4, "0")}`
          memory.observe({ ...request(number), at: start + of * second, state }, now)
        }
        const { reasons, verdict } = memory.judge(request("998912345000"), now)
        return { verdict, reasons: reasons.map(({ reason, score }) => [reason, score.toFixed(6)]) }
      }
      assert.deepStrictEqual(judged([...final].reverse()), judged([...final]))
    }
  )

  it("keeps a bounded number of counts under a flood of numbers", () => {
    const memory = new GuardMemory({ mostTallies: 1_000 })
    for (let n = 0; n < 50_000; n++) {
      const number = `1${2_000_000_000 + n * 99_991}`
      memory.observe({ ...request(number), at: start + n * minute, state: "VERIFIED" }, start + n * minute)
    }
    assert.isAtMost(memory.size, 2_000)
  })
})
