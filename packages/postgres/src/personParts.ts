import type { PersonChange } from "@countersign/core/storage"
import { guardedStatements, part } from "./guardedStore.ts"
import { link, session } from "./personTables.ts"
import { agentPart } from "./staffTables.ts"

/** All that changes of people carry, in the order in which it is locked. */
export const statements = guardedStatements({
  agents: agentPart<PersonChange>(({ agents }) => agents),
  links: part(link, {
    of: ({ links }: PersonChange) => links,
    names: ({ hash, id, merchantId }) => [
      ["link", merchantId, id],
      ["hash", hash]
    ]
  }),
  sessions: part(session, {
    of: ({ sessions }: PersonChange) => sessions,
    names: ({ hash, id, merchantId }) => [
      ["session", merchantId, id],
      ["hash", hash]
    ]
  })
})
