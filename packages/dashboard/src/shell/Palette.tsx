import { effect, signal } from "@preact/signals"
import { useLayoutEffect } from "preact/hooks"
import { environment, match } from "../address/here.ts"
import { useKeys } from "../keys/useKeys.ts"
import { recentRoutes, rememberRecent } from "../session/recent.ts"
import { me, ownerOf } from "../session/session.ts"
import { say } from "../words/say.ts"
import { lazyDialog } from "./lazyDialog.tsx"

/** The text that the palette opens with. Null while it is closed. */
const opened = signal<string | null>(null)
export const openPalette = (text = ""): void => void (opened.value = text)

const load = () => import("./Finder.tsx").then((loaded) => loaded.Finder)
const Finder = lazyDialog(load)

/** Remembers each opened item for the palette. */
const keepRecents = () =>
  effect(() => {
    const [at, user] = [match.value, me.value]
    const route = recentRoutes.find((each) => each === at?.route)
    const id = at?.params["requestId"] ?? at?.params["id"]
    if (route !== undefined && id !== undefined && user != null)
      rememberRecent(ownerOf(user), environment.peek(), { route, id })
  })

/** The search and command line of the page. It loads when the browser is idle, so that the first letter is not lost. */
export function Palette() {
  useKeys({ "mod+k": [say.shell.find, openPalette] })
  useLayoutEffect(keepRecents, [])
  useLayoutEffect(() => {
    // Safari has no idle callback.
    const later = globalThis.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 2_000))
    later(() => void load().catch(() => {}))
  }, [])
  return opened.value === null ? null : <Finder text={opened.value} onClose={() => (opened.value = null)} />
}
