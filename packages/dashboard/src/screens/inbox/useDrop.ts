import { type ReadonlySignal, useSignal } from "@preact/signals"
import type { RefObject } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"
import { isOfFiles } from "./attaching.ts"

/**
 * Takes files that are pasted into the composer or dropped onto the conversation around it. The signal says whether files
 * are above it. Without `onFiles`, a drop does nothing: the browser would otherwise leave the page to open the file.
 */
export const useDrop = (
  composer: RefObject<HTMLElement | null>,
  onFiles: ((files: ReadonlyArray<File>) => void) | undefined
): ReadonlySignal<boolean> => {
  const isOver = useSignal(false)
  const latest = useRef(onFiles)
  latest.current = onFiles
  useLayoutEffect(() => {
    const [within, area] = [composer.current, composer.current?.parentElement]
    if (within == null || area == null) return
    const paste = (event: ClipboardEvent) => {
      const data = event.clipboardData
      if (latest.current === undefined || data === null || !isOfFiles(data.types) || data.files.length === 0) return
      event.preventDefault()
      latest.current([...data.files])
    }
    const over = (event: DragEvent) => {
      if (event.dataTransfer === null || !isOfFiles(event.dataTransfer.types)) return
      event.preventDefault()
      isOver.value = latest.current !== undefined
      event.dataTransfer.dropEffect = isOver.value ? "copy" : "none"
    }
    const leave = (event: DragEvent) => {
      if (!(event.relatedTarget instanceof Node && area.contains(event.relatedTarget))) isOver.value = false
    }
    const drop = (event: DragEvent) => {
      isOver.value = false
      if (event.dataTransfer === null || !isOfFiles(event.dataTransfer.types)) return
      event.preventDefault()
      latest.current?.([...event.dataTransfer.files])
    }
    const stop = new AbortController()
    const { signal } = stop
    within.addEventListener("paste", paste, { signal })
    area.addEventListener("dragover", over, { signal })
    area.addEventListener("dragleave", leave, { signal })
    area.addEventListener("drop", drop, { signal })
    return () => stop.abort()
  }, [])
  return isOver
}
