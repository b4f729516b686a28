import type { ReadonlySignal } from "@preact/signals"
import { useSignal } from "@preact/signals"
import type { Failure } from "../api/Failure.ts"
import { amountIn } from "../words/amount.ts"
import * as format from "../words/format.ts"
import { Dialog } from "./Dialog.tsx"
import { Field, Form } from "./Form.tsx"
import { tell } from "./Toast.tsx"

/** What each screen calls it in its own words. */
interface Words {
  readonly amount: (currency: string) => string
  readonly badAmount: string
  readonly reference: string
  readonly referenceHint: string
  readonly paidIn: (amount: string) => string
}

interface Props {
  readonly title: string
  readonly words: Words
  readonly currency: string
  /** Why whoever is here may not. */
  readonly refused: string | undefined
  readonly failure: ReadonlySignal<Failure | null>
  readonly busy: ReadonlySignal<boolean>
  /** Answers what was paid in, or null where it was refused. */
  readonly onPay: (payment: { readonly amount: number; readonly reference: string | null }) => Promise<number | null>
  readonly onClose: () => void
}

/** Pays in: an amount as people write it, and a payment's number, by which a repeat moves nothing. */
export function PayInDialog({ busy, currency, failure, onClose, onPay, refused, title, words }: Props) {
  const typed = useSignal("")
  const reference = useSignal("")
  const amount = amountIn(typed.value, currency)
  const submit = async () => {
    const paid = amount === null ? null : await onPay({ amount, reference: reference.value.trim() || null })
    if (paid === null) return
    tell(words.paidIn(format.money(paid, currency)))
    onClose()
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        onSubmit={() => void submit()}
        failure={failure}
        busy={busy}
        blocked={refused ?? (amount === null ? words.badAmount : undefined)}
        submit={amount === null ? title : `${title}: ${format.money(amount, currency)}`}
        fields={["amount", "reference"]}
        onCancel={onClose}
      >
        <Field label={words.amount(currency)} name="amount">
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
        <Field label={words.reference} name="reference" hint={words.referenceHint}>
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
