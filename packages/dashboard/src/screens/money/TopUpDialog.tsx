import { PayInDialog } from "../../parts/PayInDialog.tsx"
import { useSend } from "../../query/useSend.ts"
import { may } from "../../session/may.ts"
import { say } from "./words.ts"

/** An owner's top-up for the current environment. */
export function TopUpDialog({ currency, onClose }: { readonly currency: string; readonly onClose: () => void }) {
  const topUp = useSend("POST /v1/dashboard/balance/top-ups", "money", "audit")
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
