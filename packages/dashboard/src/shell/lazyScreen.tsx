import type { ComponentType } from "preact"
import { useLayoutEffect, useState } from "preact/hooks"
import { connection } from "../live/live.ts"
import { say } from "../words/say.ts"
import { Button } from "../parts/Button.tsx"

type Load = () => Promise<{ readonly default: ComponentType }>

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))

/** A chunk that did not come is asked for twice more; a browser keeps a failed import only as long as its address. */
const patiently = async (load: Load) => {
  for (const wait of [500, 2_000]) {
    const loaded = await load().catch(() => undefined)
    if (loaded !== undefined) return loaded
    await pause(wait)
  }
  return load()
}

/** A screen in a chunk of its own. While it comes the frame stays; if it does not come, a reload is offered. */
export const lazyScreen = (load: Load): ComponentType => {
  let ready: ComponentType | undefined
  return function LazyScreen() {
    const back = connection.value === "open"
    const [state, setState] = useState<"loading" | "failed" | "ready">(ready === undefined ? "loading" : "ready")
    useLayoutEffect(() => {
      if (ready !== undefined) return
      let isGone = false
      setState("loading")
      patiently(load).then(
        (loaded) => {
          ready = loaded.default
          if (!isGone) setState("ready")
        },
        () => isGone || setState("failed")
      )
      return () => void (isGone = true)
      // A screen that did not come while the service was away is asked for again when the connection is back.
    }, [back])
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
