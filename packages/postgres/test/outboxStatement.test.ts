import { type Booking, noRecords, type Outgoing } from "@countersign/core/storage"
import { assert, describe, it } from "@effect/vitest"
import { commit as commitOf, whole as commit } from "../src/commitStatement.ts"
import { encode, leftBy } from "../src/outboxParts.ts"

const event = {
  id: "evt_1",
  environment: "e",
  type: "otp.initiated",
  createdAt: 0,
  data: {}
} as unknown as Outgoing["events"][number]
const job = { key: "send:1", environment: "e", kind: "send", payload: {}, runAt: 0 }
const leased = { ...job, leasedUntil: 1, fence: 1, failures: 0 }
const fact = { environment: "e", kind: "poked", at: 0, key: "1", value: { n: 1 } }

const booking: Booking = {
  environment: "e",
  kind: "SEND",
  amount: -1,
  spent: null,
  reference: null,
  item: null,
  at: 0
}

const batch = (...changes: ReadonlyArray<Partial<Outgoing>>) =>
  changes.map((change) => encode({ ...noRecords, ...change }))

/** The tables that a statement inserts into or deletes from. */
const tablesOf = (text: string) =>
  new Set(Array.from(text.matchAll(/(?:insert into|delete from) (\w+)/g), ([, table]) => table))

const own = ["device", "order_reference", "subject", "verification"]

describe("a commit's statement", () => {
  it.each([
    ["nothing", batch({}, {}), []],
    ["events", batch({ events: [event] }, {}), ["event"]],
    ["a finished job", batch({ done: { key: "send:1", fence: 1 } }), ["job"]],
    ["the effects of an initiate", batch({ events: [event], jobs: [leased] }), ["event", "job"]],
    ["facts in one of its changes", batch({ events: [event] }, { facts: [fact] }), ["event", "fact"]],
    ["folded facts", batch({ folded: [fact] }), ["fact"]],
    ["money", batch({}, { booked: [booking] }), ["balance", "ledger", "spending"]]
  ] as const)("for a batch with %s touches no other table", (_, changes, tables) => {
    const { left, parameters } = leftBy(changes)
    const text = commit.text(left)
    assert.deepStrictEqual(tablesOf(text), new Set([...own, ...tables]))
    const numbers = Array.from(text.matchAll(/\$(\d+)/g), ([, number]) => Number(number))
    assert.deepStrictEqual(
      [...new Set(numbers)].toSorted((a, b) => a - b),
      Array.from({ length: 15 + parameters.length }, (_, i) => i + 1)
    )
  })

  it.each([
    [["known"], ["verification"]],
    [["fresh"], ["subject", "verification"]],
    [
      ["known", "fresh", "referred"],
      ["order_reference", "subject", "verification"]
    ],
    [
      ["known", "belonging"],
      ["device", "verification"]
    ]
  ] as const)("of verifications has no query that its changes (%s) do not need", (needs, tables) => {
    const text = commitOf(needs).text([])
    assert.deepStrictEqual(tablesOf(text), new Set<string>(tables))
    assert.strictEqual(text.includes("update subject"), (needs as ReadonlyArray<string>).includes("known"))
  })

  it("notifies other processes only of jobs that no worker holds", () => {
    assert.include(commit.text(leftBy(batch({ jobs: [job] })).left), "pg_notify")
    assert.notInclude(commit.text(leftBy(batch({ jobs: [leased] })).left), "pg_notify")
    assert.notInclude(commit.text(leftBy(batch({ jobs: [{ ...job, quiet: true }] })).left), "pg_notify")
  })

  it("has the same text for the same effects, so that a connection plans it once", () => {
    const texts = [batch({ events: [event] }), batch({}, { events: [event, event] })].map(
      (changes) => leftBy(changes).left
    )
    assert.strictEqual(commit.text(texts[0]!), commit.text(texts[1]!))
  })
})
