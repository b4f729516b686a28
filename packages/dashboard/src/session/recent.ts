import type { Environment } from "../api/place.ts"

/** Screens of one item. The palette lists those that were opened last. */
export const recentRoutes = ["verification", "person", "lead", "campaign", "webhook"] as const

/** An opened item: its screen, and the reference in its address. No name, number or address. */
export interface Recent {
  readonly route: (typeof recentRoutes)[number]
  readonly id: string
}

/** The opened items of one team member, by environment. */
export interface Kept {
  readonly owner: string
  readonly live: ReadonlyArray<Recent>
  readonly test: ReadonlyArray<Recent>
}

const key = "countersign.recent"
const most = 6

const isRecent = (value: unknown): value is Recent =>
  typeof value === "object" &&
  value !== null &&
  recentRoutes.some((route) => "route" in value && route === value.route) &&
  "id" in value &&
  typeof value.id === "string"

/** Reads stored items. Those of another team member or merchant are dropped. */
export const keptFrom = (text: string | null, owner: string): Kept => {
  let stored: unknown = null
  try {
    stored = JSON.parse(text ?? "null")
  } catch {
    // Another version of the page wrote it.
  }
  const { live, owner: of, test } = (stored ?? {}) as { readonly [name: string]: unknown }
  const listed = (list: unknown) => (of === owner && Array.isArray(list) ? list.filter(isRecent).slice(0, most) : [])
  return { owner, live: listed(live), test: listed(test) }
}

/** Puts an item first. The oldest beyond the limit is dropped. */
export const withRecent = (kept: Kept, environment: Environment, { id, route }: Recent): Kept => ({
  ...kept,
  [environment]: [{ route, id }, ...kept[environment].filter((each) => each.route !== route || each.id !== id)].slice(
    0,
    most
  )
})

export const recentsOf = (owner: string, environment: Environment): ReadonlyArray<Recent> =>
  keptFrom(localStorage.getItem(key), owner)[environment]

export const rememberRecent = (owner: string, environment: Environment, recent: Recent): void =>
  localStorage.setItem(key, JSON.stringify(withRecent(keptFrom(localStorage.getItem(key), owner), environment, recent)))

export const forgetRecents = (): void => localStorage.removeItem(key)
