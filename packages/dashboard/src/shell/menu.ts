import type { RouteName } from "../address/paths.ts"
import { type Role, refusalOf } from "../session/may.ts"
import { me } from "../session/session.ts"
import { say } from "../words/say.ts"

/** The menu groups: label, route, and the second key after `g`. */
export interface Entry {
  readonly route: Exclude<
    RouteName,
    "campaign" | "lead" | "merchant" | "person" | "template" | "verification" | "webhook"
  >
  readonly key: string
  /** The role that may read the screen, where not every role may. */
  readonly least?: Exclude<Role, "VIEWER">
  /** Detail routes of the entry. */
  readonly below?: ReadonlyArray<RouteName>
}

interface Group {
  readonly title: string
  readonly entries: ReadonlyArray<Entry>
}

export const menu: ReadonlyArray<Group> = [
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
      { route: "protection", key: "f" },
      { route: "settings", key: "s" },
      { route: "keys", key: "k" },
      { route: "hooks", key: "h" },
      { route: "team", key: "p" }
    ]
  },
  {
    title: say.menu.account,
    entries: [
      { route: "money", key: "m" },
      { route: "audit", key: "l", least: "ADMIN" }
    ]
  }
]

/** The screens that a role can read. Without a session, such as for the operator, all of them. */
export const menuOf = (role: Role | undefined): ReadonlyArray<Group> =>
  menu.map(({ entries, title }) => ({
    title,
    entries: entries.filter(
      ({ least }) => least === undefined || role === undefined || refusalOf(role, least) === undefined
    )
  }))

/** The menu of the current user. Reads a signal. */
export const ownMenu = (): ReadonlyArray<Group> => menuOf(me.value?.agent.role)

/** The screens that a role uses most, for the bar at the lower edge of a phone. */
export const mostUsedBy = (role: Role): ReadonlyArray<"overview" | "verifications" | "inbox"> =>
  role === "AGENT" ? ["inbox", "verifications"] : ["overview", "verifications", "inbox"]

/** The operator's screen. It has its own token, and is reached by its address or the search. */
export const operator: Entry = { route: "merchants", key: "n", below: ["merchant"] }
