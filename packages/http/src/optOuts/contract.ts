import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as answers from "../contract/answers.ts"
import { describe } from "../contract/describe.ts"
import { BadRequest } from "../contract/ErrorEnvelope.ts"
import { Limit, listOf, Timestamp } from "../contract/Field.ts"
import { Admin, Viewer, Worker } from "../contract/Security.ts"

const optOut = {
  phone: Schema.String.annotate({
    description: "E.164 with `+`. Masked for a VIEWER",
    examples: ["+919876543210"]
  }),
  by: Schema.Literals(["MESSAGE", "PERSON", "PROVIDER"]).annotate({
    description: "The source: the customer's own message, an agent, or the provider"
  }),
  at: Timestamp
}

export const OptOutAnswer = Schema.Struct(optOut).annotate({ identifier: "OptOut" })
export const NewOptOutAnswer = Schema.Struct(optOut).annotate({ identifier: "NewOptOut", httpApiStatus: 201 })
export const NewOptOutPayload = Schema.Struct({
  phone: Schema.String.annotate({ examples: ["+919876543210"] })
}).annotate({ identifier: "NewOptOutRequest" })

/** Numbers that receive no campaigns. */
export class OptOutApi extends HttpApiGroup.make("optOuts")
  .add(
    HttpApiEndpoint.get("list", "/opt-outs", {
      query: { cursor: Schema.optionalKey(Schema.String), limit: Schema.optionalKey(Limit) },
      success: listOf(OptOutAnswer),
      error: answers.search
    })
      .middleware(Viewer)
      .annotateMerge(describe("List opt-outs", "Numbers that receive no campaigns, ordered by number.")),
    HttpApiEndpoint.post("add", "/opt-outs", {
      payload: NewOptOutPayload,
      success: NewOptOutAnswer,
      error: answers.post
    })
      .middleware(Worker)
      .annotateMerge(
        describe(
          "Add an opt-out",
          "The number receives no more campaigns. Codes, links and replies are still sent. If the opt-out exists, it is returned unchanged."
        )
      ),
    HttpApiEndpoint.delete("remove", "/opt-outs/:phone", {
      params: { phone: Schema.String },
      success: HttpApiSchema.NoContent,
      error: [BadRequest, ...answers.lookup]
    })
      .middleware(Admin)
      .annotateMerge(
        describe("Remove an opt-out", "Only at the recipient's request. Write the number with `%2B` or without `+`.")
      )
  )
  .prefix("/v1/dashboard")
  .annotateMerge(
    OpenApi.annotations({
      title: "Opt-outs",
      description: "Numbers that receive no campaigns."
    })
  ) {}
