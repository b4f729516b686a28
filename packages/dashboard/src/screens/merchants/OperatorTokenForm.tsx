import { useSignal } from "@preact/signals"
import type { Failure } from "../../api/Failure.ts"
import { Form, TextField } from "../../parts/Form.tsx"
import { say } from "./words.ts"

/** Asks for the operator token and verifies it. */
export function OperatorTokenForm({ onEnter }: { readonly onEnter: (token: string) => Promise<Failure | null> }) {
  const token = useSignal("")
  const busy = useSignal(false)
  const failure = useSignal<Failure | null>(null)
  const submit = async () => {
    busy.value = true
    const refused = await onEnter(token.value.trim())
    busy.value = false
    failure.value =
      refused === null
        ? null
        : refused.status === 401
          ? { ...refused, message: say.wrong, requestId: null }
          : refused.status === 404
            ? { ...refused, message: say.off, requestId: null }
            : refused
  }
  return (
    <div class="card operator-token">
      <Form
        onSubmit={() => void submit()}
        failure={failure}
        busy={busy}
        blocked={undefined}
        submit={say.enter}
        fields={[]}
      >
        <TextField
          label={say.token}
          name="token"
          hint={say.tokenHint}
          type="password"
          autocomplete="off"
          text={token}
        />
      </Form>
    </div>
  )
}
