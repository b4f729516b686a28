import { effect, signal } from "@preact/signals"
import { useLayoutEffect, useRef } from "preact/hooks"
import { go, here } from "../address/here.ts"

/** Actions of a screen's buttons that the palette can run from any screen. */
export type DeedName = "invite" | "topUp" | "newKey" | "addEndpoint" | "export"

interface Offered {
  readonly name: DeedName
  readonly run: () => void
  readonly blocked: string | undefined
}

/** Actions of the buttons on the page, latest last. A screen can show the same button twice. */
const offered = signal<ReadonlyArray<Offered>>([])

/** The action that a button on the page offers now. Does not subscribe. */
export const offerOf = (name: DeedName): Offered | undefined => offered.peek().findLast((each) => each.name === name)

const asked = signal<{ readonly name: DeedName; readonly at: string } | null>(null)

// Whoever leaves the screen before its button is there no longer wants the action.
effect(() => {
  if (asked.value !== null && here.value !== asked.value.at) asked.value = null
})

/** Runs the action of a button. When the button is on another screen, opens that first. */
export const runDeed = (name: DeedName, path: string): void => {
  const offer = offerOf(name)
  if (offer !== undefined) {
    if (offer.blocked === undefined) offer.run()
    return
  }
  go(path)
  asked.value = { name, at: here.peek() }
}

interface Props {
  readonly name: DeedName
  readonly blocked: string | undefined
  readonly onRun: () => void
}

/** Offers a button's action to the palette while the button is on the page. Draws nothing. */
export function Offer({ blocked, name, onRun }: Props) {
  const latest = useRef(onRun)
  latest.current = onRun
  useLayoutEffect(() => {
    const mine: Offered = { name, run: () => latest.current(), blocked }
    offered.value = [...offered.peek(), mine]
    if (asked.peek()?.name === name) {
      asked.value = null
      if (blocked === undefined) mine.run()
    }
    return () => void (offered.value = offered.peek().filter((each) => each !== mine))
  }, [name, blocked])
  return null
}
