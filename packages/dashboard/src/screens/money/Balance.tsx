import { useSignal } from "@preact/signals"
import { paths } from "../../address/here.ts"
import { Button } from "../../parts/Button.tsx"
import { Figure } from "../../parts/Card.tsx"
import { Loaded } from "../../parts/Loaded.tsx"
import { Channel } from "../../parts/Pill.tsx"
import { useQuery } from "../../query/useQuery.ts"
import { may } from "../../session/may.ts"
import { useRecentSignIn } from "../../session/useRecentSignIn.ts"
import * as format from "../../words/format.ts"
import { PayInDialog } from "../../parts/PayInDialog.tsx"
import { useSend } from "../../query/useSend.ts"
import { say } from "./words.ts"

/** An owner's top-up for the current environment. */
function TopUpDialog({ currency, onClose }: { readonly currency: string; readonly onClose: () => void }) {
  const topUp = useSend("POST /v1/dashboard/balance/top-ups", "money", "audit")
  useRecentSignIn()
  return (
    <PayInDialog
      title={say.topUp}
      words={say}
      currency={currency}
      refused={may.own}
      failure={topUp.failure}
      busy={topUp.busy}
      onPay={async (body) => (await topUp.send({ body }))?.body.amount ?? null}
      onClose={onClose}
    />
  )
}

/** The balance and today's spend. */
export function Balance() {
  const balance = useQuery("GET /v1/dashboard/balance", () => ({}), "money", "verification", "campaign", "settings")
  const settings = useQuery("GET /v1/dashboard/settings", () => ({}), "settings")
  const isPayingIn = useSignal(false)
  const isOff = settings.answer.value?.billing === "OFF"
  return (
    <Loaded query={balance} empty={() => null}>
      {({ available, balance, billedBy, creditLimit, currency, low, spentToday }) => (
        <>
          {isOff ? (
            <p class="quiet">
              {say.off}. {say.offHint} <a href={paths.settings()}>{say.toSettings}</a>
            </p>
          ) : available <= 0 ? (
            <p class="bad" role="alert">
              {say.empty}
            </p>
          ) : low ? (
            <p class="warn" role="status">
              {say.low}
            </p>
          ) : null}
          <div class="money-figures">
            <Figure label={say.balance} value={format.money(balance, currency)}>
              {say.available(format.money(available, currency))}
              {creditLimit === 0 ? null : `, ${say.credit(format.money(creditLimit, currency))}`}
            </Figure>
            {spentToday.map(({ amount, cap, channel }) => (
              <div key={channel} class="card figure">
                <h2>
                  {say.today}: <Channel name={channel} />
                </h2>
                <p class="figure-value">{format.money(amount, currency)}</p>
                {cap === null ? null : (
                  <p class={amount >= cap ? "bad" : "quiet"}>
                    {say.ofCap(format.money(cap, currency))}
                    {amount >= cap ? `. ${say.overCap}` : null}
                  </p>
                )}
              </div>
            ))}
          </div>
          <div class="form-foot">
            <Button
              kind="main"
              blocked={billedBy === "operator" ? say.operatorBills : may.own}
              opens="dialog"
              onPress={() => (isPayingIn.value = true)}
            >
              {say.topUp}
            </Button>
            {billedBy === "operator" ? <span class="quiet">{say.operatorBills}</span> : null}
          </div>
          {isPayingIn.value ? <TopUpDialog currency={currency} onClose={() => (isPayingIn.value = false)} /> : null}
        </>
      )}
    </Loaded>
  )
}
