import type { ComponentType } from "preact"
import { useLayoutEffect, useState } from "preact/hooks"
import { tell } from "../parts/Toast.tsx"
import { say } from "../words/say.ts"

interface Closing {
  readonly onClose: () => void
}

/** A part in its own chunk, loaded when it is first drawn. When that fails, a toast says so. */
export const lazyPart = <P extends object>(
  load: () => Promise<ComponentType<P>>,
  Waiting: ComponentType<P> | null,
  onFailed: (props: P) => void = () => {}
): ComponentType<P> => {
  let ready: ComponentType<P> | undefined
  return function LazyPart(props: P) {
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
          onFailed(props)
          tell(say.shell.chunk, { tone: "bad" })
        }
      )
      return () => void (isGone = true)
    }, [])
    const Drawn = ready ?? Waiting
    return Drawn === null ? null : <Drawn {...props} />
  }
}

/** A dialog in its own chunk. When it cannot be loaded, it closes. */
export const lazyDialog = <P extends Closing>(load: () => Promise<ComponentType<P>>): ComponentType<P> =>
  lazyPart(load, null, ({ onClose }) => onClose())
