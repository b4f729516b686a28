import type { ComponentType } from "preact"
import { useLayoutEffect, useRef, useState } from "preact/hooks"
import { connection } from "../live/live.ts"
import { say } from "../words/say.ts"
import { Button } from "../parts/Button.tsx"

type Load = () => Promise<{ readonly default: ComponentType }>

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))

/** Tries twice more. Chromium caches the failed import; other browsers load again. */
const patiently = async (load: Load) => {
  for (const wait of [500, 2_000]) {
    const loaded = await load().catch(() => undefined)
    if (loaded !== undefined) return loaded
    await pause(wait)
  }
  return load()
}

/**
 * A screen in its own chunk. The frame stays while it loads. On failure a reload is offered. After a lost connection
 * the page reloads when it is back, because a browser does not repeat a failed import. An open dialog prevents that
 * reload, because it may contain input.
 */
export const lazyScreen = (load: Load): ComponentType => {
  let ready: ComponentType | undefined
  return function LazyScreen() {
    const [state, setState] = useState<"loading" | "failed" | "ready">(ready === undefined ? "loading" : "ready")
    const wasLost = useRef(false)
    if (connection.value === "lost") wasLost.current = true
    const isBack = wasLost.current && connection.value === "open"
    useLayoutEffect(() => {
      if (ready !== undefined) return
      let isGone = false
      patiently(load).then(
        (loaded) => {
          ready = loaded.default
          if (!isGone) setState("ready")
        },
        () => isGone || setState("failed")
      )
      return () => void (isGone = true)
    }, [])
    useLayoutEffect(() => {
      if (isBack && state === "failed" && document.querySelector("dialog[open]") === null) location.reload()
    }, [isBack, state])
    if (ready !== undefined) {
      const Ready = ready
      return <Ready />
    }
    return (
      <main id="content" class="screen" aria-busy={state === "loading" || undefined}>
        {state === "loading" ? (
          <p class="waiting">{say.loading}…</p>
        ) : (
          <div class="empty" role="alert">
            <h1>{say.shell.chunk}</h1>
            <Button onPress={() => location.reload()}>{say.shell.reload}</Button>
          </div>
        )}
      </main>
    )
  }
}
