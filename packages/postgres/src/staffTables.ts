import { type Agent, isActive, type Team } from "@countersign/core/storage"
import { bool, id, int, of, only, rows, text } from "./table.ts"

export const agent = rows<Agent>()("agent", ["merchantId", "id"], {
  merchantId: text,
  id,
  version: int,
  canonical: text,
  active: of(bool, isActive),
  removed: of(bool, (agent: Agent) => agent.removedAt !== null),
  state: only("agreedAt", "createdAt", "devices", "digest", "email", "era", "name", "removedAt", "role", "status")
})

export const team = rows<Team>()("team", ["merchantId", "id"], {
  merchantId: text,
  id,
  version: int,
  canonical: text,
  removed: of(bool, (team: Team) => team.removedAt !== null),
  state: only("assignment", "createdAt", "members", "name", "removedAt"),
  takesNew: bool
})
