import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as answers from "../contract/answers.ts"
import { describe } from "../contract/describe.ts"
import { BadRequest } from "../contract/ErrorEnvelope.ts"
import { Limit, listOf, Timestamp } from "../contract/Field.ts"
import { Admin, Viewer, Worker } from "../contract/Security.ts"

const optOut = {
  phone: Schema.String.annotate({
    description: "E.164 with `+`; masked for a VIEWER",
    examples: ["+919876543210"]
  }),
  by: Schema.Literals(["MESSAGE", "PERSON", "PROVIDER"]).annotate({
    description: "They wrote so, one of you put it down, or the provider said so"
  }),
  at: Timestamp
}

export const OptOutAnswer = Schema.Struct(optOut).annotate({ identifier: "OptOut" })
export const NewOptOutAnswer = Schema.Struct(optOut).annotate({ identifier: "NewOptOut", httpApiStatus: 201 })
export const NewOptOutPayload = Schema.Struct({
  phone: Schema.String.annotate({ examples: ["+919876543210"] })
}).annotate({ identifier: "NewOptOutRequest" })

/** Who wants no campaigns. */
export class OptOutApi extends HttpApiGroup.make("optOuts")
  .add(
    HttpApiEndpoint.get("list", "/opt-outs", {
      query: { cursor: Schema.optionalKey(Schema.String), limit: Schema.optionalKey(Limit) },
      success: listOf(OptOutAnswer),
      error: answers.search
    })
      .middleware(Viewer)
      .annotateMerge(describe("List opt-outs", "Who wants no campaigns, by number.")),
    HttpApiEndpoint.post("add", "/opt-outs", {
      payload: NewOptOutPayload,
      success: NewOptOutAnswer,
      error: answers.post
    })
      .middleware(Worker)
      .annotateMerge(
        describe(
          "Put down that somebody wants no campaigns",
          "Codes, links and answers reach them all the same. For somebody who is there already it answers that."
        )
      ),
    HttpApiEndpoint.delete("remove", "/opt-outs/:phone", {
      params: { phone: Schema.String },
      success: HttpApiSchema.NoContent,
      error: [BadRequest, ...answers.lookup]
    })
      .middleware(Admin)
      .annotateMerge(
        describe(
          "Take an opt-out back",
          "Only when the person asked for it; write the number with `%2B` or without `+`."
        )
      )
  )
  .prefix("/v1/dashboard")
  .annotateMerge(
    OpenApi.annotations({
      title: "Opt-outs",
      description: "Who wants no more campaigns, whoever of the merchant writes."
    })
  ) {}
