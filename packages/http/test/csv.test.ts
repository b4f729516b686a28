import { assert, describe, it } from "vitest"
import { csvLine, prefersCsv } from "../src/csv/csv.ts"

describe("a row of CSV", () => {
  it("quotes values that would end a cell, and writes empty values as empty cells", () => {
    assert.strictEqual(csvLine(["a", 'b"c', "d,e", "f\r\ng", null, 0]), 'a,"b""c","d,e","f\r\ng",,0\r\n')
    assert.strictEqual(csvLine([]), "\r\n")
  })

  it("never gives a spreadsheet a formula, and writes numbers as numbers", () => {
    for (const text of ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", " =1", "＝1", "-"]) {
      const [cell = ""] = csvLine([text]).split(/\r\n$/)
      assert.strictEqual(cell.replace(/^"|"$/g, ""), `'${text}`, JSON.stringify(text))
    }
    assert.strictEqual(csvLine([-25, -0.5, "a-1", "1=1", "'=1"]), "-25,-0.5,a-1,1=1,'=1\r\n")
  })
})

it("CSV is sent only to clients that accept text/csv and do not prefer JSON", () => {
  for (const accept of [
    "text/csv",
    "TEXT/CSV; charset=utf-8",
    "application/json;q=0.9,text/csv",
    "text/csv,application/json"
  ])
    assert.isTrue(prefersCsv(accept), accept)
  for (const accept of [null, "", "*/*", "text/*", "text/csv;q=0", "text/csv;q=x", "text/csv;q=0.1, application/json"])
    assert.isFalse(prefersCsv(accept), String(accept))
})
