import { paths } from "../../address/here.ts"
import { setFilter, setFilters, useFilters } from "../../address/useFilters.ts"
import { oneOf } from "../../address/filtersIn.ts"
import { Card, Figure } from "../../parts/Card.tsx"
import { Choice } from "../../parts/Choice.tsx"
import { Loaded } from "../../parts/Loaded.tsx"
import { Channel } from "../../parts/Pill.tsx"
import { Table } from "../../parts/Table.tsx"
import { useQuery } from "../../query/useQuery.ts"
import * as format from "../../words/format.ts"
import { day, periods, spanOf, usual } from "./span.ts"
import { say } from "./words.ts"

type By = "channel" | "country"
const filters = { period: oneOf(periods), first: day, until: day }

/** Without prices, the cost is unknown. */
const cost = (amount: number | null, currency: string, digits?: number) =>
  amount === null ? "–" : format.money(amount, currency, digits)

interface Sums {
  readonly sends: number
  readonly amount: number | null
}

/** The most expensive first. A request that was refused before sending has no channel and no cost. */
const sentOf = <I extends Sums>(items: ReadonlyArray<I>) =>
  items.filter(({ sends }) => sends > 0).toSorted((a, b) => (b.amount ?? 0) - (a.amount ?? 0) || b.sends - a.sends)

const useSpend = (by?: By) => {
  const wanted = useFilters(filters)
  return useQuery(
    "GET /v1/dashboard/stats/spend",
    () => ({
      query: {
        ...spanOf(wanted.value, new Date()),
        tz: format.zone,
        ...(by === undefined ? {} : { groupBy: by })
      }
    }),
    "verification",
    "settings"
  )
}

function Total() {
  const spend = useSpend()
  return (
    <Loaded
      query={spend}
      empty={({ items }) =>
        (items[0]?.sends ?? 0) === 0 && (
          <p class="quiet">
            {say.noSpend}
            {format.stop} {say.noSpendHint} <a href={paths.overview()}>{say.toTry}</a>
          </p>
        )
      }
    >
      {({ currency, items }) =>
        items.map(({ amount, costPerVerified, sends }) => (
          <div key="all" class="money-figures">
            <Figure label={say.success} value={cost(costPerVerified, currency, 3)}>
              {say.successWhat}
            </Figure>
            <Figure label={say.cost} value={cost(amount, currency)}>
              {say.forSends(format.count(sends), sends === 1)}
              {amount === null ? (
                <>
                  {". "}
                  <a href={paths.settings({ find: "prices" })}>{say.setPrices}</a>
                </>
              ) : null}
            </Figure>
          </div>
        ))
      }
    </Loaded>
  )
}

function Groups({ by }: { readonly by: By }) {
  const spend = useSpend(by)
  return (
    <Card title={by === "channel" ? say.byChannel : say.byCountry}>
      <Loaded query={spend} empty={({ items }) => sentOf(items).length === 0 && <p class="quiet">{say.noSpend}</p>}>
        {({ currency, items }) => (
          <Table
            caption={`${say.spend}, ${by === "channel" ? say.byChannel : say.byCountry}`}
            rows={sentOf(items)}
            id={({ group }) => group ?? ""}
            columns={[
              {
                title: say.group[by],
                names: true,
                cell: ({ group }) =>
                  group === null ? say.noCountry : by === "channel" ? <Channel name={group} /> : format.country(group)
              },
              { title: say.sends, number: true, cell: ({ sends }) => format.count(sends) },
              { title: say.cost, number: true, cell: ({ amount }) => cost(amount, currency) },
              {
                title: say.success,
                number: true,
                cell: ({ costPerVerified }) => cost(costPerVerified, currency, 3)
              }
            ]}
          />
        )}
      </Loaded>
    </Card>
  )
}

/** Spend and cost per verification, for the period in the address. */
export function Spend() {
  const wanted = useFilters(filters)
  const period = wanted.value.period ?? usual
  return (
    <section class="money-spend" aria-labelledby="spend">
      <header class="money-head">
        <h2 id="spend">{say.spend}</h2>
        <div class="money-period">
          <Choice
            label={say.range}
            value={period}
            onChoose={(next) => setFilters(filters, { period: next === usual ? undefined : next })}
            options={periods.map((value) => ({ value, label: say.periods[value] }))}
          />
          {period === "custom" ? (
            <>
              {(["first", "until"] as const).map((name) => (
                <label key={name}>
                  {say[name]}{" "}
                  <input
                    type="date"
                    value={wanted.value[name] ?? ""}
                    onChange={(event) => setFilter(filters, name, event.currentTarget.value)}
                  />
                </label>
              ))}
            </>
          ) : null}
        </div>
      </header>
      <Total />
      <div class="money-groups">
        <Groups by="channel" />
        <Groups by="country" />
      </div>
    </section>
  )
}
