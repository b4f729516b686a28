import { useSignal } from "@preact/signals"
import { Button } from "../../parts/Button.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { Field, Form, TextField } from "../../parts/Form.tsx"
import { tell } from "../../parts/Toast.tsx"
import { useSend } from "../../query/useSend.ts"
import { me } from "../../session/session.ts"
import { alerts, chooseAlerts } from "../../shell/device.ts"
import { PushDevice } from "./PushDevice.tsx"
import { ring } from "./ring.ts"
import { say } from "./words.ts"

/** Notifications need a secure page, and one tab of several must be able to take the job. */
const isAble = "Notification" in globalThis && "locks" in navigator

/** What this browser does when a customer writes. */
function Device() {
  const problem = useSignal<string | null>(null)
  const chosen = alerts.value
  const setNotify = async (wanted: boolean) => {
    problem.value = null
    if (wanted && (await Notification.requestPermission()) !== "granted") problem.value = say.refused
    chooseAlerts({ ...alerts.peek(), notify: wanted && problem.peek() === null })
  }
  if (!isAble) return <p class="quiet">{say.unable}</p>
  return (
    <fieldset class="form">
      <legend>{say.device}</legend>
      <label class="check">
        <input
          type="checkbox"
          checked={chosen.notify}
          onChange={(event) => {
            const { checked } = event.currentTarget
            event.currentTarget.checked = alerts.peek().notify // until the browser has asked
            void setNotify(checked)
          }}
        />{" "}
        {say.notify}
      </label>
      {problem.value === null ? null : (
        <p class="wrong" role="alert">
          {problem.value}
        </p>
      )}
      <label class="check">
        <input
          type="checkbox"
          checked={chosen.sound}
          onChange={(event) => chooseAlerts({ ...alerts.peek(), sound: event.currentTarget.checked })}
        />{" "}
        {say.sound}
      </label>
      <p class="hint">{say.deviceHint}</p>
      <div>
        <Button kind="quiet" onPress={ring}>
          {say.hear}
        </Button>
      </div>
    </fieldset>
  )
}

/** The name that colleagues see. */
function Name() {
  const change = useSend("PATCH /v1/dashboard/me", "person")
  const name = useSignal(me.peek()?.agent.name ?? "")
  const submit = async () => {
    const answer = await change.send({ body: { name: name.peek().trim() || null } })
    if (answer === null) return
    me.value = answer.body
    name.value = answer.body.agent.name ?? ""
    tell(say.saved)
  }
  return (
    <Form
      onSubmit={() => void submit()}
      failure={change.failure}
      busy={change.busy}
      blocked={name.value.trim() === (me.value?.agent.name ?? "") ? say.unchanged : undefined}
      submit={say.save}
      fields={["name"]}
    >
      <TextField label={say.name} name="name" text={name} hint={say.nameHint} maxLength={60} />
    </Form>
  )
}

const waits = [15, 60] as const

/** After how long a wait of customers the user gets a mail. */
function Mails() {
  const change = useSend("PATCH /v1/dashboard/me", "person")
  const agent = me.value?.agent
  const stored = String(agent?.digestMinutes ?? "")
  const minutes = useSignal(stored)
  const refusal = agent?.digestRefusal ?? null
  const submit = async () => {
    const answer = await change.send({ body: { digestMinutes: minutes.peek() === "" ? null : Number(minutes.peek()) } })
    if (answer === null) return
    me.value = answer.body
    tell(say.mailsSaved)
  }
  if (refusal !== null && stored === "")
    return (
      <div class="field">
        <strong>{say.mails}</strong>
        <p class="hint">{say.noMails[refusal]}</p>
      </div>
    )
  return (
    <Form
      onSubmit={() => void submit()}
      failure={change.failure}
      busy={change.busy}
      blocked={minutes.value === stored ? say.mailsUnchanged : undefined}
      submit={say.saveMails}
      fields={["digestMinutes"]}
    >
      <Field label={say.mails} name="digestMinutes" hint={refusal === null ? say.mailsHint : say.noMails[refusal]}>
        {(given) => (
          <select {...given} value={minutes.value} onChange={(event) => (minutes.value = event.currentTarget.value)}>
            <option value="">{say.off}</option>
            {waits.map((wait) => (
              <option key={wait} value={String(wait)}>
                {say.after[wait]}
              </option>
            ))}
          </select>
        )}
      </Field>
    </Form>
  )
}

/** The user's own settings: their name, mails, and how they learn that customers write. */
export default function NotificationsDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title={say.title} onClose={onClose}>
      <Name />
      <Mails />
      <Device />
      <PushDevice />
    </Dialog>
  )
}
