import { useMemo } from "preact/hooks"
import { setFilters } from "../../address/useFilters.ts"
import { Card } from "../../parts/Card.tsx"
import { Choice } from "../../parts/Choice.tsx"
import { type Column, Table } from "../../parts/Table.tsx"
import { count, date, percent, worth } from "../../words/format.ts"
import { filters } from "./filters.ts"
import { type By, bys, type Counted, midnightOf, type Reported, type Sort, sorted, type Sum, sumsOf } from "./sums.ts"
import { say } from "./words.ts"

function Part({ text }: { readonly text: string | null }) {
  return text === null ? <span class="quiet">{say.notSet}</span> : <span class="theirs">{text}</span>
}

function Name({ by, sum }: { readonly by: By; readonly sum: Sum }) {
  if (sum.id === "total") return <>{say.all}</>
  switch (by) {
    case "day":
      return <>{sum.day === null ? null : date(midnightOf(sum.day))}</>
    case "source":
      return <Part text={sum.source} />
    case "medium":
      return <Part text={sum.medium} />
    case "campaign":
      // Source, medium and campaign are all unset: show that once.
      return sum.source === null && sum.medium === null && sum.campaign === null ? (
        <Part text={null} />
      ) : (
        <span class="origin">
          <Part text={sum.source} />
          <Part text={sum.medium} />
          <Part text={sum.campaign} />
        </span>
      )
  }
}

const counting = (name: Counted, drop?: 1 | 2): Column<Sum> => ({
  title: say[name],
  number: true,
  sort: name,
  ...(drop === undefined ? {} : { drop }),
  cell: (sum) => count(sum[name])
})

const columnsOf = (by: By): ReadonlyArray<Column<Sum>> => [
  { title: say.headings[by], names: true, sort: "name", cell: (sum) => <Name by={by} sum={sum} /> },
  counting("launches"),
  counting("verifications"),
  {
    title: say.rate,
    number: true,
    sort: "rate",
    drop: 2,
    cell: ({ launches, verifications }) => percent(verifications, launches)
  },
  counting("conversions", 1),
  counting("leads", 2),
  {
    title: say.worth,
    number: true,
    sort: "worth",
    drop: 1,
    cell: ({ values }) =>
      values.length === 0 ? "–" : values.map(({ currency, value }) => worth(value, currency)).join(", ")
  }
]

interface Props {
  readonly by: By
  readonly rows: ReadonlyArray<Reported>
  readonly total: Sum
  readonly sort: Sort
  readonly isReversed: boolean
}

/** Anyone can invent campaign names, so only this many rows are drawn. The totals include all rows. */
const most = 200

/** Totals by campaign, source, medium or day. The sort order is in the address. */
export function Origins({ by, isReversed, rows, sort, total }: Props) {
  const sums = useMemo(() => sumsOf(rows, by), [rows, by])
  const ordered = useMemo(() => sorted(sums, sort, isReversed), [sums, sort, isReversed])
  return (
    <Card
      title={say.compare}
      class="origins"
      actions={
        <Choice
          label={say.by}
          value={by}
          onChoose={(next) => setFilters(filters, { by: next === "campaign" ? undefined : next })}
          options={bys.map((value) => ({ value, label: say.bys[value] }))}
        />
      }
    >
      <Table
        caption={say.compare}
        rows={ordered.slice(0, most)}
        total={total}
        id={({ id }) => id}
        columns={columnsOf(by)}
        sorted={{
          by: sort,
          // Names sort ascending first, numbers descending.
          isDescending: (sort === "name") === isReversed,
          choose: (next) =>
            setFilters(filters, {
              sort: next === "launches" ? undefined : filters.sort(next),
              order: next === sort && !isReversed ? "reversed" : undefined
            })
        }}
      />
      {ordered.length > most ? <p class="quiet">{say.more(count(ordered.length - most))}</p> : null}
    </Card>
  )
}
