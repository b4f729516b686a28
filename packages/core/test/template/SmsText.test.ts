import { assert, describe, it } from "@effect/vitest"
import { SmsText } from "../../src/index.ts"

const { measure, outsideGsm } = SmsText

const gsm = (units: number, segments: number) => ({ encoding: "GSM-7", units, segments })
const ucs = (units: number, segments: number) => ({ encoding: "UCS-2", units, segments })

describe("the length of an SMS text", () => {
  it("in the GSM alphabet is 160 in one segment, 153 in each of several", () => {
    assert.deepStrictEqual(measure(""), gsm(0, 1))
    assert.deepStrictEqual(measure("a".repeat(160)), gsm(160, 1))
    assert.deepStrictEqual(measure("a".repeat(161)), gsm(161, 2))
    assert.deepStrictEqual(measure("a".repeat(306)), gsm(306, 2))
    assert.deepStrictEqual(measure("a".repeat(307)), gsm(307, 3))
  })

  it("counts the characters of the extension table twice", () => {
    for (const character of "^{}\\[~]|€\f") assert.deepStrictEqual(measure(character), gsm(2, 1), character)
    assert.deepStrictEqual(measure("€".repeat(80)), gsm(160, 1))
    assert.deepStrictEqual(measure("€".repeat(81)), gsm(162, 2))
    assert.deepStrictEqual(measure(`${"a".repeat(159)}€`), gsm(161, 2))
  })

  it("does not split such a character between segments", () => {
    assert.deepStrictEqual(measure("€".repeat(153)), gsm(306, 3))
    assert.deepStrictEqual(measure(`${"a".repeat(152)}€${"a".repeat(152)}`), gsm(306, 3))
    assert.deepStrictEqual(measure(`${"a".repeat(151)}€${"a".repeat(153)}`), gsm(306, 2))
  })

  it("in every other script is 70 in one segment, 67 in each of several", () => {
    assert.deepStrictEqual(measure("क".repeat(70)), ucs(70, 1))
    assert.deepStrictEqual(measure("क".repeat(71)), ucs(71, 2))
    assert.deepStrictEqual(measure("क".repeat(134)), ucs(134, 2))
    assert.deepStrictEqual(measure("क".repeat(135)), ucs(135, 3))
    assert.deepStrictEqual(measure(`${"a".repeat(69)}ā`), ucs(70, 1))
    assert.deepStrictEqual(measure("🔐".repeat(35)), ucs(70, 1))
    assert.deepStrictEqual(measure("🔐".repeat(67)), ucs(134, 3))
  })

  it("reports each character outside of the GSM alphabet once", () => {
    assert.deepStrictEqual(outsideGsm("@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ!\"#¤%&'()*+,-./09:;<=>?¡AZÄÖÑÜ§¿azäöñüà"), [])
    assert.deepStrictEqual(outsideGsm("“ab“ – ç🔐🔐"), ["“", "–", "ç", "🔐"])
  })
})
