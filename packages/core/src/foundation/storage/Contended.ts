import { Schema } from "effect"

/** So many changes of one thing raced each other that this one gave up. Trying again is safe. */
export class Contended extends Schema.TaggedError<Contended>()("Contended", {}) {}
