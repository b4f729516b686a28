import { Schema } from "effect"
import { guardReasons } from "../guard/GuardReason.ts"
import { tripReasons } from "../guard/Trip.ts"

const timestamp = Schema.String.annotate({ format: "date-time", examples: ["2026-01-31T09:30:00.000Z"] })
const requestId = Schema.String.annotate({ examples: ["ver_01kaj3v9c0q5w8xn2rz7t4m6hd"] })

const channel = Schema.String.annotate({
  description: "SMS, WHATSAPP, RCS, EMAIL, TRUECALLER, or the name of a custom channel or number verifier",
  examples: ["SMS"]
})

const verification = {
  requestId,
  identity: Schema.String.annotate({ description: "As you sent it", examples: ["+919876543210"] }),
  identityType: Schema.Literals(["MOBILE", "EMAIL"]),
  mode: Schema.Literals(["OTP", "OAUTH", "MAGIC_LINK"]),
  channel,
  orderId: Schema.NullOr(
    Schema.String.annotate({ description: "The orderId of your request, if any", examples: ["order-1042"] })
  )
}

const deliveryStatuses = ["PENDING", "SENT", "DELIVERED", "READ", "FAILED", "SKIPPED"] as const

const deliveries = Schema.Array(
  Schema.Struct({
    channel,
    type: Schema.Literals(["OTP", "LINK"]),
    deliveryStatus: Schema.Literals(deliveryStatuses).annotate({
      examples: ["FAILED"]
    }),
    attemptNumber: Schema.Int.annotate({ examples: [1] }),
    carrier: Schema.NullOr(
      Schema.String.annotate({
        description: "The provider that should send the message; null if none was called",
        examples: ["twilio"]
      })
    ),
    providerCode: Schema.NullOr(
      Schema.String.annotate({
        description: "The error code of the provider or of Countersign; null unless FAILED",
        examples: ["30006"]
      })
    )
  })
)

/** The `data` of each event type, in records, lists and webhooks. */
export const EventData = {
  "otp.initiated": Schema.Struct(verification).annotate({ description: "A verification was started." }),
  "otp.verified": Schema.Struct({
    ...verification,
    verifiedAt: timestamp,
    method: Schema.String.annotate({
      examples: ["OTP"],
      description:
        "OTP: a code was entered. ONETAP: a trusted device needed no code. LINK: a link was approved. TRUECALLER or another number verifier: it confirmed the number"
    })
  }).annotate({
    description:
      "The end user entered the right code, approved a link, used a trusted device, or was confirmed by a number verifier."
  }),
  "otp.expired": Schema.Struct(verification).annotate({
    description: "The code or link expired before the verification succeeded."
  }),
  "session.created": Schema.Struct({ expiresAt: timestamp, scope: Schema.Literal("sdk") }).annotate({
    description: "A session token was created for an app."
  }),
  "delivery.failed": Schema.Struct({
    ...verification,
    deliveries
  }).annotate({ description: "No message could be delivered on any channel, so the verification failed." }),
  "delivery.updated": Schema.Struct({
    requestId: requestId.annotate({
      description: "The id of the delivery",
      examples: ["ver_01kaj3v9c0q5w8xn2rz7t4m6hd"]
    }),
    identity: verification.identity,
    identityType: verification.identityType,
    channel,
    deliveryStatus: Schema.Literals(["PENDING", "SENT", "DELIVERED", "READ", "FAILED"]).annotate({
      description: "The status of the message that came furthest",
      examples: ["DELIVERED"]
    }),
    deliveries
  }).annotate({ description: "A message with a relayed code was sent, delivered, read or failed." }),
  "campaign.delivered": Schema.Struct({
    campaignId: Schema.String.annotate({ examples: ["cmp_01kaj3v9c0q5w8xn2rz7t4m6hd"] }),
    name: Schema.String.annotate({ examples: ["Diwali"] }),
    total: Schema.Int.annotate({ examples: [1000] }),
    sent: Schema.Int.annotate({ examples: [990] }),
    failed: Schema.Int.annotate({ examples: [10] })
  }).annotate({ description: "All messages of a campaign were sent or failed." }),
  "message.received": Schema.Struct({
    leadId: Schema.Int.annotate({ examples: [42] }),
    isNewLead: Schema.Boolean,
    campaignId: Schema.NullOr(Schema.String),
    contact: Schema.String.annotate({ examples: ["919876543210"] }),
    name: Schema.NullOr(Schema.String.annotate({ examples: ["Asha"] })),
    text: Schema.NullOr(Schema.String.annotate({ examples: ["Is this still available?"] })),
    messageId: Schema.String.annotate({ examples: ["wamid.HBgMOTE5ODc2NTQzMjEw"] })
  }).annotate({ description: "A customer sent a message to the WhatsApp inbox." }),
  "balance.low": Schema.Struct({
    balance: Schema.Int.annotate({
      description: "The balance in the smallest unit of the currency; negative when credit is used",
      examples: [4_980]
    }),
    threshold: Schema.Int.annotate({ description: "The setting `balanceLowAt`", examples: [5_000] }),
    currency: Schema.String.annotate({ examples: ["INR"] })
  }).annotate({ description: "The balance fell below the threshold. Sent once for each fall." }),
  "guard.tripped": Schema.Struct({
    reason: Schema.Literals(tripReasons).annotate({ examples: ["PREFIX_UNVERIFIED"] }),
    place: Schema.String.annotate({
      description:
        "PREFIX_UNVERIFIED: the digits before the last four. RANGE_UNVERIFIED: those before the last six. COUNTRY_UNVERIFIED: an ISO 3166 country, or digits where countries share a calling code",
      examples: ["99891234"]
    }),
    since: timestamp,
    until: timestamp,
    enforced: Schema.Boolean.annotate({
      description: "Whether requests are refused. False: the trip is only recorded"
    }),
    codes: Schema.Int.annotate({ description: "Codes of the last day that were not entered", examples: [6] }),
    typed: Schema.Int.annotate({ description: "Codes of the last day that were entered", examples: [0] }),
    cost: Schema.NullOr(
      Schema.Int.annotate({
        description: "About what those codes cost, in the smallest unit of money; null without a price",
        examples: [2_400]
      })
    )
  }).annotate({
    description: "The guard stopped a block of numbers, a range or a country, or keeps it stopped for longer."
  }),
  "guard.blocked": Schema.Struct({
    reason: Schema.Literals(guardReasons).annotate({ examples: ["PREFIX_UNVERIFIED"] }),
    count: Schema.Int.annotate({ description: "Refused requests", examples: [140] }),
    from: timestamp,
    to: timestamp
  }).annotate({
    description: "The guard refused requests. Each process sends at most one a minute for each reason."
  }),
  "webhook.disabled": Schema.Struct({
    webhookId: Schema.String.annotate({ examples: ["whk_01kaj3v9c0q5w8xn2rz7t4m6hd"] }),
    url: Schema.String.annotate({ examples: ["https://example.com/webhooks"] }),
    reason: Schema.Literals(["GONE", "FAILING"]).annotate({
      description: "GONE: it answered 410. FAILING: every attempt failed for five days"
    })
  }).annotate({ description: "A webhook endpoint was disabled." }),
  "webhook.test": Schema.Struct({
    webhookId: Schema.String.annotate({ examples: ["whk_01kaj3v9c0q5w8xn2rz7t4m6hd"] }),
    message: Schema.String.annotate({ examples: ["This is a test"] })
  }).annotate({ description: "A test of a webhook endpoint, requested by you." })
} as const

export type EventData = { readonly [T in keyof typeof EventData]: (typeof EventData)[T]["Type"] }
