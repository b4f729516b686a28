import { Role } from "@countersign/core"
import { Schema } from "effect"

/** Nothing is served at this path. */
export class PathUnknown extends Schema.TaggedError<PathUnknown>()("PathUnknown", {}) {}

/** `close()` was called, so this instance answers no more requests. */
export class InstanceClosed extends Schema.TaggedError<InstanceClosed>()("InstanceClosed", {}) {}

/** The page answers only direct requests from this machine or a private network. */
export class NotLocal extends Schema.TaggedError<NotLocal>()("NotLocal", {}) {}

/** The path exists, but not for this method. */
export class MethodUnknown extends Schema.TaggedError<MethodUnknown>()("MethodUnknown", {
  allow: Schema.Array(Schema.String)
}) {}

/** The body is longer than the limit. */
export class BodyTooLarge extends Schema.TaggedError<BodyTooLarge>()("BodyTooLarge", { limit: Schema.Int }) {}

/** The bodies being read leave no memory for this one. */
export class LargeBodiesBusy extends Schema.TaggedError<LargeBodiesBusy>()("LargeBodiesBusy", {}) {}

/** The body arrived too slowly. */
export class BodyTooSlow extends Schema.TaggedError<BodyTooSlow>()("BodyTooSlow", {}) {}

/** All places for reads of this environment, and all places to wait for one, are taken. */
export class ListsBusy extends Schema.TaggedError<ListsBusy>()("ListsBusy", {}) {}

/** The body is not an acceptable JSON object, or was cut off before the end. */
export class BodyUnreadable extends Schema.TaggedError<BodyUnreadable>()("BodyUnreadable", {
  problem: Schema.String
}) {}

/** The credential may not be used from the address of the request, or the address is unknown. */
export class AddressForbidden extends Schema.TaggedError<AddressForbidden>()("AddressForbidden", {
  of: Schema.Literals(["OPERATOR", "KEY"])
}) {}

/** The merchant's settings do not allow this origin to use the public key. */
export class OriginForbidden extends Schema.TaggedError<OriginForbidden>()("OriginForbidden", {}) {}

/** A browser sent the request with a session cookie, but not from a page of the dashboard. */
export class NotFromDashboard extends Schema.TaggedError<NotFromDashboard>()("NotFromDashboard", {
  /** The dashboard's origin. Null when sign-in is impossible. */
  origin: Schema.NullOr(Schema.String)
}) {}

/** The signed-in agent lacks the required role. */
export class RoleMissing extends Schema.TaggedError<RoleMissing>()("RoleMissing", {
  role: Schema.Literals(Role),
  /** True when the agent's own role would be enough after a sign-in with a passkey. */
  needsPasskey: Schema.Boolean
}) {}

/** A key called an endpoint that only a signed-in agent may call. */
export class PersonMissing extends Schema.TaggedError<PersonMissing>()("PersonMissing", {}) {}

/** A key of the test environment called an endpoint that also changes the live one. */
export class LiveKeyMissing extends Schema.TaggedError<LiveKeyMissing>()("LiveKeyMissing", {}) {}

/** The service runs, but its storage is unreachable. */
export class NotReady extends Schema.TaggedError<NotReady>()("NotReady", {}) {}
