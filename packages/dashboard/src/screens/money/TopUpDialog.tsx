import { useSignal } from "@preact/signals"
import { Dialog } from "../../parts/Dialog.tsx"
import { Field, Form } from "../../parts/Form.tsx"
import { tell } from "../../parts/Toast.tsx"
import { useSend } from "../../query/useSend.ts"
import { may } from "../../session/may.ts"
import { amountIn } from "../../words/amount.ts"
import * as format from "../../words/format.ts"
import { say } from "./words.ts"

/** Pays in. A payment's number makes a repeat move nothing. */
export function TopUpDialog({ currency, onClose }: { readonly currency: string; readonly onClose: () => void }) {
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
