import { signal } from "@preact/signals"
import { useLayoutEffect, useRef } from "preact/hooks"

/** What a key does: its words stand in the list at `?` and in the palette. */
export type Declared = { readonly [key: string]: readonly [words: string, run: () => void] }

/** All that is declared on the page now, the latest last: one declaration feeds the key, the list and the palette. */
export const declared = signal<ReadonlyArray<Declared>>([])

/** Whether the keyboard belongs to what is focused: then only keys with a modifier are ours. */
const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches("input:not([type=checkbox],[type=radio]), textarea, select, [role=combobox], [role=textbox]"))

/** `mod+k` is ⌘K where there is a ⌘, and Ctrl+K elsewhere. Two keys after each other: `g o`. */
export const nameOf = (event: Pick<KeyboardEvent, "altKey" | "ctrlKey" | "key" | "metaKey">): string =>
  `${event.metaKey || event.ctrlKey ? "mod+" : ""}${event.altKey ? "alt+" : ""}${event.key.length === 1 ? event.key.toLowerCase() : event.key}`

let before = ""
let timer: ReturnType<typeof setTimeout> | undefined
/** How long the first of two keys waits for the second. */
const patience = 1_500

const find = (name: string) => declared.peek().findLast((each) => Object.hasOwn(each, name))?.[name]

/** Listens for every declared key, once for the page. */
export const listenForKeys = (): void =>
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing) return
    const name = nameOf(event)
    const isOurs =
      name.startsWith("mod+") || !(isTyping(event.target) || document.querySelector("dialog[open]:modal") !== null)
    if (!isOurs) return
    const found = find(before === "" ? name : `${before} ${name}`) ?? find(name)
    clearTimeout(timer)
    const begins =
      found === undefined &&
      before === "" &&
      declared.peek().some((each) => Object.keys(each).some((key) => key.startsWith(`${name} `)))
    before = begins ? name : ""
    if (begins) timer = setTimeout(() => (before = ""), patience)
    if (found === undefined) return
    event.preventDefault()
    found[1]()
  })

/** Declares keys for as long as a component is on the page. What they run may change with every render. */
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
