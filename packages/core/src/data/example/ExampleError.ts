import { Schema } from "effect"

/** An example day needs a test environment: in `live` it would mix with real data. */
export class OnlyInTest extends Schema.TaggedError<OnlyInTest>()("OnlyInTest", {}) {}

/** An example day is already running in this environment. */
export class ExampleDayRuns extends Schema.TaggedError<ExampleDayRuns>()("ExampleDayRuns", {}) {}
