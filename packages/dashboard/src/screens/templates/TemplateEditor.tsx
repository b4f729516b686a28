import { useSignal } from "@preact/signals"
import { useLayoutEffect } from "preact/hooks"
import { environment, go, paths } from "../../address/here.ts"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { Form } from "../../parts/Form.tsx"
import { Refusal } from "../../parts/Loaded.tsx"
import { tell } from "../../parts/Toast.tsx"
import { useDraft } from "../../parts/useDraft.ts"
import { useSend } from "../../query/useSend.ts"
import { may } from "../../session/may.ts"
import { me } from "../../session/session.ts"
import { count } from "../../words/format.ts"
import { say as shared } from "../../words/say.ts"
import { Previews } from "./Previews.tsx"
import { RemoveTemplate } from "./RemoveTemplate.tsx"
import { State } from "./State.tsx"
import { bodyOf, changesOf, stateOf, takenBy, type Template, texts, type Typed } from "./template.ts"
import { Head, Texts } from "./TemplateFields.tsx"
import { usePreview } from "./usePreview.ts"
import { say } from "./words.ts"

interface Props {
  /** The stored template, or null for a new one. */
  readonly stored: Template | null
  /** Distinguishes the drafts of several new templates. */
  readonly draftName: string
  /** Initial values of an untouched form. */
  readonly first: Typed
  readonly all: ReadonlyArray<Template>
}

const fields = ["name", "channel", "purpose", "locale", ...texts]

/** Why the template cannot be submitted to WhatsApp, or undefined. */
const submitBlocked = (stored: Template, isChanged: boolean): string | undefined => {
  if (isChanged) return say.submitSaved
  return stored.status === "APPROVED" || stored.status === "PENDING" ? say.submitNot : undefined
}

/** Edits a template, with a live preview and the service's findings. */
export function TemplateEditor({ all, draftName, first, stored }: Props) {
  const key = `template/${environment.peek()}/${me.peek()?.merchant.id}/${draftName}`
  const draft = useDraft<{ readonly typed: Typed; readonly base: string | null } | null>(key, null)
  const isRemoving = useSignal(false)
  const create = useSend("POST /v1/dashboard/templates", "template", "audit")
  const change = useSend("PATCH /v1/dashboard/templates/:id", "template", "audit")
  const submit = useSend("POST /v1/dashboard/templates/:id/submit", "template", "audit")
  const preview = usePreview()
  const kept = draft.value.value
  const typed = kept?.typed ?? first
  useLayoutEffect(() => preview.ask(bodyOf(typed)), [typed])

  const changes = stored === null ? null : changesOf(typed, stored)
  const isChanged = changes === null || Object.keys(changes).length > 0
  const taken = takenBy(typed, stored?.id ?? null, all)
  const isBehind = kept !== null && stored !== null && kept.base !== stored.updatedAt && isChanged
  const write = stored === null ? create : change

  const type = (next: Partial<Typed>) => {
    write.forget()
    draft.set({ typed: { ...typed, ...next }, base: kept?.base ?? stored?.updatedAt ?? null })
  }
  const save = async () => {
    if (stored === null) {
      const answer = await create.send({ body: bodyOf(typed) })
      if (answer === null) return
      draft.clear()
      tell(say.made)
      return go(paths.template({ id: answer.body.id }), { replace: true })
    }
    const answer = await change.send({ params: { id: stored.id }, body: changes ?? {} })
    if (answer === null) return
    draft.clear()
    tell(say.saved(count(answer.body.version)))
  }
  const ask = async (id: string) => {
    if ((await submit.send({ params: { id } })) !== null) tell(say.submitted)
  }
  const hint = stored === null ? undefined : say.stateHints[stateOf(stored).word]
  return (
    <div class="template">
      <Card>
        <div class="template-head">
          <h2 class="theirs">{stored?.name ?? say.new}</h2>
          {stored === null ? null : (
            <>
              <State of={stored} />
              <span class="quiet">{say.version(count(stored.version))}</span>
            </>
          )}
          {kept !== null && draft.isKept ? <span class="quiet">{shared.draftKept}</span> : null}
        </div>
        {hint === undefined ? null : <p class="quiet">{hint}</p>}
        {isBehind ? (
          <p class="notice" data-tone="warn" role="status">
            {say.changedElsewhere}{" "}
            <Button kind="quiet" onPress={draft.clear}>
              {say.takeTheirs}
            </Button>
          </p>
        ) : null}
        <Form
          onSubmit={() => void save()}
          failure={write.failure}
          busy={write.busy}
          blocked={may.arrange ?? (isChanged ? undefined : say.nothingToSave)}
          submit={stored === null ? say.make : say.save}
          fields={fields}
          onCancel={kept === null ? undefined : draft.clear}
        >
          <Head typed={typed} isNew={stored === null} onType={type} />
          {taken === null ? null : (
            <p class="notice" data-tone="warn" role="status">
              {say.taken} <a href={paths.template({ id: taken.id })}>{say.openIt}</a>
            </p>
          )}
          <Texts typed={typed} onType={type} preview={preview} />
        </Form>
        {stored === null ? null : (
          <div class="form-foot template-more">
            {stored.channel === "WHATSAPP" ? (
              <Button
                blocked={may.arrange ?? submitBlocked(stored, isChanged)}
                busy={submit.busy.value}
                onPress={() => void ask(stored.id)}
              >
                {say.submit}
              </Button>
            ) : null}
            <a class="button" href={paths.template({ id: "new" }, { from: stored.id })}>
              {say.addLanguage}
            </a>
            <Button kind="quiet" opens="dialog" blocked={may.arrange} onPress={() => (isRemoving.value = true)}>
              {say.remove}
            </Button>
          </div>
        )}
        {submit.failure.value === null ? null : <Refusal failure={submit.failure.value} />}
      </Card>
      <Previews typed={typed} own={stored?.id ?? null} all={all} live={preview} />
      {stored !== null && isRemoving.value ? (
        <RemoveTemplate of={stored} onClose={() => (isRemoving.value = false)} onGone={draft.clear} />
      ) : null}
    </div>
  )
}
