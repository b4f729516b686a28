import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as answers from "../contract/answers.ts"
import { describe } from "../contract/describe.ts"
import { BadRequest, NotFound, ProviderFailed, TooMany, Unpaid } from "../contract/ErrorEnvelope.ts"
import { Carrier, ChannelField, number, optional, text, Timestamp } from "../contract/Field.ts"
import { AuthKey } from "../contract/Security.ts"

const DeliveryId = Schema.String.annotate({ examples: ["ver_01kaj3v9c0q5w8xn2rz7t4m6hd"] })

export const DeliveryPayload = Schema.Struct({
  identity: Schema.String.annotate({
    description: "A phone number, or an e-mail address if it contains `@`",
    examples: ["+919876543210"]
  }),
  code: text({ pattern: "^[A-Za-z0-9]{4,10}$" }).annotate({
    description: "The code that your sign-in system made and will check: 4 to 10 letters and digits",
    examples: ["482913"]
  }),
  channel: optional(ChannelField),
  locale: optional(
    text({ pattern: "^[a-z]{2,3}([-_][A-Za-z]{2,4})?$" }).annotate({
      description: "The language of the message, instead of the setting's",
      examples: ["hi"]
    })
  ),
  expiresInSeconds: optional(
    number({ type: "integer", minimum: 1, maximum: 900 }).annotate({
      description: "How long the code is valid. No message is sent later. Default: 300",
      examples: [300]
    })
  ),
  clientIp: optional(
    Schema.String.annotate({
      description: "The end user's IP address, for the setting `hourlyLimitPerAddress`. Stored, IPv6 as its /64",
      examples: ["203.0.113.7"]
    })
  ),
  purpose: optional(
    text({ pattern: "^[a-z][a-z0-9_-]{0,31}$" }).annotate({
      description: "What the code is for. A note for the dashboard: it changes no text",
      examples: ["sign-in"]
    })
  )
}).annotate({ identifier: "DeliveryRequest" })

const fields = {
  id: DeliveryId,
  deliveryStatus: Schema.Literals(["PENDING", "SENT", "DELIVERED", "READ", "FAILED"]).annotate({
    description:
      "The status of the message that came furthest. FAILED: no message can arrive. PENDING after `expiresAt`: a provider did not answer"
  }),
  expiresAt: Timestamp.annotate({ description: "No message is sent from then on" }),
  deliveries: Schema.Array(
    Schema.Struct({
      channel: Schema.String,
      type: Schema.Literals(["OTP", "LINK"]),
      deliveryStatus: Schema.Literals(["PENDING", "SENT", "DELIVERED", "READ", "FAILED", "SKIPPED"]),
      attemptNumber: Schema.Int,
      carrier: Carrier,
      providerCode: Schema.NullOr(Schema.String).annotate({
        description: "Why it failed: the provider's code or one of ours. Null unless FAILED"
      })
    })
  )
}

export const DeliveryAnswer = Schema.Struct(fields).annotate({ identifier: "Delivery" })
export const NewDeliveryAnswer = Schema.Struct(fields).annotate({ identifier: "NewDelivery", httpApiStatus: 201 })

/** Deliver codes that another system made. */
export class DeliveryApi extends HttpApiGroup.make("deliveries")
  .add(
    HttpApiEndpoint.post("create", "/v1/deliveries", {
      payload: DeliveryPayload,
      success: NewDeliveryAnswer,
      error: [...answers.post, Unpaid, NotFound, TooMany, ProviderFailed]
    }).annotateMerge(
      describe(
        "Deliver a code of your own",
        "For a sign-in system that makes and checks its codes itself. The code is stored encrypted until its message was delivered, and cannot be verified here. Send an `Idempotency-Key`, or each request sends a message."
      )
    ),
    HttpApiEndpoint.get("get", "/v1/deliveries/:id", {
      params: { id: DeliveryId },
      success: DeliveryAnswer,
      error: [BadRequest, ...answers.lookup]
    }).annotateMerge(describe("Read a delivery", "The answer never contains the code."))
  )
  .middleware(AuthKey)
  .annotateMerge(
    OpenApi.annotations({
      title: "Relayed codes",
      description: "Deliver codes that another sign-in system makes and checks."
    })
  ) {}
