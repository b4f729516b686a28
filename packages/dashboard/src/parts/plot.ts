import "./anyLocale.ts"
import uPlot from "uplot"
import { shortDate, time } from "../words/format.ts"

export interface Line {
  readonly label: string
  readonly values: ReadonlyArray<number | null>
  /** The main line. The others are comparisons. */
  readonly main?: boolean
}

interface Drawing {
  readonly at: ReadonlyArray<string>
  readonly lines: ReadonlyArray<Line>
  readonly format: (value: number) => string
}

/** The least height. A screen may give the place more. */
const leastHeight = 168
/** Tick steps for counts: 1, 2, 5, 10 and so on, never fractions. */
const steps = Array.from({ length: 12 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat()
/** In seconds. From this step on, ticks are days. */
const day = 86_400

const heightOf = (element: HTMLElement) => Math.max(leastHeight, element.clientHeight)

/** Draws on a canvas in the current theme's colours, and again when the size or the theme changes. */
export const draw = (element: HTMLElement, { at, format: write, lines }: Drawing): { destroy(): void } => {
  const colour = (name: string) => getComputedStyle(element).getPropertyValue(name).trim()
  /** A canvas does not resolve `light-dark()`, so the colour is read from an element. */
  const resolved = (name: string) => {
    const probe = document.createElement("span")
    probe.style.color = `var(${name})`
    element.append(probe)
    const value = getComputedStyle(probe).color
    probe.remove()
    return value === "" ? colour(name) : value
  }
  const make = () => {
    const [accent, edge, line, quiet] = ["--accent", "--edge", "--line", "--quiet"].map(resolved)
    // In forced colours, a filled area would hide the lines.
    const fill = matchMedia("(forced-colors: active)").matches ? {} : { fill: line! }
    const font = `11px ${colour("--sans")}`
    const axis = { stroke: quiet!, font, grid: { stroke: line!, width: 1 }, ticks: { show: false } }
    return new uPlot(
      {
        width: element.clientWidth,
        height: heightOf(element),
        legend: { show: false },
        cursor: { drag: { x: false, y: false } },
        scales: { y: { range: (_, __, most) => [0, Math.max(1, most * 1.1)] } },
        axes: [
          {
            ...axis,
            size: 28,
            values: (_, ticks, __, ___, step) =>
              ticks.map((tick) => (step >= day ? shortDate : time)(new Date(tick * 1_000)))
          },
          {
            ...axis,
            size: 48,
            incrs: steps,
            values: (_, ticks) => ticks.map((tick) => (tick === null ? "" : write(tick)))
          }
        ],
        series: [
          {},
          ...lines.map(({ label, main }) => ({
            label,
            stroke: main ? accent! : edge!,
            width: main ? 2 : 1,
            ...(main ? {} : { dash: [4, 4], ...fill }),
            points: { show: false }
          }))
        ]
      },
      [at.map((moment) => Date.parse(moment) / 1_000), ...lines.map(({ values }) => [...values])],
      element
    )
  }
  let plot = make()
  const again = () => {
    plot.destroy()
    plot = make()
  }
  const room = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: heightOf(element) }))
  room.observe(element)
  const dark = matchMedia("(prefers-color-scheme: dark)")
  dark.addEventListener("change", again)
  const theme = new MutationObserver(again)
  theme.observe(document.documentElement, { attributeFilter: ["data-theme"] })
  return {
    destroy() {
      room.disconnect()
      dark.removeEventListener("change", again)
      theme.disconnect()
      plot.destroy()
    }
  }
}
