import { settingGuards } from "@countersign/core/settingGuards"
import { say } from "../words/say.ts"
import { me } from "./session.ts"

export type Role = "OWNER" | "ADMIN" | "AGENT" | "VIEWER"
const roles: ReadonlyArray<Role> = ["OWNER", "ADMIN", "AGENT", "VIEWER"]

/** Why somebody with this role may not do what asks for `least`; undefined: they may. */
export const refusalOf = (role: Role | undefined, least: Exclude<Role, "VIEWER">): string | undefined =>
  role !== undefined && roles.indexOf(role) <= roles.indexOf(least) ? undefined : say.may[least]

const atLeast = (least: Exclude<Role, "VIEWER">) => refusalOf(me.value?.agent.role, least)

/** What whoever is here may do: undefined, or the sentence why not. A service that was asked all the same says it too. */
export const may = {
  get work() {
    return atLeast("AGENT")
  },
  get arrange() {
    return atLeast("ADMIN")
  },
  get own() {
    return atLeast("OWNER")
  },
  /** Change a setting, by the guard that the service has for it. */
  set(name: keyof typeof settingGuards) {
    return atLeast(settingGuards[name] === "OWNER" ? "OWNER" : "ADMIN")
  }
}
