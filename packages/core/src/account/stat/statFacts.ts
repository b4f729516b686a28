import { Schema } from "effect"
import * as FactKind from "../../foundation/outbox/FactKind.ts"

/** How often each thing happened, by the name of its entry. */
export type Counts = { readonly [entry: string]: number }

/** What a message counts as: `sent@twilio`. Without a carrier, as everything else does: `sent`. */
export const byCarrier = (what: string, carrier: string | undefined): string =>
  carrier === undefined ? what : `${what}@${carrier.replaceAll(/[\s@]/g, "_")}`

/** What is counted, and the carrier it is counted for; an empty text where it is for none. */
export const splitName = (name: string): readonly [what: string, carrier: string] => {
  const at = name.indexOf("@")
  return at < 0 ? [name, ""] : [name.slice(0, at), name.slice(at + 1)]
}

/** The name of an entry: `asked SMS`, `toSend.37 SMS`, and with a template `asked SMS tpl_1`. */
export const entryOf = (what: string, channel: string, template: string | null): string =>
  template === null ? `${what} ${channel}` : `${what} ${channel} ${template}`

/**
 * A verification's counts have changed by this much: an entry may be negative. Its instant is the start of the
 * verification, for everything about one counts in the quarter hour in which it started.
 */
export const counted = FactKind.make(
  "stat.verification",
  Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Number, Schema.Null]))
)

/** So many initiates were refused for one reason. Its instant is when they were. */
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
