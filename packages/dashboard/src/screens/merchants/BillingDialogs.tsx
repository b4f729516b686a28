import { useSignal } from "@preact/signals"
import type { Item } from "../../api/Api.ts"
import { Field, FormDialog, TextField } from "../../parts/Form.tsx"
import { PayInDialog } from "../../parts/PayInDialog.tsx"
import { tell } from "../../parts/Toast.tsx"
import { useSend } from "../../query/useSend.ts"
import { digitsOf } from "../../words/amount.ts"
import * as format from "../../words/format.ts"
import { correctionIn, creditIn, linesOf, pricesIn } from "./amounts.ts"
import { say } from "./words.ts"

export type Billed = Item<"GET /v1/admin/merchants/:id/billing">

interface Props {
  readonly id: string
  readonly billed: Billed
  readonly onClose: () => void
}

export function TopUpDialog({ billed: { currency, environment }, id, onClose }: Props) {
  const topUp = useSend("POST /v1/admin/merchants/:id/top-ups", "merchant")
  return (
    <PayInDialog
      title={say.payIn}
      words={say}
      currency={currency}
      refused={undefined}
      failure={topUp.failure}
      busy={topUp.busy}
      onPay={async (payment) =>
        (await topUp.send({ params: { id }, body: { environment, ...payment } }))?.body.amount ?? null
      }
      onClose={onClose}
    />
  )
}

/** Adds or deducts an amount, with a reason that the merchant sees. */
export function CorrectDialog({ billed: { currency, environment }, id, onClose }: Props) {
  const typed = useSignal("")
  const reason = useSignal("")
  const correct = useSend("POST /v1/admin/merchants/:id/corrections", "merchant")
  const amount = correctionIn(typed.value, currency)
  const blocked = amount === null ? say.badCorrection : reason.value.trim() === "" ? say.noReason : undefined
  const submit = async () => {
    if (amount === null) return
    const done = await correct.send({ params: { id }, body: { environment, amount, reason: reason.value.trim() } })
    if (done === null) return
    tell(say.corrected(format.money(done.body.balance, currency)))
    onClose()
  }
  return (
    <FormDialog
      title={say.correct}
      onClose={onClose}
      onSubmit={() => void submit()}
      failure={correct.failure}
      busy={correct.busy}
      blocked={blocked}
      submit={amount === null ? say.correct : `${say.correct}: ${format.money(amount, currency)}`}
      fields={["amount", "reason"]}
    >
      <TextField label={say.amount(currency)} name="amount" hint={say.correctHint} autocomplete="off" text={typed} />
      <TextField
        label={say.reason}
        name="reason"
        hint={say.reasonHint}
        maxLength={100}
        autocomplete="off"
        text={reason}
      />
    </FormDialog>
  )
}

/** Billing mode, prices and credit limit. Unchanged fields are not sent. */
export function TermsDialog({ billed, id, onClose }: Props) {
  const { currency, environment } = billed
  const mode = useSignal(billed.billing)
  const before = { prices: linesOf(billed.prices), credit: String(billed.creditLimit / 10 ** digitsOf(currency)) }
  const prices = useSignal(before.prices)
  const credit = useSignal(before.credit)
  const change = useSend("PATCH /v1/admin/merchants/:id/billing", "merchant")
  const read = pricesIn(prices.value)
  const creditLimit = creditIn(credit.value, currency)
  const submit = async () => {
    if ("wrong" in read || creditLimit === null) return
    const body = {
      environment,
      ...(mode.value === billed.billing ? {} : { billing: mode.value }),
      ...(prices.value === before.prices ? {} : { prices: read.prices }),
      ...(creditLimit === billed.creditLimit ? {} : { creditLimit })
    }
    if ((await change.send({ params: { id }, body })) === null) return
    tell(say.termsChanged)
    onClose()
  }
  return (
    <FormDialog
      title={say.terms}
      onClose={onClose}
      onSubmit={() => void submit()}
      failure={change.failure}
      busy={change.busy}
      blocked={"wrong" in read ? say.badPrice(read.wrong) : creditLimit === null ? say.badAmount : undefined}
      submit={say.termsSave}
      fields={["billing", "prices", "creditLimit"]}
    >
      <Field label={say.billing} name="billing">
        {(given) => (
          <select
            {...given}
            value={mode.value}
            onChange={(event) => (mode.value = event.currentTarget.value === "PREPAID" ? "PREPAID" : "OFF")}
          >
            <option value="OFF">{say.modes.OFF}</option>
            <option value="PREPAID">{say.modes.PREPAID}</option>
          </select>
        )}
      </Field>
      <Field label={say.prices} name="prices" hint={say.pricesHint(currency)}>
        {(given) => (
          <textarea
            {...given}
            class="mono"
            rows={5}
            spellcheck={false}
            value={prices.value}
            onInput={(event) => (prices.value = event.currentTarget.value)}
          />
        )}
      </Field>
      <TextField
        label={say.credit(currency)}
        name="creditLimit"
        hint={say.creditHint}
        inputMode="decimal"
        autocomplete="off"
        text={credit}
      />
    </FormDialog>
  )
}
