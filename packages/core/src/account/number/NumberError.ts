import { Schema } from "effect"

/** This environment cannot use the number. `problem` explains why to the merchant, without the token. */
export class ConnectFailed extends Schema.TaggedError<ConnectFailed>()("ConnectFailed", { problem: Schema.String }) {}

/** This environment has no connected number with that id. */
export class UnknownNumber extends Schema.TaggedError<UnknownNumber>()("UnknownNumber", {}) {}
