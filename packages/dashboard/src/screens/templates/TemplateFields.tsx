import { useRef } from "preact/hooks"
import { Choice } from "../../parts/Choice.tsx"
import { Field, TextField } from "../../parts/Form.tsx"
import { useChannels } from "../../query/useChannels.ts"
import { useQuery } from "../../query/useQuery.ts"
import { begun, placeholdersOf, problemsOf, purposes, type TextName, textsOf, type Typed } from "./template.ts"
import type { LivePreview } from "./usePreview.ts"
import { problemText } from "../../words/problemText.ts"
import { say } from "./words.ts"
import { channelName, channelNames } from "../../words/channels.ts"

type Type = (next: Partial<Typed>) => void

/** Purpose, channel and name. Channel and purpose cannot change after creation. */
export function Head({
  isNew,
  onType,
  typed
}: {
  readonly typed: Typed
  readonly isNew: boolean
  readonly onType: Type
}) {
  useChannels()
  const begin = (channel: Typed["channel"], purpose: Typed["purpose"]) => {
    const before = begun(typed.channel, typed.purpose)
    const next = begun(channel, purpose)
    // An untouched default text is replaced when the channel changes. Typed text stays.
    const words = (["subject", "body"] as const).filter((name) => typed[name] === before[name])
    onType({ channel, purpose, ...Object.fromEntries(words.map((name) => [name, next[name]])) })
  }
  return (
    <>
      {isNew ? (
        <div class="template-kind">
          <div class="field">
            <span class="field-name" aria-hidden="true">
              {say.channel}
            </span>
            <Choice
              label={say.channel}
              value={typed.channel}
              onChoose={(channel) => begin(channel, typed.purpose)}
              options={channelNames().map((value) => ({ value, label: channelName(value) }))}
            />
          </div>
          <div class="field">
            <span class="field-name" aria-hidden="true">
              {say.purpose}
            </span>
            <Choice
              label={say.purpose}
              value={typed.purpose}
              onChoose={(purpose) => begin(typed.channel, purpose)}
              options={purposes.map((value) => ({ value, label: say.purposes[value] }))}
            />
          </div>
        </div>
      ) : (
        <p class="quiet">
          {channelName(typed.channel)} · {say.purposes[typed.purpose]}
        </p>
      )}
      <div class="template-kind">
        <TextField
          label={say.name}
          name="name"
          hint={say.nameHint}
          maxLength={100}
          autocomplete="off"
          value={typed.name}
          onType={(typed) => onType({ name: typed })}
        />
        <TextField
          label={say.language}
          name="locale"
          hint={say.languageHint}
          maxLength={8}
          autocomplete="off"
          spellcheck={false}
          placeholder={say.everyLanguage}
          value={typed.locale}
          onType={(typed) => onType({ locale: typed })}
        />
      </div>
    </>
  )
}

const hints: { readonly [N in TextName]?: string } = {
  html: say.htmlHint,
  header: say.headerHint,
  dltTemplateId: say.dltTemplateIdHint,
  dltText: say.dltTextHint,
  whatsappName: say.whatsappNameHint,
  whatsappLanguage: say.whatsappLanguageHint
}
const rows: { readonly [N in TextName]?: number } = { body: 4, html: 8, dltText: 2 }
const filled: ReadonlyArray<TextName> = ["subject", "body", "html"]

/** The text fields of a channel with their findings, and buttons that insert variables at the cursor. */
export function Texts({
  onType,
  preview,
  typed
}: {
  readonly typed: Typed
  readonly onType: Type
  readonly preview: LivePreview
}) {
  const senders = useQuery("GET /v1/dashboard/sender-ids", () => ({}), "template")
  const last = useRef<HTMLTextAreaElement | HTMLInputElement | null>(null)
  const names = textsOf(typed.channel, typed.purpose)
  const failure = preview.failure.value
  const findings =
    failure === null
      ? (preview.answer.value?.findings ?? []).map((finding) => ({ ...finding, problem: problemText(finding) }))
      : []
  const headers = senders.answer.value?.items.map(({ header }) => header) ?? []

  const put = (placeholder: string) => {
    const field = last.current?.isConnected
      ? last.current
      : document.querySelector<HTMLTextAreaElement>("textarea[name=body]")
    if (field === null) return
    field.focus()
    field.setRangeText(`{{${placeholder}}}`, field.selectionStart ?? 0, field.selectionEnd ?? 0, "end")
    onType({ [field.name]: field.value })
  }
  const draw = (name: TextName) => {
    const problems = problemsOf(name, findings, failure)
    const errors = problems.filter(({ severity }) => severity === "error").map(({ problem }) => problem)
    const warnings = problems.filter(({ severity }) => severity === "warning").map(({ problem }) => problem)
    const hint = (
      <>
        {hints[name]}
        {warnings.map((problem) => (
          <span key={problem} class="warn template-warning">
            ⚠ {problem}
          </span>
        ))}
      </>
    )
    const write = (event: { readonly currentTarget: { readonly value: string } }) =>
      onType({ [name]: event.currentTarget.value })
    const focus = (event: { readonly currentTarget: HTMLTextAreaElement | HTMLInputElement }) => {
      if (filled.includes(name)) last.current = event.currentTarget
    }
    return (
      <Field
        key={name}
        label={say[name]}
        name={name}
        hint={hint}
        problem={errors.length === 0 ? undefined : errors.join("; ")}
      >
        {(inputProps) =>
          rows[name] !== undefined ? (
            <textarea
              {...inputProps}
              rows={Math.min(16, Math.max(rows[name], typed[name].split("\n").length))}
              class={name === "html" ? "mono" : undefined}
              dir="auto"
              lang={typed.locale || undefined}
              spellcheck={name === "body"}
              value={typed[name]}
              onFocus={focus}
              onInput={write}
            />
          ) : name === "header" && headers.length > 0 ? (
            <select {...inputProps} value={typed.header} onChange={write}>
              <option value="">{say.headerNone}</option>
              {[...new Set([...headers, ...(typed.header === "" ? [] : [typed.header])])].map((header) => (
                <option key={header} value={header}>
                  {header}
                </option>
              ))}
            </select>
          ) : (
            <input
              {...inputProps}
              dir="auto"
              spellcheck={name === "subject"}
              autocomplete="off"
              value={typed[name]}
              onFocus={focus}
              onInput={write}
            />
          )
        }
      </Field>
    )
  }
  const words = names.filter((name) => filled.includes(name))
  const emptyFields = names.filter((name) => !filled.includes(name))
  const ofIndia = typed.channel === "SMS"
  return (
    <>
      {ofIndia ? null : emptyFields.map(draw)}
      {words.map(draw)}
      {words.length === 0 ? null : (
        <div class="placeholders" role="group" aria-label={say.putIn}>
          <span class="quiet">{say.putIn}</span>
          {placeholdersOf(typed.purpose).map((placeholder) => (
            <button
              key={placeholder}
              type="button"
              class="button"
              title={`{{${placeholder}}}`}
              // Keep the cursor where the user types.
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => put(placeholder)}
            >
              {say.placeholders[placeholder] ?? placeholder}
            </button>
          ))}
          {typed.purpose === "MESSAGE" ? <span class="quiet">{say.column}</span> : null}
        </div>
      )}
      {ofIndia ? (
        <details class="template-dlt" open={emptyFields.some((name) => typed[name] !== "")}>
          <summary>{say.dlt}</summary>
          <div class="form">{emptyFields.map(draw)}</div>
        </details>
      ) : null}
    </>
  )
}
