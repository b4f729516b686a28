import { useSignal } from "@preact/signals"
import { FormDialog, TextField } from "../../parts/Form.tsx"
import { tell } from "../../parts/Toast.tsx"
import { useSend } from "../../query/useSend.ts"
import { may } from "../../session/may.ts"
import { later } from "./dialogWords.ts"

interface Props {
  readonly onClose: () => void
  readonly onEntered: (id: number) => void
}

/** Creates a lead for a customer who has not written yet. */
export function EnterDialog({ onClose, onEntered }: Props) {
  const enter = useSend("POST /v1/dashboard/leads", "lead")
  const phone = useSignal("")
  const name = useSignal("")
  const submit = async () => {
    const given = name.peek().trim()
    const done = await enter.send({ body: { phone: phone.peek(), ...(given === "" ? {} : { name: given }) } })
    if (done === null) return
    tell(later.enter.done)
    onEntered(done.body.id)
  }
  return (
    <FormDialog
      title={later.enter.title}
      onClose={onClose}
      onSubmit={() => void submit()}
      failure={enter.failure}
      busy={enter.busy}
      blocked={may.work}
      submit={later.enter.submit}
      fields={["phone", "name"]}
    >
      <p class="hint">{later.enter.intro}</p>
      <TextField label={later.enter.phone} name="phone" type="tel" autocomplete="off" text={phone} />
      <TextField label={later.enter.name} name="name" hint={later.enter.nameHint} autocomplete="off" text={name} />
    </FormDialog>
  )
}
