import { Schema } from "effect"

/** No session of this person has this id, or it has ended. */
export class UnknownSession extends Schema.TaggedError<UnknownSession>()("UnknownSession", {}) {}

/** No agent of that id or address works for this merchant, or the one there is may not be given leads. */
export class UnknownAgent extends Schema.TaggedError<UnknownAgent>()("UnknownAgent", {}) {}

/** Somebody who is signed in would change, or make, one who may do more than they may themselves. */
export class AboveOwnRole extends Schema.TaggedError<AboveOwnRole>()("AboveOwnRole", {}) {}
