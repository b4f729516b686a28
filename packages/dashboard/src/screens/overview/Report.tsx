import { useComputed } from "@preact/signals"
import { useMemo } from "preact/hooks"
import { useRenewal } from "../../live/useRenewal.ts"
import { Card } from "../../parts/Card.tsx"
import { Chart } from "../../parts/Chart.tsx"
import { Loaded } from "../../parts/Loaded.tsx"
import { useQuery } from "../../query/useQuery.ts"
import { change, count, zone } from "../../words/format.ts"
import { say as shared } from "../../words/say.ts"
import { paths } from "../../address/here.ts"
import { Bars } from "../../parts/Bars.tsx"
import { refreshLimits } from "./refreshLimits.ts"
import { Figures } from "./Figures.tsx"
import { compare, type Compared, drawn, type Point, sumOf } from "./figures.ts"
import { NothingYet } from "./FirstSteps.tsx"
import type { By } from "./filters.ts"
import { Groups } from "./Groups.tsx"
import { type Range, type Span, spanOf } from "./span.ts"
import { say } from "./words.ts"

const steps = ["asked", "sent", "delivered", "verified"] as const
const noted = ["resent", "fallbacks", "oneTap"] as const

/** The funnel with the previous period dashed, and notes on what the bars omit. */
function Funnel({ counts: { before, now, whole } }: { readonly counts: Compared }) {
  const notes = noted.filter((name) => now[name] > 0).map((name) => say.notes[name](count(now[name])))
  return (
    <Card title={say.funnel} class="funnel">
      <Bars
        whole={now.asked}
        wholeBefore={before.asked}
        bars={steps.map((step) => ({
          label: say.steps[step],
          value: now[step],
          before: before[step],
          // A login can have several messages, so messages have their own base.
          ...(step === "sent" || step === "delivered" ? { of: now.sent } : {}),
          note: change(whole[step], before[step]) ?? undefined
        }))}
      />
      <p class="quiet">
        {before.asked === 0 ? null : `${say.dashed} `}
        {notes.length === 0 ? null : `${notes.join("; ")}. `}
        {now.refused === 0 ? null : (
          <a href={paths.verifications({ view: "refused" })}>{say.refused(count(now.refused))}</a>
        )}
      </p>
    </Card>
  )
}

/** Queries of one range, most important first. They run concurrently. */
const useFigures = (range: Range) => {
  const span = () => spanOf(range, new Date())
  const now = () => ({ from: span().from.toISOString(), tz: zone })
  const then = () => {
    const { from, until } = span().before
    return { from: from.toISOString(), to: until.toISOString(), tz: zone }
  }
  const series = useQuery(
    "GET /v1/dashboard/stats/series",
    () => ({ query: { ...now(), bucket: span().bucket } }),
    "example"
  )
  const earlier = useQuery(
    "GET /v1/dashboard/stats/series",
    () => {
      const { before, bucket } = span()
      return { query: { from: before.from.toISOString(), to: before.to.toISOString(), tz: zone, bucket } }
    },
    "example"
  )
  const latency = useQuery("GET /v1/dashboard/stats/latency", () => ({ query: now() }), "example")
  const spend = useQuery("GET /v1/dashboard/stats/spend", () => ({ query: now() }), "example")
  const latencyBefore = useQuery("GET /v1/dashboard/stats/latency", () => ({ query: then() }), "example")
  const spendBefore = useQuery("GET /v1/dashboard/stats/spend", () => ({ query: then() }), "example")
  const all = [series, earlier, latency, spend, latencyBefore, spendBefore]
  useRenewal(["verification"], refreshLimits, () => all.forEach(({ refetch }) => refetch()))
  return { series, earlier, latency, spend, latencyBefore, spendBefore }
}

interface Shown {
  readonly span: Span
  readonly now: ReadonlyArray<Point>
  readonly before: ReadonlyArray<Point> | null
}

function OverTime({ before, now, span }: Shown) {
  const { at, lines } = useMemo(() => {
    const drawing = drawn(span, now, before)
    const lines = [
      { label: say.now[span.range], values: drawing.now, main: true },
      { label: say.before[span.range], values: drawing.before }
    ]
    return { at: drawing.at, lines }
  }, [now, before])
  return (
    <Card title={say.over[span.bucket]} class="over-time">
      <Chart caption={say.over[span.bucket]} at={at} lines={lines} />
    </Card>
  )
}

/** The report of a range, or what to do for a merchant without verifications. */
export function Report({ by, range }: { readonly range: Range; readonly by: By }) {
  const { earlier, latency, latencyBefore, series, spend, spendBefore } = useFigures(range)
  const isQuiet = useComputed(() => {
    if (series.answer.value === null) return false
    const { asked, oneTap, refused } = sumOf(series.answer.value.items)
    return asked + oneTap + refused === 0
  })
  // An empty day does not mean a new merchant, so check for earlier verifications only in that case.
  const lately = useQuery(
    "GET /v1/dashboard/verifications",
    () => (isQuiet.value ? { query: { limit: 1 } } : null),
    "verification"
  )
  const begin = () => {
    if (!isQuiet.value || lately.failure.value !== null) return null
    if (lately.answer.value === null) return <p class="waiting">{shared.loading}…</p>
    return lately.answer.value.items.length === 0 ? <NothingYet /> : null
  }
  return (
    <Loaded query={series} empty={begin}>
      {({ items: now }) => {
        const span = spanOf(range, new Date())
        const before = earlier.answer.value?.items ?? null
        const counts = compare(span, now, before)
        const [cost, costBefore] = [spend.answer.value, spendBefore.answer.value?.items[0]]
        return (
          <div class="report">
            <Figures
              span={span}
              counts={counts}
              toVerify={{
                now: latency.answer.value?.items[0]?.toVerify ?? null,
                before: latencyBefore.answer.value?.items[0]?.toVerify ?? null
              }}
              cost={
                cost === null
                  ? null
                  : {
                      currency: cost.currency,
                      now: cost.items[0]?.costPerVerified ?? null,
                      before: costBefore?.costPerVerified ?? null
                    }
              }
            />
            <Funnel counts={counts} />
            <OverTime span={span} now={now} before={before} />
            <Groups by={by} range={range} />
          </div>
        )
      }}
    </Loaded>
  )
}
