import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"

const tokens = readFileSync(new URL("../../src/style/tokens.css", import.meta.url), "utf8")
const pairOf = (name: string): readonly [string, string] => {
  const [, light, dark] = new RegExp(`--${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\)`).exec(tokens) ?? []
  assert.isDefined(dark, name)
  return [light!, dark!]
}
type Rgb = readonly [number, number, number]
const rgb = (hex: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb
const mix = (a: Rgb, b: Rgb, share: number): Rgb =>
  a.map((one, n) => one * share + b[n]! * (1 - share)) as unknown as Rgb
const luminance = (colour: Rgb): number => {
  const [r, g, b] = colour.map((value) => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!
}
const contrast = (a: Rgb, b: Rgb): number => {
  const [high, low] = [luminance(a), luminance(b)].toSorted((x, y) => y - x)
  return (high! + 0.05) / (low! + 0.05)
}
const names = ["grey", "red", "orange", "yellow", "green", "teal", "blue", "purple"]

describe("the colours of labels", () => {
  it("can be read on their own ground in light and dark", () => {
    const cards = pairOf("card").map(rgb)
    for (const name of names)
      for (const [at, hex] of pairOf(`label-${name}`).entries()) {
        const ink = rgb(hex)
        const ratio = contrast(ink, mix(ink, cards[at]!, 0.12))
        assert.isAtLeast(ratio, 4.5, `${name} ${at === 0 ? "light" : "dark"}`)
      }
  })
  it("differ from each other in light and dark", () => {
    for (const at of [0, 1]) assert.lengthOf(new Set(names.map((name) => pairOf(`label-${name}`)[at])), names.length)
  })
})
