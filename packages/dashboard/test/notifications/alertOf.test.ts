import { assert, describe, it } from "vitest"
import { alertOf, nameIn } from "../../src/screens/notifications/alertOf.ts"

const lead = (id: number, minute: number | null, assignedTo: string | null = null) => ({
  id,
  contact: String(id),
  name: null,
  assignedTo,
  lastInboundAt: minute === null ? null : `2026-01-31T10:${String(minute).padStart(2, "0")}:00.000Z`
})
const at = (minute: number) => lead(0, minute).lastInboundAt!
const ids = ({ leads }: ReturnType<typeof alertOf>) => leads.map(({ id }) => id)

describe("the alert about customers who wrote", () => {
  it("is about nobody at the first look, which only learns where to begin", () => {
    const first = alertOf([lead(1, 5), lead(2, 3), lead(3, null)], null, "me@x.example")
    assert.deepStrictEqual([ids(first), first.since], [[], at(5)])
    assert.strictEqual(alertOf([], null, "me@x.example").since, "")
  })
  it("names each customer who wrote since the last look once, latest first", () => {
    const next = alertOf([lead(1, 6), lead(2, 9), lead(3, 5)], at(5), "me@x.example")
    assert.deepStrictEqual([ids(next), next.since], [[2, 1], at(9)])
    assert.deepStrictEqual(ids(alertOf([lead(1, 6), lead(2, 9), lead(3, 5)], next.since, "me@x.example")), [])
    // The first customer of an empty inbox.
    assert.deepStrictEqual(ids(alertOf([lead(1, 1)], "", "me@x.example")), [1])
  })
  it("leaves out the leads of other team members", () => {
    const next = alertOf([lead(1, 6, "ravi@x.example"), lead(2, 7, "me@x.example")], at(5), "me@x.example")
    assert.deepStrictEqual([ids(next), next.since], [[2], at(7)])
  })
  it("names a customer in one short line, whatever they call themselves", () => {
    assert.strictEqual(nameIn(" Asha\n\u202EMehta "), "Asha Mehta")
    assert.strictEqual(nameIn("x".repeat(9_000)), `${"x".repeat(59)}…`)
    for (const none of [null, "", " \u200B\n"]) assert.isNull(nameIn(none))
  })
})
