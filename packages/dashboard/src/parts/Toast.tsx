import { signal } from "@preact/signals"
import { say } from "../words/say.ts"

interface Note {
  readonly id: number
  readonly words: string
  readonly tone: "good" | "bad"
  readonly undo: (() => void) | undefined
}

const notes = signal<ReadonlyArray<Note>>([])
/** Open dialogs, topmost last. A modal dialog makes the rest of the page inert, so it renders the toasts itself. */
const dialogs = signal<ReadonlyArray<string>>([])
/** Renders toasts in this dialog until the returned function is called. */
export const showToastsIn = (dialog: string): (() => void) => {
  dialogs.value = [...dialogs.peek(), dialog]
  return () => (dialogs.value = dialogs.peek().filter((each) => each !== dialog))
}
let last = 0
const forget = (id: number) => (notes.value = notes.peek().filter((note) => note.id !== id))
const patience = 8_000

/** Shows a toast, also to screen readers, long enough to read it and to undo the action. */
export const tell = (
  words: string,
  { tone = "good", undo }: { readonly tone?: "good" | "bad"; readonly undo?: () => void } = {}
): void => {
  const id = ++last
  notes.value = [...notes.peek().slice(-2), { id, words, tone, undo }]
  setTimeout(() => forget(id), patience)
}

/**
 * The toasts, in the topmost dialog or else in the page. The region is always there, because a screen reader announces
 * only text that is added to an existing one.
 */
export function Toasts({ dialog }: { readonly dialog?: string }) {
  const shown = dialogs.value.at(-1) === dialog ? notes.value : []
  return (
    <div class="toasts" role="status" aria-live="polite">
      {shown.map(({ id, tone, undo, words }) => (
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
