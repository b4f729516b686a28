import { useSignal } from "@preact/signals"
import { useLayoutEffect } from "preact/hooks"
import { Card } from "../../parts/Card.tsx"
import { Choice } from "../../parts/Choice.tsx"
import { useQuery } from "../../query/useQuery.ts"
import { Meter, Phone } from "./Phone.tsx"
import { localeWords } from "./State.tsx"
import { bodyOf, siblingsOf, type Template, type Typed, typedOf } from "./template.ts"
import { type LivePreview, usePreview } from "./usePreview.ts"
import { say } from "./words.ts"

/** A preview with the service's findings. */
function Shown({ live, typed }: { readonly live: LivePreview; readonly typed: Typed }) {
  const settings = useQuery("GET /v1/dashboard/settings", () => ({}), "settings")
  const balance = useQuery("GET /v1/dashboard/balance", () => ({}), "money")
  const [preview, failure] = [live.answer.value, live.failure.value]
  if (preview === null)
    return (
      <p class="quiet" role="status">
        {failure === null ? say.notYet : `${say.notYet} ${failure.message}`}
      </p>
    )
  const price = settings.answer.value?.prices.SMS
  return (
    <div class="preview" data-stale={failure !== null || undefined}>
      <Phone
        channel={typed.channel}
        purpose={typed.purpose}
        preview={preview}
        brand={settings.answer.value?.brand ?? ""}
        lang={typed.locale || undefined}
      />
      <Meter
        preview={preview}
        price={price === undefined ? null : typeof price === "number" ? price : price.default}
        currency={balance.answer.value?.currency ?? null}
      />
      {preview.whatsapp === null ? null : (
        <details>
          <summary>{say.technical}</summary>
          <pre tabIndex={0} aria-label={say.technical}>
            {JSON.stringify(preview.whatsapp, null, 2)}
          </pre>
        </details>
      )}
      <p role="status" class={failure === null ? "quiet" : "bad"}>
        {failure !== null ? failure.message : preview.findings.length === 0 ? say.fine : ""}
      </p>
    </div>
  )
}

/** A saved template of another language. */
function Sibling({ of }: { readonly of: Template }) {
  const live = usePreview()
  const typed = typedOf(of)
  useLayoutEffect(() => live.ask(bodyOf(typed)), [of])
  return <Shown live={live} typed={typed} />
}

/** Previews per language: the edited one live, the others as saved. */
export function Previews({
  all,
  live,
  own,
  typed
}: {
  readonly typed: Typed
  readonly own: string | null
  readonly all: ReadonlyArray<Template>
  readonly live: LivePreview
}) {
  const chosen = useSignal("this")
  const others = siblingsOf(typed, all).filter(({ id }) => id !== own)
  const sibling = others.find(({ id }) => id === chosen.value)
  return (
    <Card title={say.preview} class="template-preview">
      {others.length === 0 ? null : (
        <Choice
          label={say.previewOf}
          value={sibling === undefined ? "this" : sibling.id}
          onChoose={(next) => (chosen.value = next)}
          options={[
            { value: "this", label: localeWords(typed.locale), note: say.thisOne },
            ...others.map(({ id, locale }) => ({ value: id, label: localeWords(locale) }))
          ]}
        />
      )}
      {sibling === undefined ? <Shown live={live} typed={typed} /> : <Sibling key={sibling.id} of={sibling} />}
    </Card>
  )
}
