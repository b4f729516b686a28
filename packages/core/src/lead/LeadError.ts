import { Schema } from "effect"

/** No lead of that id or number in this environment. */
export class UnknownLead extends Schema.TaggedError<UnknownLead>()("UnknownLead", {}) {}

/** No agent of that id or address works for this merchant, or the one there is may not be given leads. */
export class UnknownAgent extends Schema.TaggedError<UnknownAgent>()("UnknownAgent", {}) {}

/** Somebody who is signed in would change, or make, one who may do more than they may themselves. */
export class AboveOwnRole extends Schema.TaggedError<AboveOwnRole>()("AboveOwnRole", {}) {}

/** No team of that id or name in this merchant. */
export class UnknownTeam extends Schema.TaggedError<UnknownTeam>()("UnknownTeam", {}) {}

/** No message of that id in this conversation, or no file in it, or the provider has the file no more. */
export class UnknownMessage extends Schema.TaggedError<UnknownMessage>()("UnknownMessage", {}) {}

/** No saved reply of that id in this environment. */
export class UnknownSavedReply extends Schema.TaggedError<UnknownSavedReply>()("UnknownSavedReply", {}) {}
