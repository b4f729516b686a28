import type { ComponentType } from "preact"
import { useLayoutEffect, useState } from "preact/hooks"
import { tell } from "../parts/Toast.tsx"
import { say } from "../words/say.ts"

interface Closing {
  readonly onClose: () => void
}

/** A dialog in its own chunk, loaded when it is first opened. When that fails, a toast says so and the dialog closes. */
export const lazyDialog = <P extends Closing>(load: () => Promise<ComponentType<P>>): ComponentType<P> => {
  let ready: ComponentType<P> | undefined
  return function LazyDialog(props: P) {
    const [, redraw] = useState(false)
    useLayoutEffect(() => {
      if (ready !== undefined) return
      let isGone = false
      load().then(
        (loaded) => {
          ready = loaded
          if (!isGone) redraw(true)
        },
        () => {
          if (isGone) return
          props.onClose()
          tell(say.shell.chunk, { tone: "bad" })
        }
      )
      return () => void (isGone = true)
    }, [])
    const Ready = ready
    return Ready === undefined ? null : <Ready {...props} />
  }
}
