import { Schema } from "effect"

/** What is wrong with the configuration: a line for each variable, none of them with a value in it. */
export class InvalidConfiguration extends Schema.TaggedError<InvalidConfiguration>()("InvalidConfiguration", {
  problems: Schema.Array(Schema.String)
}) {}
