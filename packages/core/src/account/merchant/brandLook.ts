/**
 * The colours of a page or an e-mail in a merchant's colour, by WCAG 2.2. The dashboard previews them too, so this file
 * imports nothing.
 */

/** The colours of one mode, each `#rrggbb`. */
export interface BrandTones {
  /** The background of buttons: the merchant's own colour. */
  readonly fill: string
  /** The text on `fill`. */
  readonly on: string
  /** The text of links and the border of buttons, on `card` and on `soft`. */
  readonly text: string
  /** A hint of the colour on `card`. */
  readonly soft: string
}

export interface BrandLook {
  readonly light: BrandTones
  readonly dark: BrandTones
}

/** The lowest contrast of text that WCAG allows (1.4.3, AA). */
export const readableContrast = 4.5

/** The backgrounds that `text` is readable on, besides `soft`. */
export const cards = { light: "#ffffff", dark: "#161f1d" } as const

/** The look without a brand colour: the colours of the dashboard. */
const own: BrandLook = {
  light: { fill: "#0f766e", on: "#ffffff", text: "#0f766e", soft: "#e6f2f0" },
  dark: { fill: "#2dd4bf", on: "#06201c", text: "#2dd4bf", soft: "#12332e" }
}

type Channels = readonly [red: number, green: number, blue: number]

const channelsOf = (colour: string): Channels => {
  const at = (index: number) => Number.parseInt(colour.slice(index, index + 2), 16)
  return [at(1), at(3), at(5)]
}

const written = (channels: Channels): string =>
  `#${channels.map((value) => Math.round(value).toString(16).padStart(2, "0")).join("")}`

/** Mixes a share of `other` into a colour. */
const mixed = (colour: string, other: string, share: number): string => {
  const [from, to] = [channelsOf(colour), channelsOf(other)]
  const at = (index: 0 | 1 | 2) => from[index] + (to[index] - from[index]) * share
  return written([at(0), at(1), at(2)])
}

const linear = (value: number): number => {
  const share = value / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

const luminance = (colour: string): number => {
  const [red, green, blue] = channelsOf(colour)
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

/** The contrast of two colours, from 1 to 21. */
export const contrast = (one: string, other: string): number => {
  const [low, high] = [luminance(one), luminance(other)].toSorted((a, b) => a - b) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

/** White where it is readable on the colour. Otherwise black, which then is: their contrasts multiply to 21. */
const textOn = (fill: string): string => (contrast("#ffffff", fill) >= readableContrast ? "#ffffff" : "#000000")

const steps = 32

/** The colour, moved towards `towards` in small steps until it is readable on all backgrounds. */
const readableOn = (colour: string, backgrounds: ReadonlyArray<string>, towards: string): string => {
  const candidates = Array.from({ length: steps + 1 }, (_, step) => mixed(colour, towards, step / steps))
  const isReadable = (candidate: string) =>
    backgrounds.every((background) => contrast(candidate, background) >= readableContrast)
  return candidates.find(isReadable) ?? towards
}

const tonesOn = (colour: string, card: string, towards: string): BrandTones => {
  const soft = mixed(card, colour, 0.1)
  return { fill: colour, on: textOn(colour), soft, text: readableOn(colour, [card, soft], towards) }
}

/**
 * The look of a brand colour. Any `#rrggbb` works: buttons keep the colour and get a readable text, and text in the
 * colour is darkened or lightened until it is readable. Null is the look without a brand colour.
 */
export const lookOf = (brandColor: string | null): BrandLook => {
  if (brandColor === null) return own
  const colour = brandColor.toLowerCase()
  return { light: tonesOn(colour, cards.light, "#000000"), dark: tonesOn(colour, cards.dark, "#ffffff") }
}
