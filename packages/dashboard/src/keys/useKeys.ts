import { signal } from "@preact/signals"
import { useLayoutEffect, useRef } from "preact/hooks"

/** A shortcut's label, for the list and the palette, and its action. */
export type Declared = { readonly [key: string]: readonly [words: string, run: () => void] }

/** All shortcuts on the page, latest last. The key handler, the list and the palette read the same declarations. */
export const declared = signal<ReadonlyArray<Declared>>([])

/** Whether the focused element takes typing. Then only shortcuts with a modifier apply. */
const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches("input:not([type=checkbox],[type=radio]), textarea, select, [role=combobox], [role=textbox]"))

/** `mod+k` is ⌘K on a Mac and Ctrl+K elsewhere. `g o` means one key after the other. */
export const nameOf = (event: Pick<KeyboardEvent, "altKey" | "ctrlKey" | "key" | "metaKey">): string =>
  `${event.metaKey || event.ctrlKey ? "mod+" : ""}${event.altKey ? "alt+" : ""}${event.key.length === 1 ? event.key.toLowerCase() : event.key}`

let before = ""
let timer: ReturnType<typeof setTimeout> | undefined
/** Maximum time between two keys of a sequence. */
const patience = 1_500

const find = (name: string) => declared.peek().findLast((each) => Object.hasOwn(each, name))?.[name]

/** Handles all declared shortcuts. Install once per page. */
export const listenForKeys = (): void =>
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing) return
    const name = nameOf(event)
    const isOurs =
      name.startsWith("mod+") || !(isTyping(event.target) || document.querySelector("dialog[open]:modal") !== null)
    if (!isOurs) return
    const shortcut = find(before === "" ? name : `${before} ${name}`) ?? find(name)
    clearTimeout(timer)
    const begins =
      shortcut === undefined &&
      before === "" &&
      declared.peek().some((each) => Object.keys(each).some((key) => key.startsWith(`${name} `)))
    before = begins ? name : ""
    if (begins) timer = setTimeout(() => (before = ""), patience)
    if (shortcut === undefined) return
    event.preventDefault()
    shortcut[1]()
  })

/** Declares shortcuts while a component is mounted. Their actions may change with every render. */
export const useKeys = (keys: Declared): void => {
  const names = Object.entries(keys)
    .map(([key, [words]]) => `${key}=${words}`)
    .join()
  const latest = useRef(keys)
  latest.current = keys
  useLayoutEffect(() => {
    const mine: Declared = Object.fromEntries(
      Object.entries(keys).map(([key, [words]]) => [key, [words, () => latest.current[key]?.[1]()]])
    )
    declared.value = [...declared.peek(), mine]
    return () => void (declared.value = declared.peek().filter((each) => each !== mine))
  }, [names])
}
