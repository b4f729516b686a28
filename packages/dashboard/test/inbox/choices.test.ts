import { assert, describe, it } from "vitest"
import { beside, queryOf } from "../../src/screens/inbox/filters.ts"
import { askedFor, matchingReplies } from "../../src/screens/inbox/savedReplies.ts"
import { filled, placesOf, type Template, sendable, valuesFor } from "../../src/screens/inbox/templateChoice.ts"

describe("the query of the lead list", () => {
  it("is for the waiting leads by default, and each view asks for its own", () => {
    assert.deepStrictEqual(queryOf({}, "a@x.example", false), { waitingOnly: true })
    assert.deepStrictEqual(queryOf({ team: "Sales" }, "a@x.example", false), { waitingOnly: true, team: "Sales" })
    assert.deepStrictEqual(queryOf({ view: "snoozed", status: "any" }, "a@x.example", false), { snoozedOnly: true })
    assert.deepStrictEqual(queryOf({ view: "all" }, "a@x.example", false), { status: "OPEN" })
    assert.deepStrictEqual(queryOf({ view: "mine", status: "any" }, "a@x.example", false), {
      assignedTo: "a@x.example"
    })
    assert.deepStrictEqual(queryOf({ view: "unassigned", status: "closed", team: "Sales" }, "a@x.example", false), {
      status: "CLOSED",
      unassignedOnly: true,
      team: "Sales"
    })
  })

  it("is only the search once it has two letters", () => {
    assert.deepStrictEqual(queryOf({ search: " as ", view: "mine" }, "a@x.example", false), {
      search: "as",
      limit: 100
    })
    assert.deepStrictEqual(queryOf({ search: "a" }, "a@x.example", false), { waitingOnly: true })
  })

  it("has a next and a previous lead within its ends", () => {
    const leads = [{ id: 7 }, { id: 3 }, { id: 5 }]
    assert.deepStrictEqual([beside(leads, 3, 1), beside(leads, 3, -1)], [5, 7])
    assert.deepStrictEqual([beside(leads, 5, 1), beside(leads, 7, -1)], [null, null])
    assert.deepStrictEqual([beside(leads, null, 1), beside(leads, 99, -1), beside([], 1, 1)], [7, 7, null])
  })
})

describe("saved replies", () => {
  const replies = [
    { id: "1", name: "Thanks", text: "Shipping was quick" },
    { id: "2", name: "Shipping", text: "Two days" },
    { id: "3", name: "Free shipping", text: "From 500" }
  ]
  it("are searched with a leading slash in a single line", () => {
    assert.deepStrictEqual(["/", "/ship", "a/b", "", "/a\nb"].map(askedFor), ["", "ship", null, null, null])
  })
  it("sort by prefix of the name, then name, then text", () => {
    assert.deepStrictEqual(
      matchingReplies(replies, " SHIP").map(({ id }) => id),
      ["2", "3", "1"]
    )
    assert.lengthOf(matchingReplies(replies, ""), 3)
    assert.lengthOf(matchingReplies(replies, "nothing"), 0)
  })
})

describe("a template as a reply", () => {
  const template = (more: Partial<Template>) =>
    ({ channel: "WHATSAPP", purpose: "MESSAGE", status: "APPROVED", whatsappName: "hello", ...more }) as Template
  it("is a message template that WhatsApp approved", () => {
    const all = [
      template({}),
      template({ status: "PENDING" }),
      template({ channel: "SMS", status: null }),
      template({ purpose: "CODE" }),
      template({ whatsappName: null })
    ]
    assert.deepStrictEqual(sendable(all), [all[0]!])
  })
  it("asks for each variable once and fills every occurrence", () => {
    const body = "Hi {{name}}, {{ brand }} thanks {{name}}"
    assert.deepStrictEqual(placesOf(body), ["name", "brand"])
    assert.deepStrictEqual(valuesFor(body, { name: " Asha ", brand: "Acme" }), ["Asha", "Acme", "Asha"])
    assert.strictEqual(filled(body, { name: "$&Asha" }), "Hi $&Asha, {{ brand }} thanks $&Asha")
    assert.deepStrictEqual([placesOf(null), valuesFor(null, {})], [[], []])
  })
})
