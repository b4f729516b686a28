import { Schema } from "effect"

/** An invalid value from the caller. `field` is its name on the wire; `problem` says what to change. */
export class InvalidField extends Schema.TaggedError<InvalidField>()("InvalidField", {
  field: Schema.String,
  problem: Schema.String
}) {}
