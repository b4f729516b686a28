import type { ReadonlySignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"
import { environment } from "../address/here.ts"
import { say } from "../words/say.ts"
import { faceOf } from "./KeyList.tsx"
import { Button } from "../parts/Button.tsx"
import { Announcer } from "./Announcer.tsx"
import { lazyPart } from "./lazyDialog.tsx"
import { isPhone } from "./narrow.ts"
import { openPalette } from "./Palette.tsx"
import { titleOf } from "./titleOf.ts"

interface Props {
  /** Heading of the page, as in the menu. */
  readonly title: string
  readonly busy?: ReadonlySignal<boolean>
  /** Content next to the heading. */
  readonly note?: ComponentChildren
  readonly actions?: ComponentChildren
  /** Fills the window and scrolls inside its panes, instead of growing with its content. */
  readonly fills?: boolean
  /** A number at the beginning of the tab's title. */
  readonly count?: string | undefined
  readonly children: ComponentChildren
}

/** Loaded on phones alone. */
const PhoneActions = lazyPart(() => import("./Phone.tsx").then((loaded) => loaded.PhoneActions), null)

/** Frame of all screens: heading, actions, content. Keyboard users start at the heading. */
export function Screen({ actions, busy, children, count, fills = false, note, title }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    document.title = titleOf([...(environment.value === "test" ? [say.environment.test] : []), title, say.name], count)
  }, [title, count])
  useLayoutEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true })
  }, [title])
  return (
    <main id="content" class="screen" data-fills={fills || undefined} aria-busy={busy?.value || undefined}>
      <header class="screen-head" data-phone={isPhone.value || undefined}>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {note}
        <div class="screen-actions">
          {isPhone.value ? (
            <PhoneActions actions={actions} />
          ) : (
            <>
              {actions}
              <Button onPress={openPalette} opens="dialog" keyName={faceOf("mod+k").join("")}>
                {say.shell.find}
              </Button>
            </>
          )}
        </div>
      </header>
      <div class="screen-body">{children}</div>
      <Announcer text={busy?.value ? say.loading : ""} />
    </main>
  )
}
