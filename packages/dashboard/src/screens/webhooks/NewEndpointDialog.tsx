import { useSignal } from "@preact/signals"
import { go, paths } from "../../address/here.ts"
import type { Answer } from "../../api/Api.ts"
import { Button } from "../../parts/Button.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { Secret, ShownOnce } from "../../parts/Secret.tsx"
import { Snippet } from "../../parts/Snippet.tsx"
import { useSend } from "../../query/useSend.ts"
import { CheckSignature } from "./CheckSignature.tsx"
import { bodyOf, EndpointForm, fieldsOf } from "./EndpointForm.tsx"
import { say } from "./words.ts"

/** The signing secret, shown once, with instructions. */
export function MadeSecret({ secret }: { readonly secret: string }) {
  return (
    <>
      <Secret label={say.secret} value={secret} />
      <ShownOnce />
      <Snippet label={say.env} text={`COUNTERSIGN_WEBHOOK_SECRET=${secret}`} />
      <details>
        <summary>{say.check}</summary>
        <CheckSignature />
      </details>
    </>
  )
}

export function NewEndpointDialog({ onClose }: { readonly onClose: () => void }) {
  const value = useSignal(fieldsOf(null))
  const made = useSignal<Answer<"POST /v1/dashboard/webhooks"> | null>(null)
  const create = useSend("POST /v1/dashboard/webhooks", "webhook", "audit")
  const submit = async () => {
    const answer = await create.send({ body: bodyOf(value.peek()) })
    if (answer !== null) made.value = answer.body
  }
  const endpoint = made.value
  if (endpoint !== null)
    return (
      <Dialog title={say.made} onClose={onClose} wide>
        <MadeSecret secret={endpoint.secret} />
        <div class="form-foot">
          <Button
            kind="main"
            onPress={() => {
              onClose()
              go(paths.webhook({ id: endpoint.id }))
            }}
          >
            {say.done}
          </Button>
        </div>
      </Dialog>
    )
  return (
    <Dialog title={say.make} onClose={onClose}>
      <EndpointForm
        value={value}
        failure={create.failure}
        busy={create.busy}
        submit={say.make}
        onSubmit={() => void submit()}
        onCancel={onClose}
      />
    </Dialog>
  )
}
