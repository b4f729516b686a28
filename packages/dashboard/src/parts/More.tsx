import type { ComponentChildren } from "preact"
import { useId, useLayoutEffect, useRef } from "preact/hooks"

interface Props {
  /** Accessible name of the menu's button and of the group. */
  readonly label: string
  /** Buttons of rare actions. */
  readonly children: ComponentChildren
}

/** Rare actions behind one button. Escape, a press outside and a chosen action close it. */
export function More({ children, label }: Props) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = list.current
    const close = (event: MouseEvent) => {
      const button = (event.target as Element).closest("button")
      if (button !== null && button.getAttribute("aria-disabled") === null) element?.hidePopover()
    }
    element?.addEventListener("click", close)
    return () => element?.removeEventListener("click", close)
  }, [])
  return (
    <>
      <button type="button" class="button more-button" aria-label={label} title={label} popovertarget={id}>
        ⋯
      </button>
      <div ref={list} id={id} popover="auto" class="more" role="group" aria-label={label}>
        {children}
      </div>
    </>
  )
}
