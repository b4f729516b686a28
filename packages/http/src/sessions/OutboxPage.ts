import { Context } from "effect"

/** The path of the development outbox; null outside development. */
export const OutboxPage = Context.Reference<string | null>("@countersign/http/sessions/OutboxPage", {
  defaultValue: () => null
})
