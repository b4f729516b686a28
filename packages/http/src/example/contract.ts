import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as answers from "../contract/answers.ts"
import { bodyOptional } from "../contract/BodyOptional.ts"
import { describe } from "../contract/describe.ts"
import { Forbidden } from "../contract/ErrorEnvelope.ts"
import { number, optional } from "../contract/Field.ts"
import { Admin, Viewer } from "../contract/Security.ts"

export const ExamplePayload = Schema.Struct({
  seed: optional(
    number({ type: "integer" }).annotate({
      description: "The same seed creates the same day: the same people at the same hours. Default: 1",
      examples: [1]
    })
  )
}).annotate({ identifier: "ExampleDayRequest" })

export const ExampleAnswer = Schema.Struct({
  seed: Schema.Int,
  scenes: Schema.Int.annotate({ description: "How many people the example day contains" })
}).annotate({ identifier: "ExampleDay", httpApiStatus: 202 })

/** Fills an empty test environment with example data. */
export class ExampleApi extends HttpApiGroup.make("exampleDay")
  .add(
    HttpApiEndpoint.post("start", "/example-day", {
      payload: ExamplePayload,
      success: ExampleAnswer,
      error: [...answers.post, Forbidden]
    })
      .middleware(Admin)
      .annotateMerge(
        describe(
          "Create an example day",
          "Fills a test environment in the background: a few hundred verifications of the last 24 hours and of the same day a week before, refused requests, conversations and launches, all of invented people. Sends no messages, calls no webhooks and changes no settings. Only one example day can run at a time."
        )
      )
      .annotateMerge(bodyOptional),
    HttpApiEndpoint.get("get", "/example-day", {
      success: Schema.Struct({ isPlaying: Schema.Boolean }).annotate({ identifier: "ExampleDayState" }),
      error: answers.read
    })
      .middleware(Viewer)
      .annotateMerge(describe("Check whether an example day is running", ""))
  )
  .prefix("/v1/dashboard")
  .annotateMerge(
    OpenApi.annotations({
      title: "Example day",
      description: "Fills a test environment with example data."
    })
  ) {}
