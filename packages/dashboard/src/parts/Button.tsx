import type { ComponentChildren } from "preact"
import { useId } from "preact/hooks"
import { type DeedName, Offer } from "../keys/offers.ts"
import { say } from "../words/say.ts"

interface Props {
  readonly children: ComponentChildren
  /** Why the button is disabled. It stays focusable and shows the reason. */
  readonly blocked?: string | undefined
  readonly busy?: boolean
  readonly kind?: "main" | "plain" | "quiet" | "danger"
  readonly onPress?: () => void
  readonly submit?: boolean
  /** Accessible name, when the content is an icon. */
  readonly label?: string
  readonly pressed?: boolean
  readonly expanded?: boolean
  readonly controls?: string
  readonly opens?: "dialog" | "menu" | "listbox"
  /** A shortcut for the same action, shown on the button. */
  readonly keyName?: string
  /** The name by which the palette runs the same action, from any screen. */
  readonly deed?: DeedName
  readonly class?: string
}

/** A button that always gives the reason when it is disabled. */
export function Button({
  blocked,
  busy = false,
  children,
  class: name,
  controls,
  deed,
  expanded,
  keyName,
  kind = "plain",
  label,
  onPress,
  opens,
  pressed,
  submit = false
}: Props) {
  const why = useId()
  const press = (event: Event) => {
    if (blocked !== undefined || busy) event.preventDefault()
    else onPress?.()
  }
  return (
    <>
      <button
        type={submit ? "submit" : "button"}
        class={`button ${name ?? ""}`}
        data-kind={kind}
        aria-disabled={blocked !== undefined || undefined}
        aria-busy={busy || undefined}
        aria-describedby={blocked === undefined ? undefined : why}
        aria-label={label}
        aria-pressed={pressed}
        aria-expanded={expanded}
        aria-controls={controls}
        aria-haspopup={opens}
        title={blocked ?? label}
        onClick={press}
      >
        {children}
        {keyName === undefined ? null : (
          <kbd class="key-name" aria-hidden="true">
            {keyName}
          </kbd>
        )}
      </button>
      {blocked === undefined ? null : (
        <span id={why} class="unseen">
          {blocked}
        </span>
      )}
      {deed === undefined ? null : <Offer name={deed} blocked={blocked} onRun={() => busy || onPress?.()} />}
    </>
  )
}

/** Copies a text to the clipboard and confirms it. */
export function Copy({ text, label }: { readonly text: string; readonly label?: string }) {
  const copy = (event: MouseEvent) => {
    const button = event.currentTarget as HTMLButtonElement
    void navigator.clipboard.writeText(text).then(() => {
      button.dataset["done"] = say.do.copied
      setTimeout(() => delete button.dataset["done"], 2_000)
    })
  }
  return (
    <button
      type="button"
      class="button copy"
      data-kind="quiet"
      onClick={copy}
      aria-label={label === undefined ? undefined : `${say.do.copy}: ${label}`}
    >
      {say.do.copy}
    </button>
  )
}
