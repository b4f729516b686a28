import { Schema } from "effect"

/** The number cannot be used by this environment. `problem` says why, for the merchant, without the token. */
export class ConnectFailed extends Schema.TaggedError<ConnectFailed>()("ConnectFailed", { problem: Schema.String }) {}

/** This environment has connected no number of that id. */
export class UnknownNumber extends Schema.TaggedError<UnknownNumber>()("UnknownNumber", {}) {}
