import { Schema } from "effect"

/**
 * Storage did not answer, or its answer was unusable. The operation may or may not have happened. A retry is safe,
 * because every change states the version it was decided on.
 */
export class StoreError extends Schema.TaggedError<StoreError>()("StoreError", {
  operation: Schema.String,
  cause: Schema.Defect(),
  /** Storage is unreachable. The adapter tells the operator once when this starts and once when it ends. */
  away: Schema.optionalKey(Schema.Boolean)
}) {}
