import { useSignal } from "@preact/signals"
import { useId, useMemo } from "preact/hooks"
import { Button } from "../../parts/Button.tsx"
import { Snippet } from "../../parts/Snippet.tsx"
import { count, size } from "../../words/format.ts"
import { glance, mostBytes } from "./glance.ts"
import { columnsOf, exampleOf, type Template } from "./templates.ts"
import { say } from "./words.ts"

/** A pasted list above this length shows only its size, so that typing stays fast. */
const mostShown = 100_000

interface Props {
  readonly csv: string
  readonly onList: (csv: string) => void
  readonly template: Template | null
}

/** The recipient list: dropped, chosen or pasted. The browser shows size and columns; the service validates it. */
export function ListStep({ csv, onList, template }: Props) {
  const id = useId()
  const problem = useSignal<string | null>(null)
  const isOver = useSignal(false)
  const seen = useMemo(() => glance(csv), [csv])
  const columns = columnsOf(template?.body ?? null)
  const take = async (file: File | null | undefined) => {
    if (file == null) return
    problem.value = file.size > mostBytes ? say.tooBig(size(file.size)) : null
    if (problem.peek() === null) onList(await file.text())
  }
  return (
    <div class="form">
      <p class="hint">{columns.length === 0 ? say.hasNoPlaces : say.hasPlaces(columns.join(", "))}</p>
      <div
        class="plan-drop"
        data-over={isOver.value || undefined}
        onDragOver={(event) => {
          event.preventDefault()
          isOver.value = true
        }}
        onDragLeave={() => (isOver.value = false)}
        onDrop={(event) => {
          event.preventDefault()
          isOver.value = false
          void take(event.dataTransfer?.files[0])
        }}
      >
        <p aria-hidden="true">{say.drop}</p>
        <label class="button" for={`${id}-file`}>
          {say.choose}
        </label>
        <input
          id={`${id}-file`}
          class="unseen"
          type="file"
          accept=".csv,.txt,.tsv,text/csv,text/plain"
          onChange={(event) => void take(event.currentTarget.files?.[0])}
        />
      </div>
      {problem.value === null ? null : (
        <p class="wrong" role="alert">
          {problem.value}
        </p>
      )}
      {csv === "" ? null : (
        <div class="plan-glance" role="status">
          <p>
            <b>{say.glance(count(seen.recipients), seen.recipients, size(seen.bytes))}</b>
          </p>
          <p>
            {say.columns}:{" "}
            {seen.columns.slice(0, 20).map((column) => (
              <code key={column} class="theirs">
                {column.slice(0, 60)}{" "}
              </code>
            ))}
          </p>
          <p class="quiet">{say.kept}</p>
          <Button kind="quiet" onPress={() => onList("")}>
            {say.anotherList}
          </Button>
        </div>
      )}
      {csv.length > mostShown ? null : (
        <div class="field">
          <label for={`${id}-paste`}>{say.paste}</label>
          <textarea
            id={`${id}-paste`}
            class="mono"
            rows={6}
            wrap="off"
            aria-describedby={`${id}-hint`}
            value={csv}
            onInput={(event) => onList(event.currentTarget.value)}
          />
          <p id={`${id}-hint`} class="hint">
            {say.pasteHint}
          </p>
        </div>
      )}
      {csv === "" ? <Snippet label={say.example} text={exampleOf(columns)} /> : null}
    </div>
  )
}
