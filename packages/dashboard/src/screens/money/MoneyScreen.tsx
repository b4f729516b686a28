import { useSignal } from "@preact/signals"
import { paths } from "../../address/here.ts"
import type { Item } from "../../api/Api.ts"
import { file, keepFile } from "../../api/call.ts"
import { Button } from "../../parts/Button.tsx"
import { Card, Figure } from "../../parts/Card.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { Field, Form } from "../../parts/Form.tsx"
import { Empty, Loaded } from "../../parts/Loaded.tsx"
import { LongTable } from "../../parts/LongTable.tsx"
import { Channel, Pill } from "../../parts/Pill.tsx"
import { Table } from "../../parts/Table.tsx"
import { Time } from "../../parts/Time.tsx"
import { tell } from "../../parts/Toast.tsx"
import { usePages } from "../../query/usePages.ts"
import { useQuery } from "../../query/useQuery.ts"
import { useSend } from "../../query/useSend.ts"
import { may } from "../../session/may.ts"
import { Screen } from "../../shell/Screen.tsx"
import { amountIn } from "../../words/amount.ts"
import * as format from "../../words/format.ts"
import { say as shared } from "../../words/say.ts"
import { say } from "./words.ts"

type Entry = Item<"GET /v1/dashboard/ledger">

function TopUpDialog({ currency, onClose }: { readonly currency: string; readonly onClose: () => void }) {
  const typed = useSignal("")
  const reference = useSignal("")
  const topUp = useSend("POST /v1/dashboard/balance/top-ups", "money", "audit")
  const amount = amountIn(typed.value, currency)
  const submit = async () => {
    if (amount === null) return
    const done = await topUp.send({ body: { amount, reference: reference.value.trim() || null } })
    if (done === null) return
    tell(say.paidIn(format.money(done.body.amount, currency)))
    onClose()
  }
  return (
    <Dialog title={say.topUp} onClose={onClose}>
      <Form
        onSubmit={() => void submit()}
        failure={topUp.failure}
        busy={topUp.busy}
        blocked={may.own ?? (amount === null ? say.badAmount : undefined)}
        submit={amount === null ? say.topUp : `${say.topUp}: ${format.money(amount, currency)}`}
        fields={["amount", "reference"]}
        onCancel={onClose}
      >
        <Field label={say.amount(currency)} name="amount">
          {(given) => (
            <input
              {...given}
              inputMode="decimal"
              autocomplete="off"
              value={typed.value}
              onInput={(event) => (typed.value = event.currentTarget.value)}
            />
          )}
        </Field>
        <Field label={say.reference} name="reference" hint={say.referenceHint}>
          {(given) => (
            <input
              {...given}
              maxLength={100}
              autocomplete="off"
              value={reference.value}
              onInput={(event) => (reference.value = event.currentTarget.value)}
            />
          )}
        </Field>
      </Form>
    </Dialog>
  )
}

/** What there is, and what today took of it. */
function Balance() {
  const balance = useQuery("GET /v1/dashboard/balance", () => ({}), "money", "verification", "campaign", "settings")
  const settings = useQuery("GET /v1/dashboard/settings", () => ({}), "settings")
  const isPayingIn = useSignal(false)
  const isOff = settings.answer.value?.billing === "OFF"
  return (
    <Loaded query={balance} empty={() => null}>
      {({ available, balance, creditLimit, currency, low, spentToday }) => (
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
          <div>
            <Button kind="main" blocked={may.own} opens="dialog" onPress={() => (isPayingIn.value = true)}>
              {say.topUp}
            </Button>
          </div>
          {isPayingIn.value ? <TopUpDialog currency={currency} onClose={() => (isPayingIn.value = false)} /> : null}
        </>
      )}
    </Loaded>
  )
}

