import type { ComponentChildren } from "preact"
import { useId, useLayoutEffect, useRef } from "preact/hooks"
import { showToastsIn, Toasts } from "./Toast.tsx"
import { say } from "../words/say.ts"

interface Props {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
  readonly wide?: boolean
}

/** A modal dialog: the browser keeps the keyboard in it, Escape closes it, and focus goes back where it was. */
export function Dialog({ children, onClose, title, wide = false }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const name = useId()
  const isGone = useRef(false)
  useLayoutEffect(() => {
    const before = document.activeElement
    const element = dialog.current
    element?.showModal()
    const leave = showToastsIn(name)
    // Whoever opens a dialog wants to write or decide in it: the first control of its content, not the way out.
    dialog.current?.querySelector<HTMLElement>("input:not([type=hidden]), select, textarea, .form-foot button")?.focus()
    return () => {
      isGone.current = true
      leave()
      // While it is open nothing behind it can have the keyboard.
      element?.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      class="dialog"
      data-wide={wide || undefined}
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

/** Asks before what cannot be taken back. The button says what it does. */
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
