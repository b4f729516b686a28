import { assert, describe, it } from "@effect/vitest"
import { recipient as recipients } from "../src/campaignTables.ts"
import { message as messages } from "../src/leadTables.ts"

const at = 1_800_000_000_000

const messageRow = (state: object) => ["env", "msg_1", 1, 1, "MESSAGE", new Date(at), null, null, JSON.stringify(state)]
const recipientRow = (state: object) => ["env", "cmp_1", 1, 1, "+91", null, "FAILED", null, JSON.stringify(state)]

describe("delivery rows written by an older server", () => {
  it("a reply that an older server marked as sent stays marked, with its error", () => {
    const reply = messages.decode(
      messageRow({ direction: "OUT", status: "FAILED", handedOver: true, error: "unanswered" })
    )
    assert.deepInclude(reply, { handedAt: at, providerCode: "unanswered", status: "FAILED" })
    const waiting = messages.decode(messageRow({ direction: "OUT", status: "PENDING", handedOver: false, error: null }))
    assert.deepInclude(waiting, { handedAt: null, providerCode: null })
    assert.notProperty(waiting, "handedOver")
  })

  it("a reply is written so that an older server sees its mark and its error", () => {
    const reply = messages.decode(messageRow({ status: "PENDING", handedOver: false, error: null }))
    const written = (handedAt: number | null) =>
      JSON.parse(messages.encode({ ...reply, handedAt, providerCode: "21211" }).at(-1) as string) as object
    assert.deepStrictEqual(written(null), { status: "PENDING", handedOver: false, error: "21211" })
    assert.deepStrictEqual(written(at), { status: "PENDING", handedOver: true, handedAt: at, error: "21211" })
  })

  it("a recipient keeps its provider code under the old name", () => {
    const state = { values: ["Asha"], tries: 2, price: null, problem: "outcome_unknown" }
    const recipient = recipients.decode(recipientRow(state))
    assert.deepInclude(recipient, { tries: 2, providerCode: "outcome_unknown", price: null })
    assert.notProperty(recipient, "problem")
    assert.deepStrictEqual(JSON.parse(recipients.encode(recipient).at(-1) as string), state)
  })
})
