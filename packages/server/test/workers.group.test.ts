import { assert, describe, it } from "vitest"
import { type Action, begin, decide, type Event, type Group } from "../src/workers/Group.ts"
import { Random } from "./fixture/Random.ts"

/** A group with simulated processes: tests report their events by hand. */
class Played {
  group: Group
  actions: Array<Action>
  now = 0
  constructor(size: number, overlap = true) {
    const [group, actions] = begin(size, { overlap })
    this.group = group
    this.actions = [...actions]
  }

  /** The actions that the group requests. */
  on(event: Event): ReadonlyArray<Action> {
    const [group, actions] = decide(this.group, event)
    this.group = group
    this.actions.push(...actions)
    return actions
  }

  ready = (id: number) => this.on({ _tag: "Ready", id, now: this.now })
  ended = (id: number, how = "SIGKILL") => this.on({ _tag: "Ended", id, how, now: this.now })
  replace = () => this.on({ _tag: "Replace" })
  stop = () => this.on({ _tag: "Stop" })
}

const done = (actions: ReadonlyArray<Action>) => actions.filter(({ _tag }) => _tag !== "Say")
const said = (actions: ReadonlyArray<Action>) => actions.flatMap((each) => (each._tag === "Say" ? [each.text] : []))

const complete = (size: number, overlap = true) => {
  const played = new Played(size, overlap)
  for (let id = 1; id <= size; id++) played.ready(id)
  return played
}

