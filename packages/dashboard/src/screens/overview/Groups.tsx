import { type Signal, useSignalEffect } from "@preact/signals"
import { paths } from "../../address/here.ts"
import { setFilters } from "../../address/useFilters.ts"
import { useRenewal } from "../../live/useRenewal.ts"
import { Card } from "../../parts/Card.tsx"
import { Choice } from "../../parts/Choice.tsx"
import { Loaded } from "../../parts/Loaded.tsx"
import { Channel } from "../../parts/Pill.tsx"
import { type Column, Table } from "../../parts/Table.tsx"
import { useQuery } from "../../query/useQuery.ts"
import { count, country, duration, money, percent, points, zone } from "../../words/format.ts"
import { say as shared } from "../../words/say.ts"
import { refreshLimits } from "./refreshLimits.ts"
import { leastOfQuantiles, type Row, rowsOf, type Totals, totalsOf } from "./figures.ts"
import { type By, bys, filters } from "./filters.ts"
import { type Range, spanOf } from "./span.ts"
import { say } from "./words.ts"

/** Label of a row, linked to the verifications with the same filter where one exists. */
function Name({
  by,
  from,
  group
}: {
  readonly by: Exclude<By, "carrier">
  readonly from: Date
  readonly group: string | null
}) {
  if (group === null) return <span class="quiet">{say.noGroup[by]}</span>
  if (by === "path") return <>{say.paths[group] ?? group}</>
  return (
    <a
      href={paths.verifications({
        ...(by === "channel" ? { channel: group } : { country: group }),
        from: from.toISOString()
      })}
    >
      {by === "channel" ? <Channel name={group} /> : country(group)}
    </a>
  )
}

const delivered: Column<Row> = {
  title: say.delivered,
  number: true,
  drop: 2,
  // Without receipts, deliveries are unknown rather than failed.
  cell: ({ delivered, sent }) =>
    delivered === 0 ? <span title={say.noReceipts}>–</span> : percent(Math.min(delivered, sent), sent)
}

const toDeliver: Column<Row> = {
  title: say.toDeliver,
  number: true,
  drop: 1,
  cell: ({ delivered, toDeliver }) =>
    toDeliver === null || delivered < leastOfQuantiles ? "–" : `${duration(toDeliver.p50)} / ${duration(toDeliver.p95)}`
}

/** Carriers have messages only: requests do not choose a carrier, and verifications are not counted by carrier. */
const columnsOfCarriers: ReadonlyArray<Column<Row>> = [
  { title: say.headings.carrier, names: true, cell: ({ group }) => group },
  { title: say.sent, number: true, cell: ({ sent }) => count(sent) },
  delivered,
  toDeliver
]

const columnsOf = (by: Exclude<By, "carrier">, from: Date, currency: string | null): ReadonlyArray<Column<Row>> => [
  { title: say.headings[by], names: true, cell: ({ group }) => <Name by={by} from={from} group={group} /> },
  { title: say.asked, number: true, drop: 2, cell: ({ asked }) => count(asked) },
  delivered,
  { title: say.verified, number: true, cell: ({ verified }) => count(verified) },
  {
    title: say.conversion,
    number: true,
    cell: ({ asked, moved, verdict, verified }) => (
      <span class="share">
        <span
          class="share-bar"
          aria-hidden="true"
          style={{ "--share": asked === 0 ? 0 : Math.min(1, verified / asked) }}
        />
        {percent(verified, asked)}
        {verdict === "few" ? null : (
          <span class={verdict === "same" ? "quiet" : verdict === "higher" ? "good" : "bad"}>{points(moved)}</span>
        )}
      </span>
    )
  },
  toDeliver,
  {
    title: say.successCosts,
    number: true,
    drop: 1,
    cell: ({ costPerVerified }) =>
      costPerVerified === null || currency === null ? "–" : money(costPerVerified, currency, 3)
  }
]

interface Props {
  readonly by: By
  readonly range: Range
  /** Receives the sums over all groups. */
  readonly totals: Signal<Totals | null>
}

function Compared({ by, range, totals }: Props) {
  const wanted = () => ({
    query: { from: spanOf(range, new Date()).from.toISOString(), tz: zone, groupBy: by }
  })
  const funnel = useQuery("GET /v1/dashboard/stats/funnel", wanted, "example")
  const earlier = useQuery(
    "GET /v1/dashboard/stats/funnel",
    () => {
      const { before } = spanOf(range, new Date())
      return { query: { from: before.from.toISOString(), to: before.until.toISOString(), tz: zone, groupBy: by } }
    },
    "example"
  )
  const latency = useQuery("GET /v1/dashboard/stats/latency", wanted, "example")
  const spend = useQuery("GET /v1/dashboard/stats/spend", wanted, "example")
  // Every verification and message is in exactly one group, so the sums need no requests of their own.
  useSignalEffect(() => {
    const [counts, cost] = [funnel.answer.value, spend.answer.value]
    if (counts !== null && cost !== null) totals.value = totalsOf(counts.items, cost)
  })
  const isShown = ({ group }: { readonly group: string | null }) => by !== "carrier" || group !== null
  useRenewal(["verification"], refreshLimits, () =>
    [funnel, earlier, latency, spend].forEach(({ refetch }) => refetch())
  )
  return (
    <Loaded query={funnel} empty={({ items }) => !items.some(isShown) && <p class="quiet">{shared.nothing}</p>}>
      {(answer) => (
        <Table
          caption={say.compare}
          rows={rowsOf(answer, latency.answer.value, spend.answer.value, earlier.answer.value).filter(isShown)}
          id={({ group }) => group ?? ""}
          columns={
            by === "carrier"
              ? columnsOfCarriers
              : columnsOf(by, spanOf(range, new Date()).from, spend.answer.value?.currency ?? null)
          }
        />
      )}
    </Loaded>
  )
}

/** Performance by channel, country or source, and messages by carrier. */
export function Groups({ by, range, totals }: Props) {
  return (
    <Card
      title={say.compare}
      class="groups"
      actions={
        <Choice
          label={say.by}
          value={by}
          onChoose={(next) => setFilters(filters, { by: next === "channel" ? undefined : next })}
          options={bys.map((value) => ({ value, label: say.bys[value] }))}
        />
      }
    >
      {/* Data of one grouping must not show under another, so remount on change. The choice itself keeps the focus. */}
      <Compared key={by} by={by} range={range} totals={totals} />
    </Card>
  )
}
