import { assert, describe, it } from "@effect/vitest"
import { cards, contrast, lookOf, readableContrast } from "../../src/account/merchant/brandLook.ts"

/** Every sixteenth value of red, green and blue, and the greys around the limit of readable white. */
const steps = Array.from({ length: 16 }, (_, step) => (step * 17).toString(16).padStart(2, "0"))
const colours = [
  "#767676",
  "#777777",
  ...steps.flatMap((red) => steps.flatMap((green) => steps.map((blue) => `#${red}${green}${blue}`)))
]

describe("the contrast of two colours", () => {
  // The ratios that WCAG's own formula gives, to two digits.
  it.each([
    ["#000000", "#ffffff", 21],
    ["#ffffff", "#ffffff", 1],
    ["#767676", "#ffffff", 4.54],
    ["#777777", "#ffffff", 4.48],
    ["#ff0000", "#ffffff", 4],
    ["#0000ff", "#ffffff", 8.59],
    ["#ffff00", "#000000", 19.56]
  ])("%s on %s is %d", (one, other, ratio) => {
    assert.closeTo(contrast(one, other), ratio, 0.005)
    assert.strictEqual(contrast(one, other), contrast(other, one))
  })
})

describe("the look of a brand colour", () => {
  it("has readable text in light and dark, whatever the colour", () => {
    for (const brandColor of colours) {
      const look = lookOf(brandColor)
      for (const mode of ["light", "dark"] as const) {
        const { fill, on, soft, text } = look[mode]
        const lowest = Math.min(contrast(on, fill), contrast(text, cards[mode]), contrast(text, soft))
        const isWhole = fill === brandColor && [on, soft, text].every((each) => /^#[0-9a-f]{6}$/.test(each))
        if (lowest < readableContrast || !isWhole) assert.fail(`${brandColor} in ${mode}: ${JSON.stringify(look)}`)
      }
    }
  })

  it("keeps a colour that is readable, and changes only its text where it is not", () => {
    assert.strictEqual(lookOf("#0F766E").light.text, "#0f766e")
    const yellow = lookOf("#ffd600").light
    assert.deepStrictEqual([yellow.fill, yellow.on], ["#ffd600", "#000000"])
    assert.notStrictEqual(yellow.text, "#ffd600")
  })

  it("is readable without a brand colour", () => {
    for (const mode of ["light", "dark"] as const) {
      const { fill, on, soft, text } = lookOf(null)[mode]
      assert.isAtLeast(contrast(on, fill), readableContrast)
      for (const ground of [soft, cards[mode]]) assert.isAtLeast(contrast(text, ground), readableContrast)
    }
  })
})
