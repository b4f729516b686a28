import { Option, Schema } from "effect"
import type { Health } from "./Numbers.ts"

/** The fields to request of a number. */
export const healthFields = "id,status,quality_rating,health_status"

const decode = Schema.decodeUnknownOption(
  Schema.Struct({
    status: Schema.optionalKey(Schema.String),
    quality_rating: Schema.optionalKey(Schema.String),
    health_status: Schema.optionalKey(Schema.Struct({ can_send_message: Schema.String }))
  })
)

/** The health of a number; null when the answer does not contain it. */
export const healthOf = (body: unknown): Health | null =>
  Option.match(decode(body), {
    onNone: () => null,
    onSome: ({ health_status, quality_rating, status }) => {
      if (health_status?.can_send_message === "BLOCKED") return "blocked"
      if (status === undefined) return null
      if (status !== "CONNECTED") return "blocked"
      return quality_rating === "RED" ? "poor" : "good"
    }
  })

const decodeHealth = Schema.decodeUnknownOption(
  Schema.Struct({ health_status: Schema.Struct({ entities: Schema.Array(Schema.Unknown) }) })
)
const decodeEntity = Schema.decodeUnknownOption(
  Schema.Struct({ errors: Schema.Array(Schema.Struct({ error_code: Schema.Int, error_description: Schema.String })) })
)

/** Meta's reasons why the number cannot send, from the number, its account and its business. */
export const reasonsOf = (body: unknown): string =>
  Option.match(decodeHealth(body), { onNone: () => [], onSome: ({ health_status }) => health_status.entities })
    .flatMap((entity) => Option.match(decodeEntity(entity), { onNone: () => [], onSome: ({ errors }) => errors }))
    .map(({ error_code, error_description }) => `${error_code}: ${error_description}`)
    .join("; ")
