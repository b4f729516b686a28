import { useQuery } from "../../query/useQuery.ts"
import { Screen } from "../../shell/Screen.tsx"
import { say as shared } from "../../words/say.ts"
import { Balance } from "./Balance.tsx"
import { Ledger } from "./Ledger.tsx"
import { Spend } from "./Spend.tsx"

export default function MoneyScreen() {
  const balance = useQuery("GET /v1/dashboard/balance", () => ({}))
  return (
    <Screen title={shared.menu.money}>
      <Balance />
      <Spend />
      {balance.answer.value === null ? null : <Ledger currency={balance.answer.value.currency} />}
    </Screen>
  )
}
