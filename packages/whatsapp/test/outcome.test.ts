import { assert, describe, it } from "@effect/vitest"
import { errorTable } from "../src/ErrorTable.ts"
import { outcomeOf } from "../src/outcome.ts"

type Row = readonly [codes: ReadonlyArray<number>, tag: string, because: string | undefined, template?: string]

const to299 = Array.from({ length: 100 }, (_, n) => 200 + n)

/** Meta's error table, written a second time from its documentation. */
const rows: ReadonlyArray<Row> = [
  [[0, 3, 10, 33, 100, 190, 368, 130497, 131005, 131009, 131030, 131031, 131037, 131042], "Refused", "account"],
  [[131045, 133006, 133010, 134011, 135000, ...to299], "Refused", "account"],
  [[131021], "Refused", "recipient"],
  [[131051, 131052, 131053], "Refused", "content"],
  [[131026, 131047, 131049, 130472, 131062], "Refused", "channel"],
  [[1, 2, 131000, 131016, 131057, 131064, 133004, 133016, 2494100], "Unavailable", undefined],
  [[131050], "Refused", "opted_out"],
  [[4, 80007, 130429, 131048], "Unavailable", "limit"],
  [[131056], "Unavailable", "recipient"],
  [[132001], "Refused", "template", "NOT_FOUND"],
  [[132000, 131008], "Refused", "template", "INCOMPLETE"],
  [[132005, 132007, 132012, 132015, 132016, 132018, 132068, 132069], "Refused", "template", "INVALID"]
]

/** The outcome of an answer, as plain data. */
const answered = (status: number, body: unknown, retryAfterSeconds: number | null = null) => {
  const { result } = outcomeOf({ _tag: "Answered", status, body, retryAfterSeconds })
  const fields: { readonly [field: string]: unknown } = Object.fromEntries(Object.entries(result))
  return fields
}

const error = (code: unknown, more: object = {}) => ({
  error: { message: "secret words", type: "OAuthException", code, ...more }
})

describe("the mapping of Meta's errors", () => {
  for (const [codes, tag, because, template] of rows) {
    for (const code of codes) {
      it(`${code}: ${tag} ${because ?? ""} ${template ?? ""}`, () => {
        // The HTTP status does not matter here.
        for (const status of [200, 400, 401, 404, 429, 500]) {
          const reason = answered(status, error(code))
          assert.strictEqual(reason["_tag"], tag)
          assert.strictEqual(reason["providerCode"], String(code))
          assert.strictEqual(reason["because"], because)
          assert.strictEqual(reason["template"], template)
        }
      })
    }
  }

  it("covers every row of the table", () => {
    const here = new Set(rows.flatMap(([codes]) => codes))
    assert.deepStrictEqual(
      [...errorTable.keys()].filter((code) => !here.has(code)),
      []
    )
  })

  it("maps 132018 to INCOMPLETE if its details say that a part is missing", () => {
    const details = (text: string) => answered(400, error(132018, { error_data: { details: text } }))
    for (const text of [
      "Button parameter is missing",
      "body: required parameter",
      "The expected number of params is 1"
    ]) {
      assert.include(details(text), { template: "INCOMPLETE" })
    }
    for (const text of ["Param text cannot have new-line/tab characters", ""]) {
      assert.include(details(text), { template: "INVALID" })
    }
    assert.include(answered(400, error(132018, { error_data: null })), { template: "INVALID" })
  })

  it("reports the state of the sender number", () => {
    const lessonOf = (code: number) =>
      outcomeOf({ _tag: "Answered", status: 400, body: error(code), retryAfterSeconds: null }).lesson
    assert.deepStrictEqual([131048, 130429, 133010, 190, 131000, 131056, 131026, 132001].map(lessonOf), [
      "spam",
      "rate",
      "down",
      "token",
      "stumbled",
      "fine",
      "fine",
      "fine"
    ])
  })

  it("keeps the wait that Meta requests", () => {
    assert.include(answered(429, error(130429), 12), { retryAfterSeconds: 12 })
    assert.include(answered(400, error(131056)), { retryAfterSeconds: 6 })
    assert.include(answered(400, error(131056), 64), { retryAfterSeconds: 64 })
    assert.notProperty(answered(500, error(131000)), "retryAfterSeconds")
  })
})

describe("the mapping of other answers", () => {
  const tagOf = (status: number, body: unknown) => {
    const reason = answered(status, body)
    return `${String(reason["_tag"])} ${String(reason["providerCode"])}`
  }

  it("uses the status if there is no code", () => {
    for (const status of [408, 429, 500, 502, 503, 504]) {
      const tag = status === 429 || status === 503 ? "Unavailable" : "OutcomeUnknown"
      assert.strictEqual(tagOf(status, undefined), `${tag} http_${status}`)
      assert.strictEqual(tagOf(status, error("131026")), `${tag} http_${status}`)
    }
    for (const status of [301, 302, 307, 400, 401, 403, 404, 413]) {
      assert.strictEqual(tagOf(status, undefined), `Refused http_${status}`)
      assert.strictEqual(tagOf(status, { error: null }), `Refused http_${status}`)
    }
  })

  it("maps a success without a message id to OutcomeUnknown", () => {
    const bodies = [
      undefined,
      null,
      "yes",
      [],
      {},
      { messages: [] },
      { messages: {} },
      { messages: [{}] },
      { messages: [{ id: 1 }] },
      { messages: [{ id: "" }] },
      { messages: [{ id: "w".repeat(513) }] },
      { error: { code: 1.5 } },
      { error: "no" }
    ]
    for (const body of bodies) assert.strictEqual(tagOf(200, body), "OutcomeUnknown http_200")
  })

  it("accepts a success with additional or missing fields", () => {
    assert.deepStrictEqual(answered(200, { messages: [{ id: "wamid.1" }] }), { providerId: "wamid.1" })
    const held = {
      messaging_product: "whatsapp",
      messages: [{ id: "wamid.2", message_status: "held_for_quality_assessment" }],
      new: 1
    }
    assert.deepStrictEqual(answered(202, held), { providerId: "wamid.2" })
  })
})
