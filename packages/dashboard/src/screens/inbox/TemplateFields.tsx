import { useId } from "preact/hooks"
import { paths } from "../../address/here.ts"
import { useQuery } from "../../query/useQuery.ts"
import { say as shared } from "../../words/say.ts"
import { filled, nameOf, placesOf, sendable, valuesFor } from "./templateChoice.ts"
import { say } from "./words.ts"

/** A template with its variable values. Keeping the body allows sending while the list reloads. */
export interface TemplateDraft {
  readonly name: string
  readonly body: string | null
  readonly byName: { readonly [place: string]: string }
  /** One value per line, for a template whose text only WhatsApp has. */
  readonly lines: string
}
export const emptyTemplateDraft: TemplateDraft = { name: "", body: null, byName: {}, lines: "" }

const linesIn = (text: string) =>
  text.trim() === ""
    ? []
    : text
        .trim()
        .split("\n")
        .map((line) => line.trim())

/** The request body, or why it is incomplete. */
export const replyOf = ({ body, byName, lines, name }: TemplateDraft) => {
  const missing = placesOf(body).find((place) => (byName[place] ?? "").trim() === "")
  return {
    blocked: name === "" ? say.noTemplateChosen : missing === undefined ? undefined : say.valueMissing(missing),
    body: { template: name, values: body === null ? linesIn(lines) : valuesFor(body, byName) }
  }
}

interface Props {
  readonly value: TemplateDraft
  readonly onChange: (next: TemplateDraft) => void
}

/** Selects a template and fills its variables, with a preview. */
export function TemplateFields({ onChange, value }: Props) {
  const id = useId()
  const query = useQuery("GET /v1/dashboard/templates", () => ({ query: { limit: 200 } }), "template")
  const templates = sendable(query.answer.value?.items ?? [])
  if (query.answer.value === null) return <p class="quiet">{shared.loading}…</p>
  if (templates.length === 0 && value.name === "")
    return (
      <p>
        {say.noTemplates} <a href={paths.templates()}>{say.toTemplates}</a>
      </p>
    )
  const choose = (name: string) => {
    const body = templates.find((template) => nameOf(template) === name)?.body ?? null
    onChange({ ...emptyTemplateDraft, name, body, byName: value.byName })
  }
  return (
    <div class="template-fields">
      <label for={id}>{say.templateLabel}</label>
      <select id={id} value={value.name} onChange={(event) => choose(event.currentTarget.value)}>
        <option value="">{say.chooseTemplate}</option>
        {templates.map((template) => (
          <option key={template.id} value={nameOf(template)}>
            {template.name} ({nameOf(template)})
          </option>
        ))}
      </select>
      {placesOf(value.body).map((place) => (
        <div key={place} class="template-place">
          <label for={`${id}-${place}`}>{place}</label>
          <input
            id={`${id}-${place}`}
            dir="auto"
            value={value.byName[place] ?? ""}
            onInput={(event) => onChange({ ...value, byName: { ...value.byName, [place]: event.currentTarget.value } })}
          />
        </div>
      ))}
      {value.name === "" ? null : value.body === null ? (
        <>
          <label for={`${id}-lines`}>{say.values}</label>
          <textarea
            id={`${id}-lines`}
            rows={3}
            aria-describedby={`${id}-hint`}
            value={value.lines}
            onInput={(event) => onChange({ ...value, lines: event.currentTarget.value })}
          />
          <p id={`${id}-hint`} class="hint">
            {say.onlyWhatsAppHasWords}
          </p>
        </>
      ) : (
        <p class="reply-preview">
          <span class="quiet">{say.preview}: </span>
          <span class="theirs" dir="auto">
            {filled(value.body, value.byName)}
          </span>
        </p>
      )}
    </div>
  )
}
