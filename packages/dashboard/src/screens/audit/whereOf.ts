import type { Environment } from "../../api/place.ts"
import { to } from "../../address/paths.ts"
import type { Entry } from "../audited.ts"

/** The screen of an entry's target, in its own environment. Null when there is none, or the target is gone. */
export const whereOf = (
  { action, environment, target }: Pick<Entry, "action" | "environment" | "target">,
  shown: Environment
): string | null => {
  const where = environment ?? shown
  const { id, kind } = target
  const isGone = action.endsWith(".removed")
  switch (kind) {
    case "settings":
      return to(where, "settings")
    case "key":
      return to(where, "keys")
    case "webhook":
      return isGone ? to(where, "webhooks") : to(where, "webhook", { id })
    case "template":
      return isGone ? to(where, "templates") : to(where, "template", { id })
    case "verification":
      return to(where, "verification", { requestId: id })
    case "campaign":
      return to(where, "campaign", { id })
    case "lead":
      return to(where, "lead", { id })
    case "agent":
    case "team":
    case "passkey":
    case "session":
      return to(where, "team")
    case "number":
      return to(where, "inbox", { show: "numbers" })
    case "balance":
    case "correction":
      return to(where, "money")
    default:
      return null
  }
}
