import { useSignal } from "@preact/signals"
import type { Answer } from "../../api/Api.ts"
import { Choice } from "../../parts/Choice.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { Form, TextField } from "../../parts/Form.tsx"
import { now, useNow } from "../../parts/Time.tsx"
import { useSend } from "../../query/useSend.ts"
import { may } from "../../session/may.ts"
import { useRecentSignIn } from "../../session/useRecentSignIn.ts"
import { moment } from "../../words/format.ts"
import { type Key, endOf, nameOf, overlapOf, overlaps } from "./keys.ts"
import { MadeKey } from "./NewKeyDialog.tsx"
import { say } from "./words.ts"

/** Rotates a secret after choosing how long the old one stays valid. Shows the new one once. */
export function RollDialog({ of, onClose }: { readonly of: Key; readonly onClose: () => void }) {
  useNow()
  const hours = useSignal("24")
  const rolledKey = useSignal<Answer<"POST /v1/dashboard/keys/:id/roll"> | null>(null)
  const roll = useSend("POST /v1/dashboard/keys/:id/roll", "key", "audit")
  useRecentSignIn()
  const overlap = overlapOf(hours.value)
  const submit = async () => {
    if (overlap === null) return
    const answer = await roll.send({ params: { id: of.id }, body: { overlapHours: overlap } })
    if (answer !== null) rolledKey.value = answer.body
  }
  if (rolledKey.value !== null)
    return (
      <Dialog title={say.rolled} onClose={onClose} wide>
        <MadeKey made={rolledKey.value} onClose={onClose} />
      </Dialog>
    )
  return (
    <Dialog title={say.rollTitle(nameOf(of))} onClose={onClose}>
      <p>{say.rollHint}</p>
      <Form
        onSubmit={() => void submit()}
        failure={roll.failure}
        busy={roll.busy}
        blocked={may.own ?? (overlap === null ? say.overlapWrong : undefined)}
        submit={say.rollDo}
        kind={overlap === 0 ? "danger" : "main"}
        fields={["overlapHours"]}
        onCancel={onClose}
      >
        <Choice
          label={say.overlap}
          value={hours.value}
          onChoose={(next) => (hours.value = next)}
          options={overlaps.map((each) => ({ value: String(each), label: say.overlapWords[each] ?? String(each) }))}
        />
        <TextField label={say.overlapHours} name="overlapHours" inputMode="numeric" text={hours} />
        <p role="status" class={overlap === 0 ? "bad" : undefined}>
          {overlap === null
            ? say.overlapWrong
            : overlap === 0
              ? say.rollNow
              : say.rollUntil(moment(endOf(overlap, now.value)))}
          {of.retiringAt === null || !overlap ? null : ` ${say.rollOlder}`}
        </p>
      </Form>
    </Dialog>
  )
}
