import { useLayoutEffect, useRef, useState } from "preact/hooks"
import { say } from "../words/say.ts"
import { Button } from "./Button.tsx"
import { Table } from "./Table.tsx"
import { Time } from "./Time.tsx"
import { count } from "../words/format.ts"
import type { Line } from "./plot.ts"

interface Props {
  readonly caption: string
  /** Timestamps of the values, in the service's format. */
  readonly at: ReadonlyArray<string>
  readonly lines: ReadonlyArray<Line>
  readonly format?: (value: number) => string
}

const [dayLong, hours25] = [23 * 3_600_000, 25 * 3_600_000]

/** Whether rows show the day, the time, or both. */
const asOf = (at: ReadonlyArray<string>) => {
  const [first = 0, second = 0, last = 0] = [at[0], at[1], at.at(-1)].map((moment) => Date.parse(moment ?? ""))
  if (second - first >= dayLong) return "date"
  return last - first < hours25 ? "time" : "exact"
}

/** A line chart, with the same values as a table for screen readers and on request. */
export function Chart({ at, caption, format = count, lines }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const [asTable, setAsTable] = useState(false)
  const shown = !asTable
  useLayoutEffect(() => {
    const element = place.current
    if (element === null || !shown || at.length === 0) return
    let isGone = false
    let plot: { destroy(): void } | undefined
    // If the chart fails to load, or does not support the browser's language, the table remains.
    import("./plot.ts").then(
      ({ draw }) => {
        if (!isGone) plot = draw(element, { at, format, lines })
      },
      () => setAsTable(true)
    )
    return () => {
      isGone = true
      plot?.destroy()
    }
  }, [shown, at, lines])
  const rows = at.map((moment, index) => ({ moment, values: lines.map(({ values }) => values[index] ?? null) }))
  return (
    <figure class="chart">
      {/* Screen readers always get the table. */}
      <div class={asTable ? undefined : "unseen"}>
        <Table
          caption={caption}
          isUnseen={!asTable}
          rows={rows}
          id={({ moment }) => moment}
          columns={[
            { title: say.when, names: true, cell: ({ moment }) => <Time at={moment} as={asOf(at)} /> },
            ...lines.map(({ label }, index) => ({
              title: label,
              number: true,
              cell: ({ values }: { readonly values: ReadonlyArray<number | null> }) => {
                const value = values[index]
                return value == null ? "–" : format(value)
              }
            }))
          ]}
        />
      </div>
      {shown ? <div ref={place} class="chart-plot" aria-hidden="true" /> : null}
      <figcaption>
        {shown
          ? lines.map(({ label, main }) => (
              <span key={label} class="chart-line" data-main={main || undefined}>
                {label}
              </span>
            ))
          : null}
        <Button kind="quiet" pressed={asTable} onPress={() => setAsTable(!asTable)}>
          {say.asTable}
        </Button>
      </figcaption>
    </figure>
  )
}
