import type { ComponentChildren } from "preact"
import { useId, useLayoutEffect, useRef } from "preact/hooks"
import { showToastsIn, Toasts } from "./Toast.tsx"
import { say } from "../words/say.ts"

interface Props {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
  readonly wide?: boolean
  /** At the lower edge of the window, for a phone. */
  readonly sheet?: boolean
}

/** A modal dialog. The browser traps the keyboard, Escape closes it, and focus returns to where it was. */
export function Dialog({ children, onClose, sheet = false, title, wide = false }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const name = useId()
  const isGone = useRef(false)
  useLayoutEffect(() => {
    const before = document.activeElement
    const element = dialog.current
    element?.showModal()
    const leave = showToastsIn(name)
    // Focus the first control of the content, or else the dialog: a space on the close button would close it, and the
    // rest of the typed text would go to what is behind. On a phone a focused control would open the keyboard.
    const first = element?.querySelector<HTMLElement>("input:not([type=hidden]), select, textarea, .form-foot button")
    if (!sheet) (first ?? element)?.focus()
    return () => {
      isGone.current = true
      leave()
      // Keep the keyboard out of everything behind the dialog.
      element?.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      class="dialog"
      tabIndex={-1}
      data-wide={wide || undefined}
      data-sheet={sheet || undefined}
      aria-labelledby={name}
      onClose={() => isGone.current || onClose()}
    >
      <header>
        <h2 id={name}>{title}</h2>
        <button
          type="button"
          class="button"
          data-kind="quiet"
          aria-label={say.do.close}
          onClick={() => dialog.current?.close()}
        >
          ✕
        </button>
      </header>
      {children}
      <Toasts dialog={name} />
    </dialog>
  )
}

interface ConfirmProps {
  readonly title: string
  readonly children: ComponentChildren
  readonly confirm: string
  readonly busy?: boolean
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Asks for confirmation before an action that cannot be undone. The button names the action. */
export function Confirm({ busy = false, children, confirm, onClose, onConfirm, title }: ConfirmProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="dialog-body">{children}</div>
      <div class="form-foot">
        <button
          type="button"
          class="button"
          data-kind="danger"
          aria-busy={busy || undefined}
          onClick={() => (busy ? undefined : onConfirm())}
        >
          {confirm}
        </button>
        <button type="button" class="button" data-kind="quiet" onClick={onClose}>
          {say.do.cancel}
        </button>
      </div>
    </Dialog>
  )
}
