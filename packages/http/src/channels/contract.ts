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
      "The circuit breaker of the process that answers: OPEN while the provider gets no messages, HALF_OPEN while one message tests it"
  }),
  until: At
})

const PerSecond = Schema.NullOr(
  Schema.Finite.annotate({
    description: "How many messages per second each process sends to the provider; null for no limit"
  })
)

export const ChannelAnswer = Schema.Struct({
  channel: ChannelName,
  label: Schema.String.annotate({ description: "The channel's display name", examples: ["WhatsApp"] }),
  provider: Schema.NullOr(Schema.String),
  enabled: Schema.Boolean.annotate({ description: "Whether a provider for the channel is configured" }),
  role: Schema.NullOr(Schema.Literals(["PRIMARY", "FALLBACK"])),
  breaker: Breaker,
  perSecond: PerSecond,
  carriers: Schema.Array(
    Schema.Struct({
      carrier: Schema.String,
      breaker: Breaker,
      perSecond: PerSecond,
      prefixes: Schema.Array(Schema.String).annotate({
        description: "The number prefixes that this carrier is tried first for; empty for every number"
      })
    })
  ).annotate({ description: "The providers of the channel. The channel works while one of them does" }),
  waiting: Schema.Int.annotate({
    description: "Due messages of this environment that are not being sent yet. 1,000 means 1,000 or more"
  }),
  oldestWaitingAt: At,
  lastSentAt: At,
  lastFailure: Schema.NullOr(Schema.Struct({ at: Timestamp, providerCode: Schema.String })),
  lastReceiptAt: At
}).annotate({ identifier: "Channel" })

/** The state of an environment's channels. */
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
          "SMS, WHATSAPP, RCS and EMAIL, then all other channels of this server. The last send, failure and receipt come from the newest 200 verifications, or from the channel's own newest if it is in none of them."
        )
      )
  )
  .prefix("/v1/dashboard")
  .annotateMerge(
    OpenApi.annotations({
      title: "Channels",
      description: "Which channels can send, and the state of their providers."
    })
  ) {}
