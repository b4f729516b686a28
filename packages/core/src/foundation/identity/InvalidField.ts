import { Schema } from "effect"

/** A value the caller sent is not acceptable. `field` is its name on the wire, `problem` says what to change. */
export class InvalidField extends Schema.TaggedError<InvalidField>()("InvalidField", {
  field: Schema.String,
  problem: Schema.String
}) {}
