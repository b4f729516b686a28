import { Context } from "effect"

/** Chooses the HTTP status of an answer, for an endpoint with several success statuses. Null otherwise. */
export const StatusOf = Context.Reference<((answer: object) => number) | null>("@countersign/http/StatusOf", {
  defaultValue: () => null
})
