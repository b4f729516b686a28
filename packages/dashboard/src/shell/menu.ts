import type { RouteName } from "../address/paths.ts"
import { say } from "../words/say.ts"

/** The menu groups: label, route, and the second key after `g`. */
export interface Entry {
  readonly route: Exclude<
    RouteName,
    "campaign" | "lead" | "merchant" | "person" | "template" | "verification" | "webhook"
  >
  readonly key: string
  /** Detail routes of the entry. */
  readonly below?: ReadonlyArray<RouteName>
}

export const menu: ReadonlyArray<{ readonly title: string; readonly entries: ReadonlyArray<Entry> }> = [
  {
    title: say.menu.watch,
    entries: [
      { route: "overview", key: "o" },
      { route: "verifications", key: "v", below: ["verification", "person"] },
      { route: "channels", key: "c" },
      { route: "webhooks", key: "w", below: ["webhook"] }
    ]
  },
  {
    title: say.menu.talk,
    entries: [
      { route: "inbox", key: "i", below: ["lead"] },
      { route: "campaigns", key: "b", below: ["campaign"] },
      { route: "attribution", key: "a" }
    ]
  },
  {
    title: say.menu.arrange,
    entries: [
      { route: "templates", key: "t", below: ["template"] },
      { route: "settings", key: "s" },
      { route: "keys", key: "k" },
      { route: "people", key: "p" }
    ]
  },
  {
    title: say.menu.account,
    entries: [
      { route: "money", key: "m" },
      { route: "audit", key: "l" }
    ]
  }
]

/** The operator's screen. It has its own token, and is reached by its address or the search. */
export const operator: Entry = { route: "merchants", key: "n", below: ["merchant"] }
