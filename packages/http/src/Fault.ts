import { Schema } from "effect"

/** Nothing is served at this path. */
export class PathUnknown extends Schema.TaggedError<PathUnknown>()("PathUnknown", {}) {}

/** The path exists, for other methods. */
export class MethodUnknown extends Schema.TaggedError<MethodUnknown>()("MethodUnknown", {
  allow: Schema.Array(Schema.String)
}) {}

/** The body is longer than anything we read. */
export class BodyTooLarge extends Schema.TaggedError<BodyTooLarge>()("BodyTooLarge", { limit: Schema.Int }) {}

/** The body is not JSON of the kind we read, or did not arrive whole. */
export class BodyUnreadable extends Schema.TaggedError<BodyUnreadable>()("BodyUnreadable", {
  problem: Schema.String
}) {}

/** The merchant does not let pages of this origin use the public key. */
export class OriginForbidden extends Schema.TaggedError<OriginForbidden>()("OriginForbidden", {}) {}

/** The service lives and cannot work: its storage is away. */
export class NotReady extends Schema.TaggedError<NotReady>()("NotReady", {}) {}
