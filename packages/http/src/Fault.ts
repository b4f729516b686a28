import { Role } from "@countersign/core"
import { Schema } from "effect"

/** Nothing is served at this path. */
export class PathUnknown extends Schema.TaggedError<PathUnknown>()("PathUnknown", {}) {}

/** `close()` was called: this instance answers nothing more. */
export class InstanceClosed extends Schema.TaggedError<InstanceClosed>()("InstanceClosed", {}) {}

/** The page answers only requests that come straight from this machine or a private network. */
export class NotLocal extends Schema.TaggedError<NotLocal>()("NotLocal", {}) {}

/** The path exists, for other methods. */
export class MethodUnknown extends Schema.TaggedError<MethodUnknown>()("MethodUnknown", {
  allow: Schema.Array(Schema.String)
}) {}

/** The body is longer than anything we read. */
export class BodyTooLarge extends Schema.TaggedError<BodyTooLarge>()("BodyTooLarge", { limit: Schema.Int }) {}

/** The bodies that are being read leave no room for this one. */
export class LargeBodiesBusy extends Schema.TaggedError<LargeBodiesBusy>()("LargeBodiesBusy", {}) {}

/** The body arrived more slowly than a client with a working connection sends it. */
export class BodyTooSlow extends Schema.TaggedError<BodyTooSlow>()("BodyTooSlow", {}) {}

/** As many reads of one environment as there are places for run, and as many wait. */
export class ListsBusy extends Schema.TaggedError<ListsBusy>()("ListsBusy", {}) {}

/** The body is not JSON of the kind we read, or did not arrive whole. */
export class BodyUnreadable extends Schema.TaggedError<BodyUnreadable>()("BodyUnreadable", {
  problem: Schema.String
}) {}

/** The credential may not be used from where the request came from, or nobody knows where that is. */
export class AddressForbidden extends Schema.TaggedError<AddressForbidden>()("AddressForbidden", {
  of: Schema.Literals(["OPERATOR", "KEY"])
}) {}

/** The merchant does not let pages of this origin use the public key. */
export class OriginForbidden extends Schema.TaggedError<OriginForbidden>()("OriginForbidden", {}) {}

/** A request that a browser sends along with a session, and that no page of the dashboard made. */
export class NotFromDashboard extends Schema.TaggedError<NotFromDashboard>()("NotFromDashboard", {
  /** Null where nobody can be signed in. */
  origin: Schema.NullOr(Schema.String)
}) {}

/** Whoever is signed in has not the role for it. */
export class RoleMissing extends Schema.TaggedError<RoleMissing>()("RoleMissing", {
  role: Schema.Literals(Role),
  /** Their own role counts only after a sign-in with a passkey. */
  needsPasskey: Schema.Boolean
}) {}

/** Whoever is signed in may do it after signing in again. */
export class SignInStale extends Schema.TaggedError<SignInStale>()("SignInStale", {}) {}

/** A key has called what belongs to somebody who is signed in. */
export class PersonMissing extends Schema.TaggedError<PersonMissing>()("PersonMissing", {}) {}

/** A key of the test environment has called what changes the live one as well. */
export class LiveKeyMissing extends Schema.TaggedError<LiveKeyMissing>()("LiveKeyMissing", {}) {}

/** The service lives and cannot work: its storage is away. */
export class NotReady extends Schema.TaggedError<NotReady>()("NotReady", {}) {}
