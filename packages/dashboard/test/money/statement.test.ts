import { assert, describe, it } from "vitest"
import { entryFor, shortId } from "../../src/screens/money/entryOf.ts"
import { type Statement, statementRows } from "../../src/screens/money/statementRows.ts"
import { mainUnit } from "../../src/words/amount.ts"
import { csvOf } from "../../src/words/csv.ts"

const statement: Statement = {
  month: "2026-11",
  from: "2026-10-31T18:30:00.000Z",
  to: "2026-11-30T18:30:00.000Z",
  currency: "INR",
  opening: -5,
  closing: 99_960,
  lines: [
    { kind: "TOP_UP", channel: null, use: null, count: 1, amount: 100_000 },
    { kind: "SEND", channel: "SMS", use: "VERIFICATION", count: 2, amount: -40 },
    { kind: "REFUND", channel: "SMS", use: "VERIFICATION", count: 1, amount: 5 }
  ]
}

describe("a statement as CSV", () => {
  it("has exact amounts in the main unit, from the opening to the closing balance", () => {
    assert.strictEqual(
      csvOf(statementRows(statement)),
      [
        "month,kind,channel,use,count,amount,currency",
        "2026-11,OPENING_BALANCE,,,,-0.05,INR",
        "2026-11,TOP_UP,,,1,1000.00,INR",
        "2026-11,SEND,SMS,VERIFICATION,2,-0.40,INR",
        "2026-11,REFUND,SMS,VERIFICATION,1,0.05,INR",
        "2026-11,CLOSING_BALANCE,,,,999.60,INR",
        ""
      ].join("\r\n")
    )
    const cents = statementRows(statement)
      .slice(1, -1)
      .reduce((sum, row) => sum + Number(String(row[5]).replace(".", "")), 0)
    assert.strictEqual(cents, statement.closing)
  })

  it("keeps every digit of large amounts, and writes currencies without decimals whole", () => {
    assert.deepStrictEqual(
      [mainUnit(9_000_000_000_000_001, "INR"), mainUnit(-1, "INR"), mainUnit(0, "INR"), mainUnit(-1_200, "JPY")],
      ["90000000000000.01", "-0.01", "0.00", "-1200"]
    )
  })
})

describe("a row of the ledger", () => {
  it("names what it was for, and hides references that nobody wrote", () => {
    const of = (kind: "SEND" | "TOP_UP" | "CORRECTION", reference: string | null, requestId: string | null = null) =>
      entryFor({ kind, reference, requestId })
    const request = "ver_01kaj3v9c0q5w8xn2rz7t4m6hd"
    assert.deepStrictEqual(of("SEND", request, request), { of: "verification", id: request })
    assert.deepStrictEqual(of("SEND", "cmp_1"), { of: "campaign", id: "cmp_1" })
    assert.deepStrictEqual(of("SEND", "msg_1"), { of: "message", id: "msg_1" })
    assert.deepStrictEqual(of("TOP_UP", "pay_29QQ"), { of: "payment", text: "pay_29QQ" })
    const made = "9b2f5c1e-6f0a-4d0b-9a53-0d5c3f1e7a11"
    assert.deepStrictEqual(of("TOP_UP", made), { of: "nothing", id: made })
    assert.deepStrictEqual(of("CORRECTION", "wrong price"), { of: "reason", text: "wrong price" })
    assert.strictEqual(shortId(request), "…t4m6hd")
  })
})
