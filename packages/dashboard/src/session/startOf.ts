import { environmentOf, root, routes } from "../address/paths.ts"
import type { Role } from "./may.ts"

/** Where a role starts when the address names only an environment. Null: at the address itself. */
export const startOf = (role: Role, path: string): string | null => {
  const environment = environmentOf(path)
  return role === "AGENT" && path.replace(/\/$/, "") === root(environment)
    ? `${root(environment)}${routes.inbox}`
    : null
}
