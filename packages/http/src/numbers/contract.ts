import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as answers from "../contract/answers.ts"
import { describe } from "../contract/describe.ts"
import { ProviderFailed } from "../contract/ErrorEnvelope.ts"
import { listOf, Timestamp } from "../contract/Field.ts"
import { Admin, Viewer } from "../contract/Security.ts"

const number = {
  id: Schema.String.annotate({
    description: "Its `phoneNumberId`: what `wabaId` of an initiate names",
    examples: ["106540352242922"]
  }),
  wabaId: Schema.String.annotate({ description: "The WhatsApp business account that it belongs to" }),
  displayNumber: Schema.NullOr(Schema.String.annotate({ examples: ["+91 98765 43210"] })),
  displayName: Schema.NullOr(Schema.String.annotate({ description: "What customers see beside it" })),
  connectedAt: Timestamp
}

export const NumberAnswer = Schema.Struct(number).annotate({ identifier: "WhatsAppNumber" })
export const NewNumberAnswer = Schema.Struct(number).annotate({ identifier: "NewWhatsAppNumber", httpApiStatus: 201 })
export const ConnectPayload = Schema.Struct({
  phoneNumberId: Schema.String.annotate({ examples: ["106540352242922"] }),
  wabaId: Schema.String.annotate({ examples: ["102290129340398"] }),
  accessToken: Schema.String.annotate({
    description: "A token of a system user. It is kept encrypted, and never shown"
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
          "WhatsApp is asked first whether it can be used; `WHATSAPP_CONNECT_FAILED` says what it answered. Connect it again to give it another token."
        )
      ),
    HttpApiEndpoint.get("list", "/whatsapp/numbers", {
      success: listOf(NumberAnswer),
      error: answers.read
    })
      .middleware(Viewer)
      .annotateMerge(describe("List connected numbers", "The one connected first at the head, without their tokens.")),
    HttpApiEndpoint.delete("disconnect", "/whatsapp/numbers/:id", {
      params: { id: Schema.String },
      success: HttpApiSchema.NoContent,
      error: answers.lookup
    })
      .middleware(Admin)
      .annotateMerge(
        describe("Disconnect a number", "Its token is forgotten, and what is written to it afterwards is nobody's.")
      )
  )
  .prefix("/v1/dashboard")
  .annotateMerge(
    OpenApi.annotations({
      title: "WhatsApp numbers",
      description: "Numbers that a merchant connected, for codes, campaigns and the inbox."
    })
  ) {}
