import { useSignal } from "@preact/signals"
import { Dialog } from "../../parts/Dialog.tsx"
import { Field, Form } from "../../parts/Form.tsx"
import { tell } from "../../parts/Toast.tsx"
import { useSend } from "../../query/useSend.ts"
import { may } from "../../session/may.ts"
import { say } from "./words.ts"

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
    tell(say.enter.done)
    onEntered(done.body.id)
  }
  return (
    <Dialog title={say.enter.title} onClose={onClose}>
      <Form
        onSubmit={() => void submit()}
        failure={enter.failure}
        busy={enter.busy}
        blocked={may.work}
        submit={say.enter.submit}
        fields={["phone", "name"]}
        onCancel={onClose}
      >
        <p class="hint">{say.enter.intro}</p>
        <Field label={say.enter.phone} name="phone">
          {(given) => (
            <input
              {...given}
              type="tel"
              autocomplete="off"
              value={phone.value}
              onInput={(event) => (phone.value = event.currentTarget.value)}
            />
          )}
        </Field>
        <Field label={say.enter.name} name="name" hint={say.enter.nameHint}>
          {(given) => (
            <input
              {...given}
              autocomplete="off"
              value={name.value}
              onInput={(event) => (name.value = event.currentTarget.value)}
            />
          )}
        </Field>
      </Form>
    </Dialog>
  )
}
