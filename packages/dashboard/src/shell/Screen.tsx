import type { ReadonlySignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"
import { say } from "../words/say.ts"
import { faceOf } from "./KeyList.tsx"
import { Button } from "../parts/Button.tsx"
import { Announcer } from "./Announcer.tsx"
import { openPalette } from "./Palette.tsx"

interface Props {
  /** Its name in the menu, and the page's heading. */
  readonly title: string
  readonly busy?: ReadonlySignal<boolean>
  /** Beside the heading. */
  readonly note?: ComponentChildren
  readonly actions?: ComponentChildren
  /** Fills the window and scrolls inside its panes, instead of growing with its content. */
  readonly fills?: boolean
  readonly children: ComponentChildren
}

/** The frame of every screen: its heading, what can be done, its content. Whoever comes by keyboard begins at the top. */
export function Screen({ actions, busy, children, fills = false, note, title }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    document.title = `${title} · ${say.name}`
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true })
  }, [title])
  return (
    <main id="content" class="screen" data-fills={fills || undefined} aria-busy={busy?.value || undefined}>
      <header class="screen-head">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {note}
        <div class="screen-actions">
          {actions}
          <Button onPress={openPalette} opens="dialog" keyName={faceOf("mod+k").join("")}>
            {say.shell.find}
          </Button>
        </div>
      </header>
      <div class="screen-body">{children}</div>
      <Announcer text={busy?.value ? say.loading : ""} />
    </main>
  )
}
