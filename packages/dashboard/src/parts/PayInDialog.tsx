import type { ReadonlySignal } from "@preact/signals"
import { useSignal } from "@preact/signals"
import type { Failure } from "../api/Failure.ts"
import { amountIn } from "../words/amount.ts"
import * as format from "../words/format.ts"
import { FormDialog, TextField } from "./Form.tsx"
import { tell } from "./Toast.tsx"

/** Texts of the screen that uses it. */
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
  /** Why the user's role cannot top up. */
  readonly refused: string | undefined
  readonly failure: ReadonlySignal<Failure | null>
  readonly busy: ReadonlySignal<boolean>
  /** Resolves to the amount added, or null when the service refused it. */
  readonly onPay: (payment: { readonly amount: number; readonly reference: string | null }) => Promise<number | null>
  readonly onClose: () => void
}

/** Adds an amount to a balance. The reference makes a repeated request add it only once. */
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
    <FormDialog
      title={title}
      onClose={onClose}
      onSubmit={() => void submit()}
      failure={failure}
      busy={busy}
      blocked={refused ?? (amount === null ? words.badAmount : undefined)}
      submit={amount === null ? title : `${title}: ${format.money(amount, currency)}`}
      fields={["amount", "reference"]}
    >
      <TextField label={words.amount(currency)} name="amount" inputMode="decimal" autocomplete="off" text={typed} />
      <TextField
        label={words.reference}
        name="reference"
        hint={words.referenceHint}
        maxLength={100}
        autocomplete="off"
        text={reference}
      />
    </FormDialog>
  )
}
