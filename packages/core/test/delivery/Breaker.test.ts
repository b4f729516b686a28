import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { Breaker } from "../../src/message/sending/Breaker.ts"

const second = 1_000

/** Sends once with an immediate result. Returns whether the breaker admitted it. */
const send = (breaker: Breaker, now: number, end: "answered" | "failed", recipient: number): boolean => {
  const pass = breaker.admit(recipient, now)
  if (pass === null) return false
  breaker.ended(pass, end, recipient, now)
  return true
}

const isOpen = (breaker: Breaker, now: number) => breaker.blockedUntil(now) !== null

/** A breaker that opened at `now`, after failed sends to five recipients. */
const opened = (now: number): Breaker => {
  const breaker = new Breaker()
  for (let recipient = 1; recipient <= 5; recipient++) send(breaker, now, "failed", recipient)
  assert.isTrue(isOpen(breaker, now))
  return breaker
}

describe("a circuit breaker stays closed", () => {
  it("for five failures in a row after a hundred answered sends", () => {
    const breaker = new Breaker()
    for (let n = 0; n < 100; n++) send(breaker, 50 * n, "answered", n)
    for (let n = 100; n < 105; n++) send(breaker, 50 * n, "failed", n)
    assert.isFalse(isOpen(breaker, 50 * 105))
  })

  it("for five hundred failures of one recipient", () => {
    const breaker = new Breaker()
    for (let n = 0; n < 500; n++) send(breaker, 15 * n, "failed", 42)
    assert.isFalse(isOpen(breaker, 15 * 500))
  })

  it("for one recipient that fails between answered sends to nine others", () => {
    const breaker = new Breaker()
    for (let n = 0; n < 9; n++) {
      send(breaker, n, "answered", n)
      for (let again = 0; again < 20; again++) send(breaker, n, "failed", 42)
    }
    assert.isFalse(isOpen(breaker, 10))
  })

  it("while only two of every five sends fail", () => {
    const breaker = new Breaker()
    for (let n = 0; n < 5_000; n++) assert.isTrue(send(breaker, n, n % 5 >= 3 ? "failed" : "answered", n), String(n))
  })

  it("while fewer than five sends fail within ten seconds", () => {
    const breaker = new Breaker()
    for (let n = 0; n < 100; n++) assert.isTrue(send(breaker, n * 2.5 * second, "failed", n))
  })

  it("for interrupted sends", () => {
    const breaker = new Breaker()
    for (let n = 0; n < 100; n++) breaker.ended(breaker.admit(n, n)!, "interrupted", n, n)
    assert.isFalse(isOpen(breaker, 100))
  })
})

describe("a circuit breaker opens", () => {
  it("when sends to five recipients failed and none was answered", () => {
    const breaker = new Breaker()
    for (let n = 1; n <= 4; n++) send(breaker, n, "failed", n)
    assert.isFalse(isOpen(breaker, 4))
    send(breaker, 5, "failed", 5)
    assert.strictEqual(breaker.blockedUntil(5), 5 + 10 * second)
  })

  it("when five of ten sends failed, but not when four of nine did", () => {
    const breaker = new Breaker()
    for (let n = 0; n < 5; n++) send(breaker, n, "answered", n)
    for (let n = 5; n < 9; n++) send(breaker, n, "failed", n)
    assert.isFalse(isOpen(breaker, 9))
    send(breaker, 9, "failed", 9)
    assert.isTrue(isOpen(breaker, 9))
  })

  it("when a working provider stops answering, once half of the sends in the last ten seconds failed", () => {
    const breaker = new Breaker()
    for (let n = 0; n < 100; n++) send(breaker, 100 * n, "answered", n)
    let after = 0
    while (send(breaker, 10 * second + 100 * after, "failed", 1_000 + after)) after++
    // After about 50 failures, the window holds five seconds of failures and five seconds of answers.
    assert.isAtLeast(after, 49)
    assert.isAtMost(after, 51)
  })
})

