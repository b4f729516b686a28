import type { Item } from "../../api/Api.ts"
import { say } from "./words.ts"

export type Agent = Item<"GET /v1/dashboard/agents">
export type Role = Agent["role"]

const roles: ReadonlyArray<Role> = ["OWNER", "ADMIN", "AGENT", "VIEWER"]

/** Roles that a role can assign: owners all, admins up to their own. */
export const rolesToGive = (mine: Role): ReadonlyArray<Role> => (mine === "OWNER" ? roles : roles.slice(1))

/** Why the current user cannot change this agent, or undefined. */
export const changeRefused = (
  mine: { readonly id: number; readonly role: Role },
  agent: Pick<Agent, "id" | "role">,
  arrange: string | undefined
): string | undefined => {
  if (arrange !== undefined) return arrange
  if (agent.id === mine.id) return say.yourself
  return agent.role === "OWNER" && mine.role !== "OWNER" ? say.ownersOnly : undefined
}

/** Whether an address works only on this machine. */
export const isOfThisMachine = (url: string): boolean =>
  URL.canParse(url) && /^(localhost|.+\.localhost|127\..*|\[::1\])$/.test(new URL(url).hostname)
