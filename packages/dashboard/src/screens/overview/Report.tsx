import { useComputed, useSignal } from "@preact/signals"
import { useMemo } from "preact/hooks"
import { useRenewal } from "../../live/useRenewal.ts"
import { Card } from "../../parts/Card.tsx"
import { Loaded } from "../../parts/Loaded.tsx"
import { useQuery } from "../../query/useQuery.ts"
import { lazyPart } from "../../shell/lazyDialog.tsx"
import { count, percent, stop, zone } from "../../words/format.ts"
import { say as shared } from "../../words/say.ts"
import { paths } from "../../address/here.ts"
import { seriesOf } from "./early.ts"
import { refreshLimits } from "./refreshLimits.ts"
import { Figures, Hero } from "./Figures.tsx"
import { compare, type Compared, drawn, type Point, sparkOf, sumOf, type Totals } from "./figures.ts"
import { NothingYet } from "./FirstSteps.tsx"
import type { By } from "./filters.ts"
import { Groups } from "./Groups.tsx"
import { type Range, type Span, spanOf } from "./span.ts"
import { say } from "./words.ts"

const noted = ["resent", "fallbacks", "oneTap"] as const

interface LossesProps {
  readonly counts: Compared
  /** Null while loading. */
  readonly losses: Totals["losses"] | null
  readonly from: Date
}

/** From request to verified: what was lost on the way, each with its list. */
function Losses({ counts: { now }, from, losses }: LossesProps) {
  const lost = losses?.reduce((sum, { count }) => sum + count, 0) ?? 0
  const open = losses === null ? 0 : Math.max(0, now.asked - now.verified - lost)
  const notes = noted.filter((name) => now[name] > 0).map((name) => say.notes[name](count(now[name])))
  const rows = [
    { name: say.steps.asked, value: now.asked, kind: "all", href: paths.verifications({ from: from.toISOString() }) },
    ...(losses ?? []).map(({ count, kind }) => ({
      name: say.losses[kind],
      value: count,
      kind: "lost",
      href: paths.verifications({ failure: kind, from: from.toISOString() })
    })),
    ...(open === 0
      ? []
      : [
          {
            name: say.open,
            value: open,
            kind: "open",
            href: paths.verifications({ status: "PENDING", from: from.toISOString() })
          }
        ]),
    {
      name: say.steps.verified,
      value: now.verified,
      kind: "verified",
      href: paths.verifications({ status: "VERIFIED", from: from.toISOString() })
    }
  ]
  return (
    <Card title={say.funnel} class="losses">
      <ul role="list">
        {rows.map(({ href, kind, name, value }) => (
          <li key={name} data-kind={kind}>
            <a href={href}>{name}</a>
            <span
              class="loss-bar"
              aria-hidden="true"
              style={{ "--share": now.asked === 0 ? 0 : Math.min(1, value / now.asked) }}
            />
            <span class="number">
              {count(value)} <span class="quiet">{kind === "all" ? null : percent(value, now.asked)}</span>
            </span>
          </li>
        ))}
      </ul>
      <p class="quiet">
        {notes.length === 0 ? null : `${notes.join("; ")}${stop} `}
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
  const series = useQuery("GET /v1/dashboard/stats/series", () => seriesOf(span()), "example")
  const earlier = useQuery(
    "GET /v1/dashboard/stats/series",
    () => {
      const { before, bucket } = span()
      return { query: { from: before.from.toISOString(), to: before.to.toISOString(), tz: zone, bucket } }
    },
    "example"
  )
  const latency = useQuery("GET /v1/dashboard/stats/latency", () => ({ query: now() }), "example")
  const latencyBefore = useQuery("GET /v1/dashboard/stats/latency", () => ({ query: then() }), "example")
  const spendBefore = useQuery("GET /v1/dashboard/stats/spend", () => ({ query: then() }), "example")
  const all = [series, earlier, latency, latencyBefore, spendBefore]
  useRenewal(["verification"], refreshLimits, () => all.forEach(({ refetch }) => refetch()))
  return { series, earlier, latency, latencyBefore, spendBefore }
}

/** Comes after the figures, so that they do not wait for its code. */
const Chart = lazyPart(
  () => {
    // The chart itself would ask for its library only when it is drawn.
    void import("../../parts/plot.ts").catch(() => {})
    return import("../../parts/Chart.tsx").then((loaded) => loaded.Chart)
  },
  () => <div class="chart-plot" />
)

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
  const totals = useSignal<Totals | null>(null)
  const { earlier, latency, latencyBefore, series, spendBefore } = useFigures(range)
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
        const [total, costBefore] = [totals.value, spendBefore.answer.value?.items[0]]
        const shown = {
          span,
          counts,
          toVerify: {
            now: latency.answer.value?.items[0]?.toVerify ?? null,
            before: latencyBefore.answer.value?.items[0]?.toVerify ?? null
          },
          cost:
            total === null
              ? null
              : {
                  currency: total.currency,
                  now: total.amount === null || counts.now.verified === 0 ? null : total.amount / counts.now.verified,
                  before: costBefore?.costPerVerified ?? null
                }
        }
        return (
          <div class="report">
            <div class="report-first">
              <Hero {...shown} spark={sparkOf(span, now)} />
              <Figures {...shown} />
            </div>
            <Losses counts={counts} losses={total?.losses ?? null} from={span.from} />
            <OverTime span={span} now={now} before={before} />
            <Groups by={by} range={range} totals={totals} />
          </div>
        )
      }}
    </Loaded>
  )
}
