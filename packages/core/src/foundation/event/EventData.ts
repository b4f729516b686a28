import { Schema } from "effect"

const timestamp = Schema.String.annotate({ format: "date-time", examples: ["2026-01-31T09:30:00.000Z"] })
const requestId = Schema.String.annotate({ examples: ["ver_01kaj3v9c0q5w8xn2rz7t4m6hd"] })

const channel = Schema.String.annotate({
  description:
    "SMS, WHATSAPP, RCS, EMAIL or TRUECALLER, or a channel or number verifier that somebody else has written",
  examples: ["SMS"]
})

const verification = {
  requestId,
  identity: Schema.String.annotate({ description: "As it was sent", examples: ["+919876543210"] }),
  identityType: Schema.Literals(["MOBILE", "EMAIL"]),
  mode: Schema.Literals(["OTP", "OAUTH", "MAGIC_LINK"]),
  channel,
  orderId: Schema.NullOr(Schema.String.annotate({ description: "Yours, if you gave one", examples: ["order-1042"] }))
}

/**
 * What each event carries as `data`, by type: what is recorded, listed, and sent to webhooks.
 *
 * Every type that the service documents is here, also those whose source is not built yet, so that nobody's receiver
 * has to learn a new shape later.
 */
export const EventData = {
  "otp.initiated": Schema.Struct(verification).annotate({ description: "A verification was started." }),
  "otp.verified": Schema.Struct({
    ...verification,
    verifiedAt: timestamp,
    method: Schema.String.annotate({
      examples: ["OTP"],
      description:
        "OTP: a code was entered. ONETAP: a trusted device was let in without one. LINK: a link was approved. TRUECALLER, or another number verifier: it knows the number"
    })
  }).annotate({ description: "The person entered the right code, approved a link, or came with a trusted device." }),
  "otp.expired": Schema.Struct(verification).annotate({
    description: "The code's time is over, and nobody had entered it."
  }),
  "session.created": Schema.Struct({ expiresAt: timestamp, scope: Schema.Literal("sdk") }).annotate({
    description: "A session token was made for an app."
  }),
  "delivery.failed": Schema.Struct({
    ...verification,
    deliveries: Schema.Array(
      Schema.Struct({
        channel,
        type: Schema.Literals(["OTP", "LINK"]),
        deliveryStatus: Schema.Literals(["PENDING", "SENT", "DELIVERED", "READ", "FAILED", "SKIPPED"]).annotate({
          examples: ["FAILED"]
        }),
        attemptNumber: Schema.Int.annotate({ examples: [1] }),
        carrier: Schema.NullOr(
          Schema.String.annotate({
            description: "The provider that was asked to send it; null where none was",
            examples: ["twilio"]
          })
        ),
        providerCode: Schema.NullOr(
          Schema.String.annotate({
            description: "Why it failed, in the provider's word or ours; null unless it FAILED",
            examples: ["30006"]
          })
        )
      })
    )
  }).annotate({ description: "No message could be delivered, on any channel; the verification has failed." }),
  "campaign.delivered": Schema.Struct({
    campaignId: Schema.String.annotate({ examples: ["cmp_01kaj3v9c0q5w8xn2rz7t4m6hd"] }),
    name: Schema.String.annotate({ examples: ["Diwali"] }),
    total: Schema.Int.annotate({ examples: [1000] }),
    sent: Schema.Int.annotate({ examples: [990] }),
    failed: Schema.Int.annotate({ examples: [10] })
  }).annotate({ description: "A campaign's messages have all been handed to their provider, or failed." }),
  "message.received": Schema.Struct({
    leadId: Schema.Int.annotate({ examples: [42] }),
    isNewLead: Schema.Boolean,
    campaignId: Schema.NullOr(Schema.String),
    contact: Schema.String.annotate({ examples: ["919876543210"] }),
    name: Schema.NullOr(Schema.String.annotate({ examples: ["Asha"] })),
    text: Schema.NullOr(Schema.String.annotate({ examples: ["Is this still available?"] })),
    messageId: Schema.String.annotate({ examples: ["wamid.HBgMOTE5ODc2NTQzMjEw"] })
  }).annotate({ description: "A customer wrote to the WhatsApp inbox." }),
  "balance.low": Schema.Struct({
    balance: Schema.Int.annotate({
      description: "What there is, in the smallest unit of the currency: below zero by credit",
      examples: [4_980]
    }),
    threshold: Schema.Int.annotate({ description: "The setting `balanceLowAt`", examples: [5_000] }),
    currency: Schema.String.annotate({ examples: ["INR"] })
  }).annotate({ description: "The balance has fallen below what you set: once for each fall." }),
  "webhook.disabled": Schema.Struct({
    webhookId: Schema.String.annotate({ examples: ["whk_01kaj3v9c0q5w8xn2rz7t4m6hd"] }),
    url: Schema.String.annotate({ examples: ["https://example.com/webhooks"] }),
    reason: Schema.Literals(["GONE", "FAILING"]).annotate({
      description: "It answered 410, or nothing got through for five days"
    })
  }).annotate({ description: "A webhook endpoint was switched off." }),
  "webhook.test": Schema.Struct({
    webhookId: Schema.String.annotate({ examples: ["whk_01kaj3v9c0q5w8xn2rz7t4m6hd"] }),
    message: Schema.String.annotate({ examples: ["This is a test"] })
  }).annotate({ description: "Somebody pressed the button that tries a webhook endpoint." })
} as const

export type EventData = { readonly [T in keyof typeof EventData]: (typeof EventData)[T]["Type"] }
