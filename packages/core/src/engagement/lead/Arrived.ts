import { Redacted, Schema } from "effect"
import { type Inbound, InboundType } from "../../foundation/delivery/Inbound.ts"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import type { Instant } from "../../foundation/time/Instant.ts"

const Text = Schema.NullOr(Schema.String)
const Sender = Schema.Struct({ phone: Text, userId: Text, profileName: Text })
const Common = {
  id: Schema.String,
  provider: Schema.String,
  receiver: Schema.String,
  sender: Sender,
  at: Schema.Number
}

const Media = Schema.Struct({ id: Schema.String, mimeType: Text, fileName: Text, size: Schema.NullOr(Schema.Number) })
const Referral = Schema.Struct({ sourceType: Text, sourceId: Text, sourceUrl: Text, headline: Text, clickId: Text })

/** A report with its text in plain form. It exists only in memory, between decryption and commit. */
export const Written = Schema.Union([
  Schema.TaggedStruct("Message", {
    ...Common,
    type: Schema.Literals(InboundType),
    text: Text,
    payload: Text,
    media: Schema.NullOr(Media),
    location: Schema.NullOr(Schema.Struct({ latitude: Schema.Number, longitude: Schema.Number })),
    context: Schema.NullOr(Schema.Struct({ messageId: Text, forwarded: Schema.Boolean })),
    referral: Schema.NullOr(Referral),
    details: Text
  }),
  Schema.TaggedStruct("Reaction", { ...Common, messageId: Schema.String, emoji: Text }),
  Schema.TaggedStruct("Edit", { ...Common, messageId: Schema.String, text: Text }),
  Schema.TaggedStruct("Deletion", { ...Common, messageId: Schema.String }),
  Schema.TaggedStruct("System", { ...Common, what: Schema.String, newPhone: Text })
])
export type Written = typeof Written.Type

/** A report with the server's id, which sorts by arrival. */
export const Arrived = Schema.Struct({ id: Schema.String, written: Written })
export type Arrived = typeof Arrived.Type

/** The reports of one callback for one environment, or a part of them. */
export const Parcel = Schema.Struct({ arrived: Schema.Array(Arrived) })
export type Parcel = typeof Parcel.Type

const longestText = 32_768
const longestName = 256

/** Makes a text storable: removes zero characters, replaces lone surrogates and cuts extreme lengths. */
const kept = (text: string | null, longest = longestText): string | null =>
  text === null ? null : text.replaceAll("\0", "").slice(0, longest).toWellFormed()

const reveal = (text: Redacted.Redacted | null): string | null => (text === null ? null : kept(Redacted.value(text)))

/** Converts a report into the form that is sealed. */
export const written = (inbound: Inbound): Written => {
  const sender = { ...inbound.sender, profileName: kept(inbound.sender.profileName, longestName) }
  switch (inbound._tag) {
    case "Message":
      return { ...inbound, sender, text: reveal(inbound.text), details: reveal(inbound.details) }
    case "Edit":
      return { ...inbound, sender, text: reveal(inbound.text) }
    case "Reaction":
    case "Deletion":
    case "System":
      return { ...inbound, sender }
  }
}

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

/**
 * The server's id for the message at this place of a callback. Provider times are whole seconds, so the place orders
 * messages of the same second. Places after the 1,024th share the last position.
 */
export const messageId = (arrivedAt: Instant, place: number): string => {
  const index = Math.min(place, 1_023)
  const order = `${alphabet[index >> 5]}${alphabet[index & 31]}`
  return `${Identifier.first("msg", arrivedAt)}${order}${Identifier.randomText(14)}`
}
