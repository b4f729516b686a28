import { Schema } from "effect"

/** This environment has no template with that id. */
export class UnknownTemplate extends Schema.TaggedError<UnknownTemplate>()("UnknownTemplate", {}) {}

/** Another template of the environment has the same name, channel, purpose and locale. */
export class TemplateTaken extends Schema.TaggedError<TemplateTaken>()("TemplateTaken", {}) {}

/** The template breaks rules. The error names the field and the problem of each. */
export class InvalidTemplate extends Schema.TaggedError<InvalidTemplate>()("InvalidTemplate", {
  rules: Schema.Array(Schema.Struct({ field: Schema.String, problem: Schema.String }))
}) {}

/** A template lacks a field that its channel requires. */
export class IncompleteTemplate extends Schema.TaggedError<IncompleteTemplate>()("IncompleteTemplate", {
  field: Schema.String,
  problem: Schema.String
}) {}

/** The provider did not accept the template for approval. `problem` is the provider's own explanation. */
export class SubmissionRefused extends Schema.TaggedError<SubmissionRefused>()("SubmissionRefused", {
  problem: Schema.String
}) {}

/** The environment already has that sender id. */
export class SenderIdTaken extends Schema.TaggedError<SenderIdTaken>()("SenderIdTaken", {}) {}

/** This environment has no such sender id. */
export class UnknownSenderId extends Schema.TaggedError<UnknownSenderId>()("UnknownSenderId", {}) {}
