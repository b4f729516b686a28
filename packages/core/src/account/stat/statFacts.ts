import { Schema } from "effect"
import * as FactKind from "../../foundation/outbox/FactKind.ts"

/** Counts by entry name. */
export type Counts = { readonly [entry: string]: number }

/** The entry that a message counts in: `sent@twilio`. Without a carrier: `sent`. */
export const byCarrier = (what: string, carrier: string | undefined): string =>
  carrier === undefined ? what : `${what}@${carrier.replaceAll(/[\s@]/g, "_")}`

/** The counted event and its carrier; an empty text without a carrier. */
export const splitName = (name: string): readonly [what: string, carrier: string] => {
  const at = name.indexOf("@")
  return at < 0 ? [name, ""] : [name.slice(0, at), name.slice(at + 1)]
}

/** The name of an entry: `asked SMS`, `toSend.37 SMS`, and with a template `asked SMS tpl_1`. */
export const entryOf = (what: string, channel: string, template: string | null): string =>
  template === null ? `${what} ${channel}` : `${what} ${channel} ${template}`

/**
 * A change of a verification's counts; an entry may be negative. Its instant is the start of the verification, because
 * everything about a verification counts in the quarter hour in which it started.
 */
export const counted = FactKind.make(
  "stat.verification",
  Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Number, Schema.Null]))
)

/** A number of initiates refused for the same reason. Its instant is the refusal. */
export const refused = FactKind.make(
  "stat.refused",
  Schema.Struct({
    path: Schema.NullOr(Schema.String),
    reason: Schema.String,
    channel: Schema.NullOr(Schema.String),
    country: Schema.NullOr(Schema.String),
    n: Schema.Number
  })
)
