import { useSignal } from "@preact/signals"
import { useId, useMemo } from "preact/hooks"
import { Field } from "../../parts/Form.tsx"
import { choicesOf, entriesOf, entryName } from "./entries.ts"
import type { ListOf } from "./spec.ts"
import { say } from "./words.ts"

interface Props {
  readonly title: string
  readonly name: string
  readonly of: ListOf
  /** Entries, one a line. */
  readonly value: string
  readonly onType: (text: string) => void
  readonly problem: string | undefined
  readonly placeholder: string | undefined
  readonly locked: boolean
}

/** A list whose entries are chips. A text that is no entry stays in the field with the reason. */
export function Chips({ locked, name, of, onType, placeholder, problem, title, value }: Props) {
  const id = useId()
  const text = useSignal("")
  const wrong = useSignal<string | null>(null)
  const choices = useMemo(() => choicesOf(of), [of])
  const entries = value.split("\n").filter((entry) => entry !== "")
  const write = (next: ReadonlyArray<string>) => onType([...new Set(next)].join("\n"))
  const add = () => {
    if (text.peek().trim() === "" || locked) return
    const { entries: more, rest } = entriesOf(text.peek(), of)
    if (more.length > 0) write([...entries, ...more])
    text.value = rest
    wrong.value = rest === "" ? null : say.noEntry[of]
  }
  return (
    <Field label={title} name={name} problem={wrong.value ?? problem} hint={say.addEntry[of]}>
      {(given) => (
        <div class="setting-chips">
          {entries.length === 0 ? null : (
            <ul role="list" aria-label={title}>
              {entries.map((entry) => (
                <li key={entry} class="chip">
                  {entryName(entry, of)}
                  {locked ? null : (
                    <button
                      type="button"
                      aria-label={say.removeEntry(entryName(entry, of))}
                      onClick={() => write(entries.filter((each) => each !== entry))}
                    >
                      ×
                    </button>
                  )}
                </li>
              ))}
            </ul>
          )}
          <input
            {...given}
            list={choices.length === 0 ? undefined : `${id}-choices`}
            inputMode={of === "prefixes" ? "tel" : "text"}
            autocomplete="off"
            spellcheck={false}
            readOnly={locked}
            placeholder={entries.length === 0 ? placeholder : undefined}
            value={text.value}
            onInput={(event) => {
              text.value = event.currentTarget.value
              wrong.value = null
              // A choice of the list needs no Enter. A typed name does: "Niger" may become "Nigeria".
              if (event.inputType === "insertReplacementText") add()
            }}
            onBlur={add}
            onKeyDown={(event) => {
              // Enter adds an entry and never saves, so that one too many changes nothing.
              if (event.key === "Enter") {
                event.preventDefault()
                add()
              }
            }}
          />
          {choices.length === 0 ? null : (
            <datalist id={`${id}-choices`}>
              {choices.map(([entry, each]) => (entries.includes(entry) ? null : <option key={entry} value={each} />))}
            </datalist>
          )}
        </div>
      )}
    </Field>
  )
}
