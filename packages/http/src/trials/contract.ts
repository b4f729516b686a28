import { Verification } from "@countersign/core"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as answers from "../contract/answers.ts"
import { describe } from "../contract/describe.ts"
import { NotFound, ProviderFailed, TooMany, Unpaid } from "../contract/ErrorEnvelope.ts"
import { ChannelField, optional, text } from "../contract/Field.ts"
import { Admin } from "../contract/Security.ts"

const RequestId = Schema.String.annotate({ examples: ["ver_01kaj3v9c0q5w8xn2rz7t4m6hd"] })

export const TryPayload = Schema.Struct({
  identity: Schema.String.annotate({
    description: "A phone number, or an e-mail address if it contains `@`",
    examples: ["+919876543210"]
  }),
  channel: optional(ChannelField),
  locale: optional(
    text({ pattern: "^[a-z]{2,3}([-_][A-Za-z]{2,4})?$" }).annotate({
      description: "The language of the message, instead of the setting's",
      examples: ["hi"]
    })
  )
}).annotate({ identifier: "TryRequest" })

export const TryAnswer = Schema.Struct({ requestId: RequestId }).annotate({
  identifier: "TryAnswer",
  httpApiStatus: 201
})

export const TryVerifyPayload = Schema.Struct({
  otp: text({ minLength: 1, maxLength: 64 }).annotate({
    description: "The code as the user typed it",
    examples: ["482913"]
  })
}).annotate({ identifier: "TryVerifyRequest" })

export const TriedAnswer = Schema.Struct({
  requestId: RequestId,
  verified: Schema.Boolean,
  authStatus: Schema.Literals(Verification.AuthStatus),
  attemptsLeft: Schema.Int.annotate({ description: "How many attempts are left" })
}).annotate({ identifier: "Tried" })

/** "Try it": an agent sends a code to themselves and enters it. */
export class TrialApi extends HttpApiGroup.make("trials")
  .add(
    HttpApiEndpoint.post("start", "/try", {
      payload: TryPayload,
      success: TryAnswer,
      error: [...answers.post, Unpaid, NotFound, TooMany, ProviderFailed]
    })
      .middleware(Admin)
      .annotateMerge(
        describe(
          "Try it: send a code to yourself",
          "Starts a verification as your backend would, with all limits, prices, templates and the fallback. At most 60 per hour. It never affects an end user's login."
        )
      ),
    HttpApiEndpoint.post("verify", "/try/:requestId/verify", {
      params: { requestId: RequestId },
      payload: TryVerifyPayload,
      success: TriedAnswer,
      error: [...answers.post, NotFound]
    })
      .middleware(Admin)
      .annotateMerge(
        describe(
          "Try it: enter the code",
          'Only for verifications started with "Try it": an end user\'s login is `TRANSACTION_NOT_FOUND`. A wrong code is a 200 with `verified: false`.'
        )
      )
  )
  .prefix("/v1/dashboard")
  .annotateMerge(
    OpenApi.annotations({
      title: "Try it",
      description: "Send and check a code from the dashboard, as your backend would."
    })
  ) {}
