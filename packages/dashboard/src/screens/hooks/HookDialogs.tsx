import { hookRecipes, makesSecretLater } from "@countersign/core/hookRecipes"
import { useSignal } from "@preact/signals"
import { Button } from "../../parts/Button.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { Field, Form, FormDialog, TextField } from "../../parts/Form.tsx"
import { Secret, ShownOnce } from "../../parts/Secret.tsx"
import { Snippet } from "../../parts/Snippet.tsx"
import { tell } from "../../parts/Toast.tsx"
import { useSend } from "../../query/useSend.ts"
import { may } from "../../session/may.ts"
import { useRecentSignIn } from "../../session/useRecentSignIn.ts"
import { type Hook, type Kind, kinds, names } from "./kinds.ts"
import { say } from "./words.ts"

export const labelOf = (kind: Kind): string => (kind === "generic" ? say.generic : names[kind])

/** A hook with its secret, which is gone when the dialog closes, and the configuration of its sign-in system. */
function Made({ made, onClose }: { readonly made: Hook & { readonly secret: string }; readonly onClose: () => void }) {
  const isLater = makesSecretLater(made.kind)
  return (
    <>
      <h3>{say.url}</h3>
      <Snippet label={say.url} text={made.url} />
      {isLater ? (
        <p>{say.later}</p>
      ) : (
        <>
          <Secret label={say.secret} value={made.secret} />
          <ShownOnce />
        </>
      )}
      <h3>{say.setUp}</h3>
      <Snippet label={say.setUp} text={hookRecipes[made.kind](made)} />
      <div class="form-foot">
        <Button kind="main" onPress={onClose}>
          {say.done}
        </Button>
      </div>
    </>
  )
}

/** Creates a hook, and shows how to configure its sign-in system. */
export function NewHookDialog({ onClose }: { readonly onClose: () => void }) {
  const kind = useSignal<Kind>("supabase-sms")
  const name = useSignal("")
  const secret = useSignal("")
  const created = useSignal<(Hook & { readonly secret: string }) | null>(null)
  const make = useSend("POST /v1/dashboard/hooks", "hook", "audit")
  useRecentSignIn()
  const submit = async () => {
    const own = secret.value.trim()
    const body = {
      kind: kind.value,
      name: name.value.trim() || labelOf(kind.value),
      ...(own === "" ? {} : { secret: own })
    }
    const answer = await make.send({ body })
    if (answer !== null) created.value = answer.body
  }
  if (created.value !== null)
    return (
      <Dialog title={say.made} onClose={onClose} wide>
        <Made made={created.value} onClose={onClose} />
      </Dialog>
    )
  return (
    <FormDialog
      title={say.make}
      onClose={onClose}
      onSubmit={() => void submit()}
      failure={make.failure}
      busy={make.busy}
      blocked={may.arrange}
      submit={say.make}
      fields={["kind", "name", "secret"]}
    >
      <Field label={say.kind} name="kind">
        {(attributes) => (
          <select
            {...attributes}
            value={kind.value}
            onChange={({ currentTarget }) => (kind.value = currentTarget.value as Kind)}
          >
            {kinds.map((each) => (
              <option key={each} value={each}>
                {labelOf(each)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <TextField label={say.name} name="name" hint={say.nameHint} maxLength={80} text={name} />
      {makesSecretLater(kind.value) ? (
        <p class="hint">{say.later}</p>
      ) : (
        <TextField label={say.ownSecret} name="secret" hint={say.ownSecretHint} autocomplete="off" text={secret} />
      )}
    </FormDialog>
  )
}

/** Rotates the secret, or enters the one that the sign-in system made, and shows it once. */
export function RotateDialog({ of, onClose }: { readonly of: Hook; readonly onClose: () => void }) {
  const secret = useSignal("")
  const endOthers = useSignal(makesSecretLater(of.kind))
  const rotated = useSignal<(Hook & { readonly secret: string }) | null>(null)
  const rotate = useSend("POST /v1/dashboard/hooks/:id/rotate-secret", "hook", "audit")
  useRecentSignIn()
  const submit = async () => {
    const own = secret.value.trim()
    const body = { endOthers: endOthers.value, ...(own === "" ? {} : { secret: own }) }
    const answer = await rotate.send({ params: { id: of.id }, body })
    if (answer !== null) rotated.value = answer.body
  }
  if (rotated.value !== null)
    return (
      <Dialog title={say.rotated} onClose={onClose} wide>
        <Secret label={say.secret} value={rotated.value.secret} />
        <ShownOnce />
        <div class="form-foot">
          <Button kind="main" onPress={onClose}>
            {say.done}
          </Button>
        </div>
      </Dialog>
    )
  return (
    <Dialog title={say.rotateTitle(of.name)} onClose={onClose}>
      <p>{say.rotateHint}</p>
      <Form
        onSubmit={() => void submit()}
        failure={rotate.failure}
        busy={rotate.busy}
        blocked={may.arrange}
        submit={say.rotateDo}
        kind={endOthers.value ? "danger" : "main"}
        fields={["secret"]}
        onCancel={onClose}
      >
        <TextField label={say.ownSecret} name="secret" hint={say.ownSecretHint} autocomplete="off" text={secret} />
        <label>
          <input type="checkbox" checked={endOthers.value} onChange={() => (endOthers.value = !endOthers.value)} />{" "}
          {say.endOthers}
        </label>
      </Form>
    </Dialog>
  )
}

/** Deletes a hook. */
export function RemoveDialog({ of, onClose }: { readonly of: Hook; readonly onClose: () => void }) {
  const remove = useSend("DELETE /v1/dashboard/hooks/:id", "hook", "audit")
  const submit = async () => {
    if ((await remove.send({ params: { id: of.id } })) === null) return
    tell(say.removed)
    onClose()
  }
  return (
    <Dialog title={say.removeTitle(of.name)} onClose={onClose}>
      <p>{say.removeWhat}</p>
      <Form
        onSubmit={() => void submit()}
        failure={remove.failure}
        busy={remove.busy}
        blocked={may.arrange}
        submit={say.removeDo}
        kind="danger"
        fields={[]}
        onCancel={onClose}
      >
        {null}
      </Form>
    </Dialog>
  )
}
