import { assert, describe, it } from "vitest"
import { beside, queryOf } from "../../src/screens/inbox/filters.ts"
import { askedFor, matchingReplies } from "../../src/screens/inbox/savedReplies.ts"
import { filled, placesOf, type Template, sendable, valuesFor } from "../../src/screens/inbox/templateChoice.ts"

describe("the query of the lead list", () => {
  const labels = [
    { id: "lbl_1", name: "VIP" },
    { id: "lbl_2", name: "Refund" },
    { id: "lbl_3", name: "Repair" }
  ]
  const around = { email: "a@x.example", isMasked: false, labels: () => labels }
  it("by a label wait for the labels, and ignore one that was removed", () => {
    assert.deepStrictEqual(queryOf({ label: "lbl_2" }, around), { waitingOnly: true, label: "lbl_2" })
    assert.deepStrictEqual(queryOf({ label: "lbl_9", view: "all" }, around), { status: "OPEN" })
    assert.isNull(queryOf({ label: "lbl_2" }, { ...around, labels: () => null }))
    assert.isNull(queryOf({ search: "label:vip" }, { ...around, labels: () => null }))
    assert.deepStrictEqual(queryOf({ search: "vip" }, { ...around, labels: () => null }), { search: "vip", limit: 100 })
  })
  it("by a search for label: are by the label with that name, or the only one that starts so", () => {
    for (const search of ["label:vip", "Label: VIP ", 'label:"v"'])
      assert.deepStrictEqual(queryOf({ search, view: "mine" }, around), { label: "lbl_1" })
    assert.deepStrictEqual(queryOf({ search: "label:ref" }, around), { label: "lbl_2" })
    for (const search of ["label:", "label:re", "label:none"])
      assert.deepStrictEqual(queryOf({ search }, around), { waitingOnly: true })
  })
  it("is for the waiting leads by default, and each view asks for its own", () => {
    assert.deepStrictEqual(queryOf({}, around), { waitingOnly: true })
    assert.deepStrictEqual(queryOf({ team: "Sales" }, around), { waitingOnly: true, team: "Sales" })
    assert.deepStrictEqual(queryOf({ view: "snoozed", status: "any" }, around), { snoozedOnly: true })
    assert.deepStrictEqual(queryOf({ view: "all" }, around), { status: "OPEN" })
    assert.deepStrictEqual(queryOf({ view: "mine", status: "any" }, around), {
      assignedTo: "a@x.example"
    })
    assert.deepStrictEqual(queryOf({ view: "unassigned", status: "closed", team: "Sales" }, around), {
      status: "CLOSED",
      unassignedOnly: true,
      team: "Sales"
    })
  })

  it("is only the search once it has two letters", () => {
    assert.deepStrictEqual(queryOf({ search: " as ", view: "mine" }, around), {
      search: "as",
      limit: 100
    })
    assert.deepStrictEqual(queryOf({ search: "a" }, around), { waitingOnly: true })
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
