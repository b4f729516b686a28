import { signal } from "@preact/signals"
import { say } from "../words/say.ts"

interface Note {
  readonly id: number
  readonly words: string
  readonly tone: "good" | "bad"
  readonly undo: (() => void) | undefined
}

const notes = signal<ReadonlyArray<Note>>([])
let last = 0
const forget = (id: number) => (notes.value = notes.peek().filter((note) => note.id !== id))
const patience = 8_000

/** Says what happened, aloud as well, for as long as it takes to read it and to take it back. */
export const tell = (
  words: string,
  { tone = "good", undo }: { readonly tone?: "good" | "bad"; readonly undo?: () => void } = {}
): void => {
  const id = ++last
  notes.value = [...notes.peek().slice(-2), { id, words, tone, undo }]
  setTimeout(() => forget(id), patience)
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {notes.value.map(({ id, tone, undo, words }) => (
        <p key={id} class="toast" data-tone={tone}>
          <span class="theirs">{words}</span>
          {undo === undefined ? null : (
            <button type="button" class="button" data-kind="quiet" onClick={() => (forget(id), undo())}>
              {say.do.undo}
            </button>
          )}
          <button type="button" class="button" data-kind="quiet" aria-label={say.do.close} onClick={() => forget(id)}>
            ✕
          </button>
        </p>
      ))}
    </div>
  )
}