function Spend({ by }: { readonly by: "channel" | "country" }) {
  const spend = useQuery(
    "GET /v1/dashboard/stats/spend",
    () => ({ query: { groupBy: by, tz: format.zone } }),
    "verification",
    "settings"
  )
  return (
    <Card title={by === "channel" ? say.byChannel : say.byCountry}>
      <Loaded query={spend} empty={({ items }) => items.length === 0 && <p class="quiet">{say.noSpend}</p>}>
        {({ currency, items }) => (
          <Table
            caption={`${say.spend}, ${by === "channel" ? say.byChannel : say.byCountry}`}
            rows={items}
            id={({ group }) => group ?? ""}
            columns={[
              {
                title: say.group[by],
                names: true,
                cell: ({ group }) =>
                  group === null ? say.noCountry : by === "channel" ? <Channel name={group} /> : format.country(group)
              },
              { title: say.sends, number: true, cell: ({ sends }) => format.count(sends) },
              {
                title: say.cost,
                number: true,
                cell: ({ amount }) => (amount === null ? "–" : format.money(amount, currency))
              },
              {
                title: say.success,
                number: true,
                cell: ({ costPerVerified }) =>
                  costPerVerified === null ? "–" : format.money(costPerVerified, currency, 3)
              }
            ]}
          />
        )}
      </Loaded>
    </Card>
  )
}

const signed = (amount: number, currency: string) => `${amount > 0 ? "+" : ""}${format.money(amount, currency)}`

function Ledger({ currency }: { readonly currency: string }) {
  const isLoading = useSignal(false)
  const ledger = usePages("GET /v1/dashboard/ledger", () => ({ query: { limit: 100 } }), {
    id: ({ id }: Entry) => String(id),
    topics: ["money", "verification", "campaign"]
  })
  const download = async () => {
    isLoading.value = true
    const got = await file("GET /v1/dashboard/ledger", {}, "text/csv")
    isLoading.value = false
    if (got.ok) keepFile(got.body, "ledger.csv")
    else tell(got.failure.message, { tone: "bad" })
  }
  return (
    <Card
      title={say.ledger}
      class="ledger"
      actions={
        <Button busy={isLoading.value} onPress={() => void download()}>
          {say.csv}
        </Button>
      }
    >
      <LongTable
        caption={say.ledger}
        pages={ledger}
        id={({ id }) => String(id)}
        empty={
          <Empty title={say.ledgerEmpty}>
            <p>{say.ledgerHint}</p>
          </Empty>
        }
        columns={[
          { title: say.when, names: true, cell: ({ createdAt }) => <Time at={createdAt} as="clock" /> },
          {
            title: say.what,
            cell: ({ channel, kind }) => (
              <>
                <Pill tone={kind === "SEND" ? "plain" : "accent"}>{say.kinds[kind]}</Pill>{" "}
                {channel === null ? null : <Channel name={channel} />}
              </>
            )
          },
          {
            title: say.forWhat,
            drop: 1,
            cell: ({ reference, requestId }) =>
              requestId === null ? (
                <span class="theirs mono">{reference ?? "–"}</span>
              ) : (
                <a class="mono" href={paths.verification({ requestId })}>
                  {requestId}
                </a>
              )
          },
          {
            title: say.moved,
            number: true,
            cell: ({ amount }) => <span class={amount > 0 ? "good" : undefined}>{signed(amount, currency)}</span>
          },
          { title: say.after, number: true, drop: 2, cell: ({ balance }) => format.money(balance, currency) }
        ]}
      />
    </Card>
  )
}

/** What there is to spend, where it went, and every amount that ever moved. */
export default function MoneyScreen() {
  const balance = useQuery("GET /v1/dashboard/balance", () => ({}))
  return (
    <Screen title={shared.menu.money}>
      <Balance />
      <div class="money-spend">
        <Spend by="channel" />
        <Spend by="country" />
      </div>
      {balance.answer.value === null ? null : <Ledger currency={balance.answer.value.currency} />}
    </Screen>
  )
}
