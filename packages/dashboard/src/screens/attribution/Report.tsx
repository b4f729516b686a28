import { useSignalEffect } from "@preact/signals"
import { useMemo } from "preact/hooks"
import { Bars } from "../../parts/Bars.tsx"
import { Card } from "../../parts/Card.tsx"
import { Chart } from "../../parts/Chart.tsx"
import { Loaded } from "../../parts/Loaded.tsx"
import { usePages } from "../../query/usePages.ts"
import { count, zone } from "../../words/format.ts"
import { Begin } from "./Begin.tsx"
import { Origins } from "./Origins.tsx"
import { type By, daysOf, type Reported, type Sort, totalOf } from "./sums.ts"
import { say } from "./words.ts"

/** A row is one day of one campaign. Maximum number of rows added up here; the screen says when there are more. */
const most = 10_000

const idOf = ({ campaign, day, medium, source }: Reported) => JSON.stringify([day, source, medium, campaign])

const begun = (days: number) => {
  const now = new Date()
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - days + 1)
}

/** The query for the service. */
export const queryOf = (days: number, model: Props["model"]) => ({ from: begun(days).toISOString(), tz: zone, model })

interface Props {
  readonly days: number
  readonly model: "first" | "last"
  readonly by: By
  readonly sort: Sort
  readonly isReversed: boolean
}

function Shown({
  by,
  days,
  isReversed,
  rows,
  sort
}: Omit<Props, "model"> & { readonly rows: ReadonlyArray<Reported> }) {
  const total = useMemo(() => totalOf(rows), [rows])
  const { at, lines } = useMemo(() => {
    const all = daysOf(rows, begun(days), new Date())
    const lines = [
      { label: say.verifications, values: all.map(({ verifications }) => verifications), main: true },
      { label: say.launches, values: all.map(({ launches }) => launches) }
    ]
    return { at: all.map(({ at }) => at), lines }
  }, [rows])
  return (
    <div class="attribution">
      <Card title={say.funnel} class="funnel">
        <Bars
          whole={total.launches}
          bars={[
            { label: say.launches, value: total.launches },
            { label: say.verifications, value: total.verifications },
            { label: say.conversions, value: total.conversions },
            { label: say.leads, value: total.leads }
          ]}
        />
        <p class="quiet">{say.funnelHint}</p>
      </Card>
      <Card title={say.perDay}>
        <Chart caption={say.perDay} at={at} lines={lines} />
      </Card>
      <Origins by={by} rows={rows} total={total} sort={sort} isReversed={isReversed} />
    </div>
  )
}

/** The totals of one range. Loads all pages. */
export function Report({ model, ...shown }: Props) {
  const pages = usePages("GET /v1/dashboard/attribution", () => ({ query: queryOf(shown.days, model) }), { id: idOf })
  const answer = pages.items
  useSignalEffect(() => {
    const { busy, failure, items, more } = pages
    if (more.value && !busy.value && failure.value === null && (items.value?.length ?? 0) < most) pages.readOn()
  })
  return (
    <Loaded query={{ ...pages, answer }} empty={(rows) => rows.length === 0 && <Begin />}>
      {(rows) => (
        <>
          {pages.more.value ? (
            <p class="warn" role="status">
              {rows.length >= most ? say.partly(count(rows.length)) : say.reading(count(rows.length))}
            </p>
          ) : null}
          <Shown {...shown} rows={rows} />
        </>
      )}
    </Loaded>
  )
}
