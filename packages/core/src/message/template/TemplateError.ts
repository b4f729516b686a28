import { Schema } from "effect"

/** No template has that id in this environment. */
export class UnknownTemplate extends Schema.TaggedError<UnknownTemplate>()("UnknownTemplate", {}) {}

/** Another template of the environment has that name, channel, purpose and locale. */
export class TemplateTaken extends Schema.TaggedError<TemplateTaken>()("TemplateTaken", {}) {}

/** A template breaks rules: each is named with its field. */
export class InvalidTemplate extends Schema.TaggedError<InvalidTemplate>()("InvalidTemplate", {
  rules: Schema.Array(Schema.Struct({ field: Schema.String, problem: Schema.String }))
}) {}

/** A template lacks what its channel needs. */
export class IncompleteTemplate extends Schema.TaggedError<IncompleteTemplate>()("IncompleteTemplate", {
  field: Schema.String,
  problem: Schema.String
}) {}

/** The provider that has to approve a template did not take it. `problem` says why in its own words. */
export class SubmissionRefused extends Schema.TaggedError<SubmissionRefused>()("SubmissionRefused", {
  problem: Schema.String
}) {}

/** That sender id is there already. */
export class SenderIdTaken extends Schema.TaggedError<SenderIdTaken>()("SenderIdTaken", {}) {}

/** No such sender id in this environment. */
export class UnknownSenderId extends Schema.TaggedError<UnknownSenderId>()("UnknownSenderId", {}) {}
