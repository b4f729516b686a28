import { Schema } from "effect"

/** An example day is for a test environment: in `live` it would stand among what really happened. */
export class OnlyInTest extends Schema.TaggedError<OnlyInTest>()("OnlyInTest", {}) {}

/** One is being played in this environment. */
export class ExampleDayRuns extends Schema.TaggedError<ExampleDayRuns>()("ExampleDayRuns", {}) {}
