import { useLayoutEffect, useRef, useState } from "preact/hooks"
import { say } from "../words/say.ts"
import { Button } from "./Button.tsx"
import { Table } from "./Table.tsx"
import { Time } from "./Time.tsx"
import { count } from "../words/format.ts"

export interface Line {
  readonly label: string
  readonly values: ReadonlyArray<number | null>
  /** The one that is looked at; the others are what it is compared to. */
  readonly main?: boolean
}

interface Props {
  readonly caption: string
  /** When each value was, as the service writes it. */
  readonly at: ReadonlyArray<string>
  readonly lines: ReadonlyArray<Line>
  readonly format?: (value: number) => string
}

const [dayLong, hours25] = [23 * 3_600_000, 25 * 3_600_000]

/** How a row says when it is: its day, its time where the day is plain, or both. */
const asOf = (at: ReadonlyArray<string>) => {
  const [first = 0, second = 0, last = 0] = [at[0], at[1], at.at(-1)].map((moment) => Date.parse(moment ?? ""))
  if (second - first >= dayLong) return "date"
  return last - first < hours25 ? "time" : "exact"
}

/** Lines over time. Whoever cannot see them, or would rather read, has the same as a table. */
export function Chart({ at, caption, format = count, lines }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const [asTable, setAsTable] = useState(false)
  const shown = !asTable
  useLayoutEffect(() => {
    const element = place.current
    if (element === null || !shown || at.length === 0) return
    let isGone = false
    let plot: { destroy(): void } | undefined
    // What does not come, or does not know the browser's language, leaves the table.
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
      {/* A screen reader has the table in any case. */}
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
