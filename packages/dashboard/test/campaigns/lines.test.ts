import { assert, describe, it } from "vitest"
import { badLines, corrected, linesOf, wrongIn } from "../../src/screens/campaigns/lines.ts"
import { csvOf } from "../../src/words/csv.ts"

const csv = [
  "phone,name,city",
  "98123,Asha,Pune",
  '"919876543211","Rao, ""V""\r\nJr",Goa',
  "",
  "919876543212,Ravi",
  "919876543213,Kiran,Delhi,x",
  ""
].join("\r\n")

const at = (line: number, column: string | null) => ({ line, column, problem: "is wrong" })

describe("the lines of a list", () => {
  it("have the numbers of the file, with its empty lines and its line breaks inside cells", () => {
    assert.deepStrictEqual(
      [...linesOf(csv)].map(({ cells, line }) => [line, cells[0]?.value]),
      [
        [1, "phone"],
        [2, "98123"],
        [3, "919876543211"],
        [6, "919876543212"],
        [7, "919876543213"]
      ]
    )
    assert.deepStrictEqual(
      [...linesOf("\uFEFFsep=;\nphone;name\n\n1;a\n")].map(({ line }) => line),
      [2, 4]
    )
  })

  it("show the cell that is wrong, or the whole line, and can be corrected there", () => {
    const problems = [at(2, "Phone"), at(6, "city"), at(7, null), at(3, "name"), at(1, null), at(6, "zip")]
    const [phone, city, whole, broken, header, unknown] = wrongIn(csv, problems)
    assert.deepStrictEqual([phone?.text, city?.text, whole?.text], ["98123", "", "919876543213,Kiran,Delhi,x"])
    assert.deepStrictEqual([broken, header, unknown], [null, null, null])
    const right = corrected(csv, [
      [phone!, "+919812345678"],
      [city!, "Navi, Mumbai"],
      [whole!, "919876543213,Kiran,Delhi"]
    ])
    assert.strictEqual(
      right,
      csv.replace("98123,", "+919812345678,").replace("212,Ravi", '212,Ravi,"Navi, Mumbai"').replace("Delhi,x", "Delhi")
    )
  })

  it("are corrected in a line that lacks two cells", () => {
    const list = "phone;name;city\n1\n2;b;c\n"
    const [name, city] = wrongIn(list, [at(2, "name"), at(2, "city")])
    assert.strictEqual(corrected(list, [[city!, "Goa"]]), "phone;name;city\n1;;Goa\n2;b;c\n")
    assert.strictEqual(corrected(list, [[name!, "Asha"]]), "phone;name;city\n1;Asha\n2;b;c\n")
    const both = corrected(list, [
      [name!, "Asha"],
      [city!, "Goa"]
    ])
    assert.strictEqual(both, "phone;name;city\n1;Asha;Goa\n2;b;c\n")
  })

  it("with problems are a file that can be corrected and uploaded, and no cell of it is a formula", () => {
    const list = "phone,name\n98123,=HYPERLINK(x)\n+91981,\n+919876543210,Asha\n"
    const rows = badLines(list, [at(2, "phone"), at(3, "phone"), { line: 3, column: "name", problem: "is empty" }])
    assert.strictEqual(
      csvOf(rows),
      'line,reason,phone,name\r\n2,phone is wrong,98123,"\'=HYPERLINK(x)"\r\n3,"phone is wrong; name is empty",+91981,\r\n'
    )
    assert.strictEqual(
      csvOf([["-1+1", "+91 98", "@x", "\t=1", 'a"b,c']]),
      '"\'-1+1",+91 98,"\'@x","\'\t=1","a""b,c"\r\n'
    )
  })

  it("of five megabytes are read within a moment", () => {
    const long = `phone\n${"919876543210\n".repeat(380_000)}x\n`
    assert.strictEqual(wrongIn(long, [at(380_002, "phone")])[0]?.text, "x")
  })
})
