import type { Item } from "../../api/Api.ts"
import { say } from "./words.ts"

export type Agent = Item<"GET /v1/dashboard/agents">
export type Role = Agent["role"]

const roles: ReadonlyArray<Role> = ["OWNER", "ADMIN", "AGENT", "VIEWER"]

/** Which roles somebody may give: owners all, admins those up to their own. */
export const rolesToGive = (mine: Role): ReadonlyArray<Role> => (mine === "OWNER" ? roles : roles.slice(1))

/** Why whoever is here may not change this agent; undefined: they may. */
export const changeRefused = (
  mine: { readonly id: number; readonly role: Role },
  agent: Pick<Agent, "id" | "role">,
  arrange: string | undefined
): string | undefined => {
  if (arrange !== undefined) return arrange
  if (agent.id === mine.id) return say.yourself
  return agent.role === "OWNER" && mine.role !== "OWNER" ? say.ownersOnly : undefined
}

/** A browser in two words: which one, and on what. The exact text is on hover. */
export const browserOf = (userAgent: string | null): string => {
  if (userAgent === null) return "–"
  const browsers = [
    [/Edg\//, "Edge"],
    [/OPR\//, "Opera"],
    [/Firefox\//, "Firefox"],
    [/Chrome\//, "Chrome"],
    [/Safari\//, "Safari"]
  ] as const
  const systems = [
    [/iPhone|iPad/, "iOS"],
    [/Android/, "Android"],
    [/Mac OS X/, "macOS"],
    [/Windows/, "Windows"],
    [/Linux/, "Linux"]
  ] as const
  const name = (table: ReadonlyArray<readonly [RegExp, string]>) => table.find(([test]) => test.test(userAgent))?.[1]
  const words = [name(browsers), name(systems)].filter((word) => word !== undefined)
  return words.length === 0 ? userAgent.slice(0, 40) : words.join(", ")
}

/** Whether an address means something else, or nothing, on every other machine. */
export const isOfThisMachine = (url: string): boolean =>
  URL.canParse(url) && /^(localhost|.+\.localhost|127\..*|\[::1\])$/.test(new URL(url).hostname)
