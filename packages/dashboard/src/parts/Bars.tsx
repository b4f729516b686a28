import type { ComponentChildren } from "preact"
import { count, percent } from "../words/format.ts"

export interface Bar {
  readonly label: string
  readonly value: number
  /** Comparison value, drawn as a dashed line on the same scale. */
  readonly before?: number | undefined
  /** Base of the percentage, when it is not the whole. */
  readonly of?: number
  /** Text after the value, such as its change. */
  readonly note?: ComponentChildren
}

/** Shares of a whole as bars. Screen readers get a list with each value. */
export function Bars({
  bars,
  whole,
  wholeBefore
}: {
  readonly bars: ReadonlyArray<Bar>
  readonly whole: number
  readonly wholeBefore?: number
}) {
  return (
    <ul role="list" class="bars">
      {bars.map(({ before, label, note, of = whole, value }) => (
        <li key={label}>
          <span>{label}</span>
          <span
            class="bar"
            aria-hidden="true"
            style={{
              "--share": whole === 0 ? 0 : Math.min(1, value / whole),
              "--before": before === undefined || !wholeBefore ? undefined : Math.min(1, before / wholeBefore)
            }}
            data-before={(before !== undefined && Boolean(wholeBefore)) || undefined}
          />
          <span class="number">
            {count(value)} {value === of ? null : <span class="quiet">{percent(value, of)}</span>}
          </span>
          {note === undefined ? null : <span class="quiet">{note}</span>}
        </li>
      ))}
    </ul>
  )
}
