import { Context } from "effect"

/** Which of its statuses an answer is given with, for an endpoint that has several; null for one that has one. */
export const StatusOf = Context.Reference<((answer: object) => number) | null>("@countersign/http/StatusOf", {
  defaultValue: () => null
})
