import { useSignal } from "@preact/signals"
import { Dialog } from "../../parts/Dialog.tsx"
import { Form, TextField } from "../../parts/Form.tsx"
import { now } from "../../parts/Time.tsx"
import { tell } from "../../parts/Toast.tsx"
import { useSend } from "../../query/useSend.ts"
import { may } from "../../session/may.ts"
import { useRecentSignIn } from "../../session/useRecentSignIn.ts"
import { ago } from "../../words/format.ts"
import { type Key, lastUseOf, nameOf } from "./keys.ts"
import { say } from "./words.ts"

const usedWords = (at: string | null) => {
  const use = lastUseOf(at, now.peek())
  if (at === null || use === "never") return say.revokeUnused
  return use === "now" ? say.revokeUsedNow : say.revokeUsed(ago(new Date(at), now.peek()))
}

/** Revokes a key. A key that was ever used requires typing its name. */
export function RevokeDialog({ of, onClose }: { readonly of: Key; readonly onClose: () => void }) {
  const typed = useSignal("")
  const revoke = useSend("DELETE /v1/dashboard/keys/:id", "key", "audit")
  useRecentSignIn()
  const name = nameOf(of)
  const isUsed = of.lastUsedAt !== null
  const submit = async () => {
    if ((await revoke.send({ params: { id: of.id } })) === null) return
    tell(say.revoked(name))
    onClose()
  }
  return (
    <Dialog title={say.revokeTitle(name)} onClose={onClose}>
      <p>{say.revokeWhat}</p>
      <p class={isUsed ? "bad" : undefined}>{usedWords(of.lastUsedAt)}</p>
      <Form
        onSubmit={() => void submit()}
        failure={revoke.failure}
        busy={revoke.busy}
        blocked={may.own ?? (isUsed && typed.value.trim() !== name ? say.revokeTyped : undefined)}
        submit={say.revokeDo}
        kind="danger"
        fields={[]}
        onCancel={onClose}
      >
        {isUsed ? <TextField label={say.revokeType(name)} name="name" autocomplete="off" text={typed} /> : null}
      </Form>
    </Dialog>
  )
}
