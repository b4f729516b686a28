import { oneOf } from "../../address/filtersIn.ts"
import { setFilters, useFilters } from "../../address/useFilters.ts"
import { Choice } from "../../parts/Choice.tsx"
import { useQuery } from "../../query/useQuery.ts"
import { Screen } from "../../shell/Screen.tsx"
import { say as shared } from "../../words/say.ts"
import { Balance } from "./Balance.tsx"
import { Ledger } from "./Ledger.tsx"
import { Spend } from "./Spend.tsx"
import { StatementView } from "./StatementView.tsx"
import { say } from "./words.ts"

const views = ["overview", "statement"] as const
const filters = { view: oneOf(views) }

export default function MoneyScreen() {
  const wanted = useFilters(filters)
  const balance = useQuery("GET /v1/dashboard/balance", () => ({}))
  const view = wanted.value.view ?? "overview"
  return (
    <Screen
      title={shared.menu.money}
      note={
        <Choice
          label={say.view}
          value={view}
          onChoose={(next) => setFilters(filters, { view: next === "overview" ? null : next })}
          options={views.map((value) => ({ value, label: say.views[value] }))}
        />
      }
    >
      {view === "statement" ? (
        <StatementView />
      ) : (
        <>
          <Balance />
          <Spend />
          {balance.answer.value === null ? null : <Ledger currency={balance.answer.value.currency} />}
        </>
      )}
    </Screen>
  )
}