describe("an open circuit breaker", () => {
  it("admits one trial send after ten seconds, and every send once the trial is answered", () => {
    const breaker = opened(0)
    assert.isNull(breaker.admit(99, 10 * second - 1))
    const trial = breaker.admit(99, 10 * second)!
    assert.isTrue(trial.isTrial)
    assert.isNull(breaker.admit(99, 10 * second), "one at a time")
    breaker.ended(trial, "answered", 1, 11 * second)
    assert.isFalse(breaker.admit(99, 11 * second)?.isTrial)
    assert.isFalse(breaker.admit(99, 11 * second)?.isTrial)
  })

  it("doubles its pause with each failed trial up to a minute, and resets it to ten seconds after a success", () => {
    const breaker = opened(0)
    let now = 0
    for (const rest of [10, 20, 40, 60, 60]) {
      assert.strictEqual(breaker.blockedUntil(now), now + rest * second)
      now += rest * second
      assert.isTrue(send(breaker, now, "failed", 100 + rest + now))
    }
    now += 60 * second
    assert.isTrue(send(breaker, now, "answered", 99))
    for (let n = 1; n <= 5; n++) send(breaker, now, "failed", n)
    assert.strictEqual(breaker.blockedUntil(now), now + 10 * second)
  })

  it("reserves the trial for ten seconds for recipients without a failed send", () => {
    const breaker = opened(0)
    assert.isFalse(send(breaker, 10 * second, "failed", 1))
    assert.strictEqual(breaker.admitsFrom(1, 10 * second), 20 * second)
    assert.isTrue(send(breaker, 15 * second, "answered", 99))
    assert.isTrue(send(breaker, 15 * second, "answered", 1), "a closed breaker admits every recipient")
  })

  it("lets a recipient with a failed send be the trial after those ten seconds", () => {
    const breaker = opened(0)
    assert.isTrue(send(breaker, 20 * second, "failed", 1))
    assert.strictEqual(breaker.blockedUntil(20 * second), 40 * second)
    assert.isTrue(send(breaker, 50 * second, "answered", 1))
    assert.isFalse(breaker.isOpen)
  })

  it("does not give the next trial to the recipient of the failed one", () => {
    const breaker = opened(0)
    assert.isTrue(send(breaker, 10 * second, "failed", 50))
    assert.isFalse(send(breaker, 30 * second, "answered", 50))
    assert.isTrue(send(breaker, 30 * second, "answered", 51))
  })

  it("admits a new trial immediately when the previous one was interrupted", () => {
    const breaker = opened(0)
    breaker.ended(breaker.admit(99, 10 * second)!, "interrupted", 1, 10 * second)
    assert.isTrue(breaker.admit(99, 10 * second)?.isTrial)
  })

  it("ignores the results of sends that started before it opened", () => {
    const breaker = new Breaker()
    const under = Array.from({ length: 20 }, (_, n) => breaker.admit(n, 0)!)
    for (const [n, pass] of under.entries())
      breaker.ended(pass, n < 6 ? "failed" : n % 2 === 0 ? "answered" : "failed", n, n)
    assert.strictEqual(breaker.blockedUntil(20), 4 + 10 * second)
    assert.isTrue(breaker.admit(99, 10 * second + 4)?.isTrial)
  })
})

/** The breaker's rule, recomputed from the full history. */
const shouldOpen = (history: ReadonlyArray<readonly [at: number, failed: boolean, recipient: number]>, now: number) => {
  const recent = history.filter(([at]) => at > now - 10 * second)
  const failed = new Set(recent.flatMap(([, bad, recipient]) => (bad ? [recipient] : []))).size
  const answered = recent.filter(([, bad]) => !bad).length
  return answered === 0 ? failed >= 5 : failed + answered >= 10 && failed >= answered
}

const Sends = Schema.Array(
  Schema.Struct({
    after: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3_000 })),
    failed: Schema.Boolean,
    recipient: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 12 }))
  })
)

describe("any sequence of sends", () => {
  it.prop("opens the circuit breaker exactly when the rule says so", [Sends], ([sends]) => {
    const breaker = new Breaker()
    const history: Array<readonly [number, boolean, number]> = []
    let now = 0
    for (const { after, failed, recipient } of sends) {
      now += after
      send(breaker, now, failed ? "failed" : "answered", recipient)
      history.push([now, failed, recipient])
      const open = shouldOpen(history, now)
      assert.strictEqual(isOpen(breaker, now), open)
      if (open) return
    }
  })

  it("counts only its last 10,000 results, even after 200,000 in one millisecond", () => {
    const breaker = new Breaker()
    for (let n = 0; n < 200_000; n++) send(breaker, 0, "answered", n)
    let failed = 0
    while (send(breaker, 1, "failed", failed)) failed++
    assert.strictEqual(failed, 5_000)
  })
})
