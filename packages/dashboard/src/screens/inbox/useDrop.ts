import { type ReadonlySignal, useSignal } from "@preact/signals"
import type { RefObject } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"
import { isOfFiles } from "./attaching.ts"

/**
 * Takes files that are dropped anywhere on the conversation around an element. The signal says whether files are above
 * it. Without `onFiles`, a drop does nothing: the browser would otherwise leave the page to open the file.
 */
export const useDrop = (
  within: RefObject<HTMLElement | null>,
  onFiles: ((files: ReadonlyArray<File>) => void) | undefined
): ReadonlySignal<boolean> => {
  const isOver = useSignal(false)
  const take = useRef(onFiles)
  take.current = onFiles
  useLayoutEffect(() => {
    const area = within.current?.parentElement
    if (area == null) return
    const over = (event: DragEvent) => {
      if (event.dataTransfer === null || !isOfFiles(event.dataTransfer.types)) return
      event.preventDefault()
      event.dataTransfer.dropEffect = take.current === undefined ? "none" : "copy"
      isOver.value = take.current !== undefined
    }
    const leave = (event: DragEvent) => {
      if (!(event.relatedTarget instanceof Node && area.contains(event.relatedTarget))) isOver.value = false
    }
    const drop = (event: DragEvent) => {
      isOver.value = false
      if (event.dataTransfer === null || !isOfFiles(event.dataTransfer.types)) return
      event.preventDefault()
      take.current?.([...event.dataTransfer.files])
    }
    area.addEventListener("dragover", over)
    area.addEventListener("dragleave", leave)
    area.addEventListener("drop", drop)
    return () => {
      area.removeEventListener("dragover", over)
      area.removeEventListener("dragleave", leave)
      area.removeEventListener("drop", drop)
    }
  }, [])
  return isOver
}
