import { useSignal } from "@preact/signals"
import { go, paths } from "../../address/here.ts"
import type { Answer } from "../../api/Api.ts"
import { Dialog } from "../../parts/Dialog.tsx"
import { FormDialog, TextField } from "../../parts/Form.tsx"
import { now } from "../../parts/Time.tsx"
import { tell } from "../../parts/Toast.tsx"
import { useQuery } from "../../query/useQuery.ts"
import { useSend } from "../../query/useSend.ts"
import { may } from "../../session/may.ts"
import { count, moment } from "../../words/format.ts"
import { say as shared } from "../../words/say.ts"
import { bodyOf, EndpointForm, fieldsOf } from "./EndpointForm.tsx"
import { type Endpoint, rangeOf, replayFrom } from "./health.ts"
import { MadeSecret } from "./NewEndpointDialog.tsx"
import { say } from "./words.ts"

interface Props {
  readonly of: Endpoint
  readonly onClose: () => void
}

export function ChangeDialog({ of, onClose }: Props) {
  const value = useSignal(fieldsOf(of))
  const change = useSend("PATCH /v1/dashboard/webhooks/:id", "webhook", "audit")
  const submit = async () => {
    if ((await change.send({ params: { id: of.id }, body: bodyOf(value.peek()) })) === null) return
    tell(shared.saved)
    onClose()
  }
  return (
    <Dialog title={say.editTitle} onClose={onClose}>
      <EndpointForm
        value={value}
        failure={change.failure}
        busy={change.busy}
        submit={shared.do.save}
        onSubmit={() => void submit()}
        onCancel={onClose}
      />
    </Dialog>
  )
}

/** Shows the new secret once, and until when the old one signs. */
export function RotateDialog({ of, onClose }: Props) {
  const rotated = useSignal<Answer<"POST /v1/dashboard/webhooks/:id/rotate-secret"> | null>(null)
  const rotate = useSend("POST /v1/dashboard/webhooks/:id/rotate-secret", "webhook", "audit")
  const submit = async () => {
    const answer = await rotate.send({ params: { id: of.id } })
    if (answer !== null) rotated.value = answer.body
  }
  if (rotated.value !== null)
    return (
      <Dialog title={say.rotated} onClose={onClose} wide>
        <MadeSecret secret={rotated.value.secret} />
        {rotated.value.retiringAt === null ? null : <p>{say.oldUntil(moment(new Date(rotated.value.retiringAt)))}</p>}
      </Dialog>
    )
  return (
    <FormDialog
      title={say.rotateTitle}
      onClose={onClose}
      onSubmit={() => void submit()}
      failure={rotate.failure}
      busy={rotate.busy}
      blocked={may.arrange}
      submit={say.rotateDo}
      fields={[]}
    >
      <p>{say.rotateHint}</p>
    </FormDialog>
  )
}

export function RemoveDialog({ of, onClose }: Props) {
  const remove = useSend("DELETE /v1/dashboard/webhooks/:id", "webhook", "audit")
  const submit = async () => {
    if ((await remove.send({ params: { id: of.id } })) === null) return
    tell(say.removed)
    onClose()
    go(paths.webhooks(), { replace: true })
  }
  return (
    <FormDialog
      title={say.removeTitle}
      onClose={onClose}
      onSubmit={() => void submit()}
      failure={remove.failure}
      busy={remove.busy}
      blocked={may.arrange}
      submit={say.removeDo}
      kind="danger"
      fields={[]}
    >
      <p class="theirs">{of.url}</p>
      <p>{say.removeHint}</p>
    </FormDialog>
  )
}

/** How many events a replay would send. Says nothing for none, because the blocked button gives that reason. */
function Counted({
  isMissing,
  of
}: {
  readonly of: Answer<"GET /v1/dashboard/webhooks/:id/replay"> | null
  readonly isMissing: boolean
}) {
  if (of === null) return <>{say.counting}</>
  if (hasNone(of)) return null
  return (
    <>
      {of.more ? say.countMore(count(of.events)) : say.count(count(of.events), of.events)}
      {isMissing ? ` ${say.countWaiting}` : ""}
    </>
  )
}

const hasNone = ({ events, more }: Answer<"GET /v1/dashboard/webhooks/:id/replay">): boolean => events === 0 && !more

/** Replays a time range, not the listed rows. */
export function ReplayDialog({ of, onClose }: Props) {
  const since = useSignal(replayFrom(of, now.peek()))
  const until = useSignal("")
  const onlyMissing = useSignal(true)
  const counted = useQuery("GET /v1/dashboard/webhooks/:id/replay", () => {
    const range = rangeOf(since.value, until.value)
    return range.ok
      ? {
          params: { id: of.id },
          query: {
            since: range.since,
            ...(range.until === null ? {} : { until: range.until }),
            onlyMissing: onlyMissing.value
          }
        }
      : null
  })
  const replay = useSend("POST /v1/dashboard/webhooks/:id/replay", "webhook", "audit")
  const range = rangeOf(since.value, until.value)
  const amount = counted.busy.value ? null : counted.answer.value
  const blocked = !range.ok
    ? say.replayWrong[range.why]
    : amount !== null && hasNone(amount)
      ? say.countNone
      : undefined
  const submit = async () => {
    if (!range.ok) return
    const body = { since: range.since, until: range.until, onlyMissing: onlyMissing.value }
    const answer = await replay.send({ params: { id: of.id }, body })
    if (answer === null) return
    tell(say.replayed(moment(new Date(answer.body.since)), moment(new Date(answer.body.until))))
    onClose()
  }
  return (
    <FormDialog
      title={say.replayTitle}
      onClose={onClose}
      onSubmit={() => void submit()}
      failure={replay.failure}
      busy={replay.busy}
      blocked={may.arrange ?? blocked}
      submit={say.replayDo}
      fields={["since", "until"]}
    >
      <p>{say.replayHint}</p>
      <TextField label={say.since} name="since" type="datetime-local" text={since} />
      <TextField label={say.until} name="until" hint={say.untilHint} type="datetime-local" text={until} />
      <label>
        <input
          type="checkbox"
          checked={onlyMissing.value}
          onChange={(event) => (onlyMissing.value = event.currentTarget.checked)}
        />{" "}
        {say.onlyMissing}
      </label>
      <p role="status">{range.ok ? <Counted of={amount} isMissing={onlyMissing.value} /> : null}</p>
    </FormDialog>
  )
}
