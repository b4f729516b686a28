import { ChannelName } from "@countersign/core/channel"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as answers from "../contract/answers.ts"
import { describe } from "../contract/describe.ts"
import { Timestamp } from "../contract/Field.ts"
import { Viewer } from "../contract/Security.ts"

const At = Schema.NullOr(Timestamp)

const Breaker = Schema.Struct({
  state: Schema.Literals(["CLOSED", "OPEN", "HALF_OPEN"]).annotate({
    description:
      "As the process that answers has seen its provider: OPEN while it is left alone, HALF_OPEN while one send may try it"
  }),
  until: At
})

const PerSecond = Schema.NullOr(
  Schema.Finite.annotate({
    description: "How many messages a second each process gives its provider; null: any number"
  })
)

export const ChannelAnswer = Schema.Struct({
  channel: ChannelName,
  label: Schema.String.annotate({ description: "What people call it", examples: ["WhatsApp"] }),
  provider: Schema.NullOr(Schema.String),
  enabled: Schema.Boolean.annotate({ description: "Whether it has a provider on this server" }),
  role: Schema.NullOr(Schema.Literals(["PRIMARY", "FALLBACK"])),
  breaker: Breaker,
  perSecond: PerSecond,
  carriers: Schema.Array(
    Schema.Struct({
      carrier: Schema.String,
      breaker: Breaker,
      perSecond: PerSecond,
      prefixes: Schema.Array(Schema.String).annotate({
        description: "The beginnings of the numbers that it takes first; empty for every number"
      })
    })
  ).annotate({ description: "The providers of the channel; it works while one of them does" }),
  waiting: Schema.Int.annotate({
    description: "Messages of this environment that are due and that nobody sends yet; 1,000 are 1,000 or more"
  }),
  oldestWaitingAt: At,
  lastSentAt: At,
  lastFailure: Schema.NullOr(Schema.Struct({ at: Timestamp, providerCode: Schema.String })),
  lastReceiptAt: At
}).annotate({ identifier: "Channel" })

/** How the channels of an environment are. */
export class ChannelApi extends HttpApiGroup.make("channels")
  .add(
    HttpApiEndpoint.get("list", "/channels", {
      success: Schema.Struct({
        items: Schema.Array(ChannelAnswer),
        nextCursor: Schema.Null,
        verifiers: Schema.Array(
          Schema.Struct({
            verifier: Schema.String.annotate({
              description: "What a login names as its channel",
              examples: ["TRUECALLER"]
            }),
            label: Schema.String.annotate({ description: "What people call it", examples: ["Truecaller"] })
          })
        ).annotate({ description: "The number verifiers of this environment: they send nothing" })
      }).annotate({ identifier: "Channels" }),
      error: answers.read
    })
      .middleware(Viewer)
      .annotateMerge(
        describe(
          "List channels",
          "SMS, WHATSAPP, RCS and EMAIL, then every other channel that this server has. What was last seen is of the newest 200 verifications, and of a channel that is in none of them, of its own newest."
        )
      )
  )
  .prefix("/v1/dashboard")
  .annotateMerge(
    OpenApi.annotations({
      title: "Channels",
      description: "Which channels can send, and how their providers are doing."
    })
  ) {}
