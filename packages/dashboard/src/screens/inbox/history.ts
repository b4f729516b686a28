import type { Item } from "../../api/Api.ts"
import { who } from "./people.ts"
import { say } from "./words.ts"

export type Entry = Item<"GET /v1/dashboard/leads/:id/history">

/** A history entry as a sentence. */
export const sentenceOf = ({ by, from, kind, to }: Entry): string => {
  const doer = by === null ? say.service : say.by(who(by))
  switch (kind) {
    case "CREATED":
      return by === null ? say.entry.created : `${say.entry.created}, ${doer}`
    case "ASSIGNED":
      if (to === null) return say.entry.unassigned(who(from), doer)
      return to === by ? say.entry.taken(who(by)) : say.entry.assigned(who(to), doer)
    case "TEAM":
      return to === null ? say.entry.noTeam(from ?? "", doer) : say.entry.team(to, doer)
    case "CLOSED":
      return say.entry.closed(doer)
    case "REOPENED":
      return say.entry.reopened(doer)
  }
}
