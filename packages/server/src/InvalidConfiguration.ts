import { Schema } from "effect"

/** The configuration is invalid. One line per variable; no line contains a value of a secret. */
export class InvalidConfiguration extends Schema.TaggedError<InvalidConfiguration>()("InvalidConfiguration", {
  problems: Schema.Array(Schema.String)
}) {}
