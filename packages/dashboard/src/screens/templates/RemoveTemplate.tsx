import { go, paths } from "../../address/here.ts"
import { FormDialog } from "../../parts/Form.tsx"
import { tell } from "../../parts/Toast.tsx"
import { useSend } from "../../query/useSend.ts"
import { may } from "../../session/may.ts"
import type { Template } from "./template.ts"
import { say } from "./words.ts"

export function RemoveTemplate({
  of,
  onClose,
  onGone
}: {
  readonly of: Template
  readonly onClose: () => void
  readonly onGone: () => void
}) {
  const remove = useSend("DELETE /v1/dashboard/templates/:id", "audit")
  const submit = async () => {
    if ((await remove.send({ params: { id: of.id } })) === null) return
    onGone()
    onClose()
    tell(say.removed)
    go(paths.templates(), { replace: true })
  }
  return (
    <FormDialog
      title={say.removeTitle(of.name)}
      onClose={onClose}
      onSubmit={() => void submit()}
      failure={remove.failure}
      busy={remove.busy}
      blocked={may.arrange}
      submit={say.removeDo}
      kind="danger"
      fields={[]}
    >
      <p>{say.removeHint}</p>
    </FormDialog>
  )
}
