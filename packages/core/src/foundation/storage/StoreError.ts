import { Schema } from "effect"

/**
 * Storage did not answer, or answered something we cannot use. The operation may or may not have happened: repeating
 * it is safe, because every change names the version it was decided on.
 */
export class StoreError extends Schema.TaggedError<StoreError>()("StoreError", {
  operation: Schema.String,
  cause: Schema.Defect(),
  /** Storage cannot be reached at all. The adapter tells the operator once when that begins, and once when it ends. */
  away: Schema.optionalKey(Schema.Boolean)
}) {}
