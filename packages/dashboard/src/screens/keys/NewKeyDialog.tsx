import { useSignal } from "@preact/signals"
import { environment } from "../../address/here.ts"
import type { Answer } from "../../api/Api.ts"
import { Button } from "../../parts/Button.tsx"
import { Choice } from "../../parts/Choice.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { FormDialog, TextField } from "../../parts/Form.tsx"
import { Secret, ShownOnce } from "../../parts/Secret.tsx"
import { Snippet } from "../../parts/Snippet.tsx"
import { useSend } from "../../query/useSend.ts"
import { may } from "../../session/may.ts"
import { useRecentSignIn } from "../../session/useRecentSignIn.ts"
import { appSnippet, envLines, firstCall, type Scope, scopes } from "./keys.ts"
import { say } from "./words.ts"

type WithSecret = Answer<"POST /v1/dashboard/keys">

/** A new key with its secret, which is gone when the dialog closes. */
export function MadeKey({ made, onClose }: { readonly made: WithSecret; readonly onClose: () => void }) {
  const { clientSecret, id } = made
  return (
    <>
      {clientSecret === null ? (
        <Snippet label={say.inApp} text={appSnippet(location.origin, id)} />
      ) : (
        <>
          <Secret label={say.secret} value={clientSecret} />
          <ShownOnce />
          <h3>{say.env}</h3>
          <Snippet label={say.env} text={envLines(location.origin, { clientId: id, clientSecret })} />
          {made.scopes.includes("auth") ? (
            <details>
              <summary>{say.first}</summary>
              <Snippet label={say.first} text={firstCall(location.origin, id, environment.value)} />
            </details>
          ) : null}
        </>
      )}
      <div class="form-foot">
        <Button kind="main" onPress={onClose}>
          {say.done}
        </Button>
      </div>
    </>
  )
}

/** Creates a key and shows its secret once. */
export function NewKeyDialog({
  onClose,
  type: wanted
}: {
  readonly type: "SERVER" | "PUBLIC"
  readonly onClose: () => void
}) {
  const type = useSignal(wanted)
  const name = useSignal("")
  const chosen = useSignal<ReadonlyArray<Scope>>(scopes)
  const createdKey = useSignal<WithSecret | null>(null)
  const make = useSend("POST /v1/dashboard/keys", "key", "audit")
  useRecentSignIn()
  const isServer = type.value === "SERVER"
  const submit = async () => {
    const typedName = name.value.trim()
    const body = {
      type: type.value,
      ...(isServer ? { scopes: scopes.filter((scope) => chosen.value.includes(scope)) } : {}),
      ...(typedName === "" ? {} : { name: typedName })
    }
    const answer = await make.send({ body })
    if (answer !== null) createdKey.value = answer.body
  }
  const toggle = (scope: Scope) =>
    (chosen.value = chosen.value.includes(scope)
      ? chosen.value.filter((each) => each !== scope)
      : [...chosen.value, scope])
  if (createdKey.value !== null)
    return (
      <Dialog title={isServer ? say.madeServer : say.madePublic} onClose={onClose} wide>
        <MadeKey made={createdKey.value} onClose={onClose} />
      </Dialog>
    )
  return (
    <FormDialog
      title={say.make}
      onClose={onClose}
      onSubmit={() => void submit()}
      failure={make.failure}
      busy={make.busy}
      blocked={may.own ?? (isServer && chosen.value.length === 0 ? say.noScope : undefined)}
      submit={isServer ? say.makeServer : say.makePublic}
      fields={["type", "scopes", "name"]}
    >
      <div class="field">
        <Choice
          label={say.type}
          value={type.value}
          onChoose={(next) => (type.value = next)}
          options={[
            { value: "SERVER", label: say.types.SERVER },
            { value: "PUBLIC", label: say.types.PUBLIC }
          ]}
        />
        <p class="hint">{say.typeHints[type.value]}</p>
      </div>
      <TextField label={say.name} name="name" hint={say.nameHint} maxLength={60} text={name} />
      {isServer ? (
        <fieldset class="checks">
          <legend>{say.scopes}</legend>
          {scopes.map((scope) => (
            <label key={scope}>
              <input type="checkbox" checked={chosen.value.includes(scope)} onChange={() => toggle(scope)} />
              <span>
                <code>{scope}</code> <span class="quiet">{say.scopeHints[scope]}</span>
              </span>
            </label>
          ))}
          <p class="hint">{say.scopesFixed}</p>
        </fieldset>
      ) : null}
    </FormDialog>
  )
}