describe("a group of workers", () => {
  it("starts one worker, then the others, and announces itself once when all serve", () => {
    const group = new Played(3)
    assert.deepStrictEqual(group.actions, [{ _tag: "Start", id: 1, slot: 1 }])
    assert.deepStrictEqual(group.ready(1), [
      { _tag: "Start", id: 2, slot: 2 },
      { _tag: "Start", id: 3, slot: 3 }
    ])
    assert.deepStrictEqual(group.ready(3), [])
    assert.deepStrictEqual(group.ready(2), [{ _tag: "Announce" }])
  })

  it("ends if its first worker ends before it is ready", () => {
    const failure = "The first worker ended with exit code 1 before it was ready"
    assert.deepStrictEqual(new Played(4).ended(1, "exit code 1"), [{ _tag: "Over", failure }])
  })

  it("restarts a worker that ended, after pauses that double up to 30 s and reset after a minute of uptime", () => {
    const group = complete(2)
    const pauses: Array<number> = []
    for (let id = 2, next = 3; next < 12; id = next++) {
      const [wait] = done(group.ended(id))
      assert(wait?._tag === "Wait" && wait.slot === 2)
      pauses.push(wait.milliseconds)
      assert.deepStrictEqual(group.on({ _tag: "Due", slot: 2 }), [{ _tag: "Start", id: next, slot: 2 }])
      if (next % 2 === 0) group.ready(next)
    }
    assert.deepStrictEqual(pauses, [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000])
    group.ready(11)
    group.now = 60_000
    assert.deepStrictEqual(done(group.ended(11)), [{ _tag: "Wait", slot: 2, milliseconds: 500 }])
  })

  it("replaces workers one by one: the old one stops when the new one is ready, and the group waits for it", () => {
    const group = complete(2)
    assert.deepStrictEqual(done(group.replace()), [{ _tag: "Start", id: 3, slot: 1 }])
    assert.deepStrictEqual(group.ready(3), [{ _tag: "Retire", id: 1 }])
    assert.deepStrictEqual(group.ended(1, "exit code 0"), [{ _tag: "Start", id: 4, slot: 2 }])
    assert.deepStrictEqual(group.ready(4), [{ _tag: "Retire", id: 2 }])
    assert.deepStrictEqual(said(group.ended(2, "exit code 0")), ["Replaced all workers"])
  })

  it("keeps the old workers when a new one fails, and logs it", () => {
    const group = complete(2)
    group.replace()
    const actions = group.ended(3, "exit code 1")
    assert.deepStrictEqual(done(actions), [])
    assert.match(said(actions).join(), /worker 1 ended with exit code 1 .* the previous workers continue/)
    assert.deepStrictEqual(done(group.replace()), [{ _tag: "Start", id: 4, slot: 1 }])
  })

  it("kills a worker that is not ready in time, or does not stop in time", () => {
    const group = complete(1)
    group.replace()
    assert.deepStrictEqual(done(group.on({ _tag: "TooLong", id: 1 })), [])
    assert.deepStrictEqual(done(group.on({ _tag: "TooLong", id: 2 })), [{ _tag: "Kill", id: 2 }])
    group.stop()
    assert.deepStrictEqual(group.on({ _tag: "Overdue" }), [
      { _tag: "Kill", id: 1 },
      { _tag: "Kill", id: 2 }
    ])
  })

  it("restarts a replacement once if another is requested during it, because files may have changed", () => {
    const group = complete(1)
    group.replace()
    assert.deepStrictEqual([...group.replace(), ...group.replace()], [])
    group.ready(2)
    assert.deepStrictEqual(done(group.ended(1)), [{ _tag: "Start", id: 3, slot: 1 }])
    group.ready(3)
    assert.deepStrictEqual(done(group.ended(2)), [])
  })

  it("starts a replacement requested during the first start when that start is complete", () => {
    const group = new Played(2)
    assert.deepStrictEqual(group.replace(), [])
    group.ready(1)
    assert.deepStrictEqual(done(group.ready(2)), [{ _tag: "Announce" }, { _tag: "Start", id: 3, slot: 1 }])
  })

  it("replaces a starting worker as soon as it is ready, if it was starting at the request", () => {
    const group = complete(1)
    group.ended(1)
    group.on({ _tag: "Due", slot: 1 })
    assert.deepStrictEqual(done(group.replace()), [])
    assert.deepStrictEqual(group.ready(2), [{ _tag: "Start", id: 3, slot: 1 }])
    assert.deepStrictEqual(group.ready(3), [{ _tag: "Retire", id: 2 }])
  })

  it("with an embedded database stops the old worker before it starts the new one", () => {
    const group = complete(1, false)
    assert.deepStrictEqual(done(group.replace()), [{ _tag: "Terminate", id: 1 }])
    assert.deepStrictEqual(done(group.ended(1, "exit code 0")), [{ _tag: "Start", id: 2, slot: 1 }])
    assert.deepStrictEqual(said(group.ready(2)), ["Replaced all workers"])
  })

  it("asked twice to replace and then to stop ends every worker once, and finishes with the last", () => {
    const group = complete(2)
    group.replace()
    group.replace()
    assert.deepStrictEqual(
      group.stop(),
      [1, 2, 3].map((id) => ({ _tag: "Terminate", id }))
    )
    assert.deepStrictEqual([...group.stop(), ...group.replace(), ...group.ready(3), ...group.ended(3)], [])
    group.ended(1)
    assert.deepStrictEqual(group.ended(2, "exit code 0"), [{ _tag: "Over", failure: null }])
  })

  it("never has more than one extra process, never two on one embedded database, and always terminates", () => {
    const random = new Random(14)
    for (let run = 0; run < 1_000; run++) {
      const overlap = random.below(3) > 0
      const size = overlap ? 1 + random.below(3) : 1
      const played = complete(size, overlap)
      for (let step = random.below(60); step > 0; step--) {
        const { members } = played.group
        const serving = members.filter(({ phase }) => phase === "ready").length
        const { id = 0 } = members[random.below(Math.max(1, members.length))] ?? {}
        const actions = random.pick([
          () => played.ready(id),
          () => played.ended(id),
          () => played.on({ _tag: "TooLong", id }),
          () => played.on({ _tag: "Due", slot: 1 + random.below(size) }),
          () => played.replace()
        ])()
        const left = played.group.members
        assert.isAtMost(left.length, overlap ? size + 1 : 1)
        // A serving worker is stopped only after its replacement is ready.
        if (actions.some(({ _tag }) => _tag === "Retire"))
          assert.isAtLeast(left.filter(({ phase }) => phase === "ready").length, serving)
      }
      const actions = [...played.stop()]
      for (const { id } of played.group.members) actions.push(...played.ended(id))
      assert.deepStrictEqual(
        actions.filter(({ _tag }) => _tag === "Over"),
        [{ _tag: "Over", failure: null }]
      )
    }
  })
})
