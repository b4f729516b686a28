import { assert, describe, it } from "vitest"
import { glance } from "../../src/screens/campaigns/glance.ts"

describe("a glance at a list", () => {
  it("finds the columns and the first recipient with any delimiter", () => {
    for (const [delimiter, sep] of [
      [",", ""],
      [";", ""],
      ["\t", ""],
      ["|", "sep=|\r\n"]
    ] as const) {
      const csv = `\uFEFF${sep}${["phone", '"First Name"', "note"].join(delimiter)}\r\n${["+91 98765", '"Rao, ""V"""', '"two\nlines"'].join(delimiter)}\r\n+91,B,C\r\n`
      const { columns, first } = glance(csv)
      assert.deepStrictEqual(columns, ["phone", "First Name", "note"], delimiter)
      assert.deepStrictEqual(first, { phone: "+91 98765", first_name: 'Rao, "V"', note: "two\nlines" }, delimiter)
    }
  })

  it("counts recipients without the header and empty lines, and bytes rather than characters", () => {
    assert.deepInclude(glance("phone\n\n+91\r\n नमस्ते \n"), { recipients: 2, bytes: 33 })
    assert.strictEqual(glance("sep=;\nphone;name\n+91;Asha\n").recipients, 1)
    assert.deepStrictEqual(glance(""), { bytes: 0, recipients: 0, columns: [], first: {} })
  })

  it("reads only the beginning, so five megabytes on one line take no longer", () => {
    const { columns } = glance(`phone,${"x".repeat(5_000_000)}`)
    assert.strictEqual(columns[0], "phone")
    assert.strictEqual(glance('phone\n"never closed').first["phone"], "never closed")
  })
})
