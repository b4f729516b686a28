import { Schema } from "effect"

/** Another change committed first. Nothing was written: reload and decide again. */
export class Conflict extends Schema.TaggedError<Conflict>()("Conflict", { key: Schema.String }) {}
