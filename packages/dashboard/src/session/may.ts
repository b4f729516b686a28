import { settingGuards } from "@countersign/core/settingGuards"
import { say } from "../words/say.ts"
import { me } from "./session.ts"

export type Role = "OWNER" | "ADMIN" | "AGENT" | "VIEWER"
const roles: ReadonlyArray<Role> = ["OWNER", "ADMIN", "AGENT", "VIEWER"]

/** Why a role does not reach `least`, or undefined. */
export const refusalOf = (role: Role | undefined, least: Exclude<Role, "VIEWER">): string | undefined =>
  role !== undefined && roles.indexOf(role) <= roles.indexOf(least) ? undefined : say.may[least]

const atLeast = (least: Exclude<Role, "VIEWER">) => refusalOf(me.value?.agent.role, least)

/** Permissions of the current user: undefined, or the reason why not. The service enforces them as well. */
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
  /** Whether a setting can be changed, by the service's own guard. */
  set(name: keyof typeof settingGuards) {
    return atLeast(settingGuards[name] === "OWNER" ? "OWNER" : "ADMIN")
  }
}
