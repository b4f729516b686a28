import { signal } from "@preact/signals"
import type { Entry } from "./menu.ts"

export interface Badge {
  readonly text: string
  readonly bad?: boolean
  /** Description of the number, for screen readers. */
  readonly label?: string
}

/** Badges of menu entries. */
export const badges = signal<{ readonly [route in Entry["route"]]?: Badge }>({})
