import { signal } from "@preact/signals"
import type { Entry } from "./menu.ts"

export interface Badge {
  readonly text: string
  readonly bad?: boolean
  /** What a figure alone is of, for who hears it. */
  readonly label?: string
}

/** Short words beside an entry of the menu: what needs somebody there. */
export const badges = signal<{ readonly [route in Entry["route"]]?: Badge }>({})
