import { Schema } from "effect"

/** No lead of that id or number in this environment. */
export class UnknownLead extends Schema.TaggedError<UnknownLead>()("UnknownLead", {}) {}

/** No team of that id or name in this merchant. */
export class UnknownTeam extends Schema.TaggedError<UnknownTeam>()("UnknownTeam", {}) {}

/** No message of that id in this conversation, or no file in it, or the provider has the file no more. */
export class UnknownMessage extends Schema.TaggedError<UnknownMessage>()("UnknownMessage", {}) {}

/** No saved reply of that id in this environment. */
export class UnknownSavedReply extends Schema.TaggedError<UnknownSavedReply>()("UnknownSavedReply", {}) {}
