import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as answers from "../contract/answers.ts"
import { describe } from "../contract/describe.ts"
import { ProviderFailed } from "../contract/ErrorEnvelope.ts"
import { listOf, Timestamp } from "../contract/Field.ts"
import { Admin, Viewer } from "../contract/Security.ts"

const number = {
  id: Schema.String.annotate({
    description: "The `phoneNumberId`. Pass it as `wabaId` to initiate",
    examples: ["106540352242922"]
  }),
  wabaId: Schema.String.annotate({ description: "The WhatsApp business account that the number belongs to" }),
  displayNumber: Schema.NullOr(Schema.String.annotate({ examples: ["+91 98765 43210"] })),
  displayName: Schema.NullOr(Schema.String.annotate({ description: "The name that customers see" })),
  connectedAt: Timestamp
}

export const NumberAnswer = Schema.Struct(number).annotate({ identifier: "WhatsAppNumber" })
export const NewNumberAnswer = Schema.Struct(number).annotate({ identifier: "NewWhatsAppNumber", httpApiStatus: 201 })
export const ConnectPayload = Schema.Struct({
  phoneNumberId: Schema.String.annotate({ examples: ["106540352242922"] }),
  wabaId: Schema.String.annotate({ examples: ["102290129340398"] }),
  accessToken: Schema.String.annotate({
    description: "A system user's access token. It is stored encrypted and never returned"
  })
}).annotate({ identifier: "ConnectRequest" })

/** The WhatsApp numbers that a merchant connected to one environment. */
export class NumberApi extends HttpApiGroup.make("numbers")
  .add(
    HttpApiEndpoint.post("connect", "/whatsapp/connect", {
      payload: ConnectPayload,
      success: NewNumberAnswer,
      error: [...answers.post, ProviderFailed]
    })
      .middleware(Admin)
      .annotateMerge(
        describe(
          "Connect a number",
          "Checks the number with WhatsApp first; `WHATSAPP_CONNECT_FAILED` contains WhatsApp's answer. To replace the token, connect the number again."
        )
      ),
    HttpApiEndpoint.get("list", "/whatsapp/numbers", {
      success: listOf(NumberAnswer),
      error: answers.read
    })
      .middleware(Viewer)
      .annotateMerge(describe("List connected numbers", "Oldest connection first, without tokens.")),
    HttpApiEndpoint.delete("disconnect", "/whatsapp/numbers/:id", {
      params: { id: Schema.String },
      success: HttpApiSchema.NoContent,
      error: answers.lookup
    })
      .middleware(Admin)
      .annotateMerge(
        describe(
          "Disconnect a number",
          "Deletes the token. Messages that customers send to the number afterwards are ignored."
        )
      )
  )
  .prefix("/v1/dashboard")
  .annotateMerge(
    OpenApi.annotations({
      title: "WhatsApp numbers",
      description: "The merchant's connected WhatsApp numbers, for codes, campaigns and the inbox."
    })
  ) {}
