import { useSignal } from "@preact/signals"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { Loaded } from "../../parts/Loaded.tsx"
import { Pill } from "../../parts/Pill.tsx"
import { useQuery } from "../../query/useQuery.ts"
import * as format from "../../words/format.ts"
import { say as shared } from "../../words/say.ts"
import { linesOf } from "./amounts.ts"
import { type Billed, CorrectDialog, TopUpDialog, TermsDialog } from "./BillingDialogs.tsx"
import { say } from "./words.ts"

const dialogs = { payIn: TopUpDialog, correct: CorrectDialog, terms: TermsDialog }

function Environment({ billed, id }: { readonly billed: Billed; readonly id: string }) {
  const open = useSignal<keyof typeof dialogs | null>(null)
  const { available, balance, billing, creditLimit, currency, low, prices } = billed
  const Open = open.value === null ? null : dialogs[open.value]
  return (
    <Card class="merchant-card" title={`${say.money}, ${shared.environment[billed.environment]}`}>
      <p>
        <span class="figure-value">{format.money(balance, currency)}</span>{" "}
        <Pill tone={billing === "OFF" ? "plain" : low || available <= 0 ? "warn" : "good"}>
          {say.modesShort[billing]}
        </Pill>
      </p>
      <dl class="facts">
        <dt>{say.toSpend}</dt>
        <dd>{format.money(available, currency)}</dd>
        <dt>{say.creditOf}</dt>
        <dd>{creditLimit === 0 ? shared.none : format.money(creditLimit, currency)}</dd>
        <dt>{say.prices}</dt>
        <dd class="mono price-lines">{linesOf(prices) || shared.none}</dd>
      </dl>
      <div class="form-foot">
        <Button opens="dialog" onPress={() => (open.value = "payIn")}>
          {say.payIn}
        </Button>
        <Button opens="dialog" onPress={() => (open.value = "correct")}>
          {say.correct}
        </Button>
        <Button opens="dialog" onPress={() => (open.value = "terms")}>
          {say.terms}
        </Button>
      </div>
      {Open === null ? null : <Open id={id} billed={billed} onClose={() => (open.value = null)} />}
    </Card>
  )
}

/** Balance and billing of a merchant, for live and test, with the operator's actions. */
export function MerchantMoney({ id }: { readonly id: string }) {
  const billing = useQuery("GET /v1/admin/merchants/:id/billing", () => ({ params: { id } }), "merchant")
  return (
    <Loaded query={billing} empty={() => null}>
      {({ items }) => (
        <div class="merchant-money">
          {items.map((billed) => (
            <Environment key={billed.environment} billed={billed} id={id} />
          ))}
        </div>
      )}
    </Loaded>
  )
}
