import { assert, describe, it } from "vitest"
import { detailsOf, type Message, momentInIndia, rowsOf, sameAgain } from "../../src/screens/inbox/conversation.ts"

const message = (more: Partial<Message>): Message => ({
  id: "msg_1",
  direction: "IN",
  type: "text",
  text: "Hi",
  media: null,
  status: null,
  error: null,
  sentBy: null,
  at: "2026-11-22T10:00:00.000Z",
  payload: null,
  location: null,
  details: null,
  template: null,
  forwarded: false,
  edited: false,
  deleted: false,
  reactions: { customer: null, merchant: null },
  ...more
})
const dayOf = (at: string) => at.slice(0, 10)

describe("the rows of a conversation", () => {
  it("start with the oldest, with a separator before each day", () => {
    const newestFirst = [
      message({ id: "c", at: "2026-11-22T09:00:00.000Z" }),
      message({ id: "b", at: "2026-11-21T23:00:00.000Z" }),
      message({ id: "a", at: "2026-11-21T01:00:00.000Z" })
    ]
    assert.deepStrictEqual(
      rowsOf(newestFirst, dayOf).map(({ key }) => key),
      ["day 2026-11-21", "a", "b", "day 2026-11-22", "c"]
    )
    assert.deepStrictEqual(rowsOf([], dayOf), [])
  })
})

describe("a payload from a customer's phone", () => {
  it("is an order or contact cards when it has their form", () => {
    const order = JSON.stringify({
      text: "Please wrap",
      product_items: [{ product_retailer_id: "K-1", quantity: 2, item_price: 1299, currency: "INR" }]
    })
    assert.deepStrictEqual(detailsOf({ type: "order", details: order }), {
      kind: "order",
      note: "Please wrap",
      items: [{ quantity: 2, name: "K-1", price: "1299 INR" }]
    })
    const cards = JSON.stringify([
      { name: { formatted_name: "Asha" }, phones: [{ phone: "+91 1" }, { phone: "+91 2" }] }
    ])
    assert.deepStrictEqual(detailsOf({ type: "contacts", details: cards }), {
      kind: "contacts",
      people: [{ name: "Asha", phones: "+91 1, +91 2" }]
    })
  })

  it("never throws", () => {
    const hostile = ["", "{", "null", "[]", "5", '{"product_items":{}}', '[{"name":5,"phones":"x"},null,[]]', '"x"']
    for (const details of hostile)
      for (const type of ["order", "contacts", "text"] as const) assert.isObject(detailsOf({ type, details }), details)
    assert.isNull(detailsOf({ type: "order", details: null }))
  })
})

describe("a reply", () => {
  it("is resent unchanged: its text, or its template with its values", () => {
    assert.deepStrictEqual(sameAgain(message({ direction: "OUT", text: "Yes" })), { text: "Yes" })
    const template = { name: "hello", language: "en", values: ["Asha"] }
    assert.deepStrictEqual(sameAgain(message({ direction: "OUT", text: null, template })), {
      template: "hello/en",
      values: ["Asha"]
    })
    assert.isNull(sameAgain(message({ direction: "IN" })))
    assert.isNull(sameAgain(message({ direction: "NOTE" })))
    // The caption alone would be another message.
    const media = { id: "1", type: "image/png", caption: "Yes", fileName: null, size: 1 }
    assert.isNull(sameAgain(message({ direction: "OUT", text: "Yes", media })))
  })
})

describe("the time of a lead's last message", () => {
  it("is India time without an offset", () => {
    assert.strictEqual(new Date(momentInIndia("2026-01-31T15:00:00.000")!).toISOString(), "2026-01-31T09:30:00.000Z")
    assert.isNull(momentInIndia(null))
  })
})
