import { setFilters, useFilters } from "../../address/useFilters.ts"
import { Choice } from "../../parts/Choice.tsx"
import { ExportCsv } from "../../shell/ExportCsv.tsx"
import { Screen } from "../../shell/Screen.tsx"
import { zoneName } from "../../words/format.ts"
import { say as shared } from "../../words/say.ts"
import { filters, models, ranges } from "./filters.ts"
import { queryOf, Report } from "./Report.tsx"
import { say } from "./words.ts"

export default function AttributionScreen() {
  const wanted = useFilters(filters)
  const { by = "campaign", model = "last", order, range = "30d", sort = "launches" } = wanted.value
  return (
    <Screen
      title={shared.menu.attribution}
      note={<span class="quiet">{zoneName}</span>}
      actions={
        <>
          <ExportCsv
            of="GET /v1/dashboard/attribution"
            input={() => ({ query: queryOf(Number.parseInt(range, 10), model) })}
            fileName="attribution.csv"
          />
          <Choice
            label={say.model}
            value={model}
            onChoose={(next) => setFilters(filters, { model: next === "last" ? undefined : next })}
            options={models.map((value) => ({ value, label: say.models[value] }))}
          />
          <Choice
            label={say.range}
            value={range}
            onChoose={(next) => setFilters(filters, { range: next === "30d" ? undefined : next })}
            options={ranges.map((value) => ({ value, label: say.ranges[value] }))}
          />
        </>
      }
    >
      <p class="quiet">{say.modelHints[model]}</p>
      <Report
        key={`${range}/${model}`}
        days={Number.parseInt(range, 10)}
        model={model}
        by={by}
        sort={sort}
        isReversed={order === "reversed"}
      />
    </Screen>
  )
}
