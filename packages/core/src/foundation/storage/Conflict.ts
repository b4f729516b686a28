import { Schema } from "effect"

/** Somebody else committed first. Nothing was written; load again and decide again. */
export class Conflict extends Schema.TaggedError<Conflict>()("Conflict", { key: Schema.String }) {}
