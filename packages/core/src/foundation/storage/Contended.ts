import { Schema } from "effect"

/** The change lost too many races against concurrent changes of the same row. A retry is safe. */
export class Contended extends Schema.TaggedError<Contended>()("Contended", {}) {}
