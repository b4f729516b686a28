import { Context } from "effect"

/** Where people read what would have been sent, in development; null where messages leave this machine. */
export const OutboxPage = Context.Reference<string | null>("@countersign/http/sessions/OutboxPage", {
  defaultValue: () => null
})
