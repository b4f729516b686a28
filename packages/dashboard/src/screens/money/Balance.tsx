import { useSignal } from "@preact/signals"
import { paths } from "../../address/here.ts"
import { Button } from "../../parts/Button.tsx"
import { Loaded } from "../../parts/Loaded.tsx"
import { Channel } from "../../parts/Pill.tsx"
import { useQuery } from "../../query/useQuery.ts"
import { may } from "../../session/may.ts"
import { useRecentSignIn } from "../../session/useRecentSignIn.ts"
import * as format from "../../words/format.ts"
import { PayInDialog } from "../../parts/PayInDialog.tsx"
import { useSend } from "../../query/useSend.ts"
import { paceOf } from "./pace.ts"
import { say } from "./words.ts"

/** The cost of the last days, in whole days before now, so that today's missing hours do not lower the average. */
const useSpendOf = (days: "7" | "28") =>
  useQuery(
    "GET /v1/dashboard/stats/spend",
    () => ({ query: { from: new Date(Date.now() - Number(days) * 86_400_000).toISOString(), tz: format.zone } }),
    "money"
  )

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

/** How long the balance lasts at the pace of the last days. */
function PaceLine({ available, currency }: { readonly available: number; readonly currency: string }) {
  const last7 = useSpendOf("7")
  const last28 = useSpendOf("28")
  const [week, month] = [last7.answer.value, last28.answer.value]
  if (week === null || month === null) return null
  const pace = paceOf(available, week.items[0]?.amount ?? 0, month.items[0]?.amount ?? 0, Date.now())
  if (pace.tag === "idle" || pace.tag === "unknown") return <p class="quiet">{say.pace[pace.tag]}</p>
  return (
    <p>
      {pace.tag === "long" ? say.pace.long : say.pace.until(format.shortDate(new Date(pace.at)))}{" "}
      <span class="quiet">({say.pace.perDay(format.money(pace.perDay, currency))})</span>
    </p>
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
            <p class="notice">
              <strong>
                {say.off}
                {format.stop}
              </strong>{" "}
              {say.offHint} <a href={paths.settings({ find: "billing" })}>{say.toSettings}</a>
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
            <div class="card figure money-balance">
              <header>
                <h2>{say.balance}</h2>
                <Button
                  kind="main"
                  blocked={billedBy === "operator" ? say.operatorBills : may.own}
                  opens="dialog"
                  deed="topUp"
                  onPress={() => (isPayingIn.value = true)}
                >
                  {say.topUp}
                </Button>
              </header>
              <p class="figure-value">{format.money(balance, currency)}</p>
              {available === balance && creditLimit === 0 ? null : (
                <p class="quiet">
                  {say.available(format.money(available, currency))}, {say.credit(format.money(creditLimit, currency))}
                </p>
              )}
              {isOff ? null : <PaceLine available={available} currency={currency} />}
              {billedBy === "operator" ? <p class="quiet">{say.operatorBills}</p> : null}
            </div>
            {spentToday.map(({ amount, cap, channel }) => (
              <div key={channel} class="card figure">
                <h2>
                  {say.today}: <Channel name={channel} />
                </h2>
                <p class="figure-value">{format.money(amount, currency)}</p>
                {cap === null ? null : (
                  <p class={amount >= cap ? "bad" : "quiet"}>
                    {say.ofCap(format.money(cap, currency))}
                    {amount >= cap ? `${format.stop} ${say.overCap}` : null}
                  </p>
                )}
              </div>
            ))}
          </div>
          {isPayingIn.value ? <TopUpDialog currency={currency} onClose={() => (isPayingIn.value = false)} /> : null}
        </>
      )}
    </Loaded>
  )
}
