import { Schema } from "effect"

/** The environment has no lead with this id or number. */
export class UnknownLead extends Schema.TaggedError<UnknownLead>()("UnknownLead", {}) {}

/** The merchant has no team with this id or name. */
export class UnknownTeam extends Schema.TaggedError<UnknownTeam>()("UnknownTeam", {}) {}

/** The merchant has no label with this id or name. */
export class UnknownLabel extends Schema.TaggedError<UnknownLabel>()("UnknownLabel", {}) {}

/** The conversation has no such message, the message has no file, or the provider no longer has the file. */
export class UnknownMessage extends Schema.TaggedError<UnknownMessage>()("UnknownMessage", {}) {}

/** The environment has no saved reply with this id. */
export class UnknownSavedReply extends Schema.TaggedError<UnknownSavedReply>()("UnknownSavedReply", {}) {}
