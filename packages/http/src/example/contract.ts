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
      description: "The same seed plays the same day: the same people, at the same hours. 1, if nothing is said",
      examples: [1]
    })
  )
}).annotate({ identifier: "ExampleDayRequest" })

export const ExampleAnswer = Schema.Struct({
  seed: Schema.Int,
  scenes: Schema.Int.annotate({ description: "How many people will have come by when it is over" })
}).annotate({ identifier: "ExampleDay", httpApiStatus: 202 })

/** Something to look at before anything has happened. */
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
          "Fill with an example day",
          "In a test environment, in the background: some hundred verifications of the last 24 hours and of the same day a week before, refused requests, conversations and launches, of people who do not exist. Nothing is sent, no webhook is called, and no setting is changed. One at a time."
        )
      )
      .annotateMerge(bodyOptional),
    HttpApiEndpoint.get("get", "/example-day", {
      success: Schema.Struct({ isPlaying: Schema.Boolean }).annotate({ identifier: "ExampleDayState" }),
      error: answers.read
    })
      .middleware(Viewer)
      .annotateMerge(describe("Whether an example day is being played", ""))
  )
  .prefix("/v1/dashboard")
  .annotateMerge(
    OpenApi.annotations({
      title: "Example day",
      description: "Fills a test environment with a day of people, to look around in."
    })
  ) {}
