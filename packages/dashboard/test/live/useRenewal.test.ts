import { afterEach, assert, beforeEach, describe, it, vi } from "vitest"
import { wake } from "../../src/live/topics.ts"
import { keepRenewing } from "../../src/live/useRenewal.ts"

describe("a calm renewal", () => {
  let asked = 0
  let stop = () => {}
  beforeEach(() => {
    vi.useFakeTimers()
    asked = 0
    stop = keepRenewing(["verification"], { least: 10_000, most: 60_000 }, () => asked++)
  })
  afterEach(() => {
    stop()
    vi.useRealTimers()
  })
  const wait = (ms: number) => vi.advanceTimersByTime(ms)

  it("refetches on the first event, and once for all events of the next ten seconds", () => {
    wake("verification")
    assert.strictEqual(asked, 1)
    for (let second = 0; second < 9; second++) {
      wait(1_000)
      wake("verification")
    }
    assert.strictEqual(asked, 1)
    wait(1_000)
    assert.strictEqual(asked, 2)
  })

  it("refetches after a minute without events", () => {
    wait(60_000)
    assert.strictEqual(asked, 1)
    wake("lead")
    assert.strictEqual(asked, 1)
  })

  it("does nothing after it was stopped, not even for waiting events", () => {
    wake("verification")
    wake("verification")
    stop()
    wait(120_000)
    wake("verification")
    assert.strictEqual(asked, 1)
  })
})
