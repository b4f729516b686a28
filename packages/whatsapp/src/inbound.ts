import type { Inbound } from "@countersign/core/channel"
import { Option, Redacted, Result, Schema } from "effect"

const provider = "whatsapp"

/** Longer than WhatsApp allows for people. */
const longestText = 8_192
const longestName = 256
const longestDetails = 32_768
const longestId = 512

/** Meta's ids are visible ASCII. Others are refused and not cleaned, because cleaning could make two ids equal. */
const isIdOfMessage = /^[\x21-\x7e]{1,512}$/

/** Optional parts are decoded on use, so that a malformed caption does not make its picture unreadable. */
const Maybe = Schema.optionalKey(Schema.Unknown)

/** Decodes a value; null when a required part is missing. */
const reader = <S extends Schema.ConstraintDecoder<unknown>>(schema: S) => {
  const decode = Schema.decodeUnknownOption(schema)
  return (value: unknown): S["Type"] | null => Option.getOrNull(decode(value))
}

const readItem = reader(
  Schema.Struct({
    id: Schema.String.check(Schema.isPattern(isIdOfMessage)),
    type: Schema.String,
    from: Maybe,
    from_user_id: Maybe,
    timestamp: Schema.optionalKey(Schema.Unknown),
    context: Schema.optionalKey(Schema.Unknown),
    referral: Maybe
  })
)
type Item = NonNullable<ReturnType<typeof readItem>>

const readContact = reader(Schema.Struct({ wa_id: Maybe, user_id: Maybe, profile: Maybe }))
const readProfile = reader(Schema.Struct({ name: Maybe, username: Maybe }))
const readText = reader(Schema.Struct({ body: Schema.String }))
const readMedia = reader(
  Schema.Struct({
    id: Schema.String.check(Schema.isPattern(isIdOfMessage)),
    mime_type: Maybe,
    caption: Maybe,
    filename: Maybe,
    file_size: Maybe
  })
)
const readLocation = reader(
  Schema.Struct({ latitude: Schema.Finite, longitude: Schema.Finite, name: Maybe, address: Maybe })
)
const readButton = reader(Schema.Struct({ text: Schema.String, payload: Maybe }))
const readReply = reader(Schema.Struct({ id: Maybe, title: Schema.String }))
const readInteractive = reader(
  Schema.Struct({
    button_reply: Schema.optionalKey(Schema.Unknown),
    list_reply: Maybe
  })
)
const readReaction = reader(Schema.Struct({ message_id: Maybe, emoji: Maybe }))
const readChanged = reader(
  Schema.Struct({
    original_message_id: Maybe,
    message_id: Maybe,
    message: Maybe
  })
)
const readEdited = reader(Schema.Struct({ text: Schema.Struct({ body: Schema.String }) }))
const readSystem = reader(Schema.Struct({ type: Maybe, wa_id: Maybe, new_wa_id: Maybe }))
const readContext = reader(
  Schema.Struct({
    id: Maybe,
    forwarded: Maybe,
    frequently_forwarded: Maybe
  })
)
const readReferral = reader(
  Schema.Struct({ source_type: Maybe, source_id: Maybe, source_url: Maybe, headline: Maybe, ctwa_clid: Maybe })
)

/** A text without characters that databases refuse, cut to a length. */
const bounded = (text: unknown, longest: number): string | null => {
  const cleaned = typeof text === "string" ? text.replaceAll("\0", "").slice(0, longest).toWellFormed() : ""
  return cleaned === "" ? null : cleaned
}

const secret = (text: unknown): Redacted.Redacted | null => {
  const words = bounded(text, longestText)
  return words === null ? null : Redacted.make(words)
}

const digits = (text: unknown): string | null =>
  typeof text === "string" && /^\+?[1-9]\d{5,14}$/.test(text) ? text.replace("+", "") : null

/** The contacts of a webhook, by number and by id. */
export type Contacts = ReadonlyMap<string, NonNullable<ReturnType<typeof readContact>>>

/** Collects the contacts, which Meta lists beside the messages in any order. The first entry of a person wins. */
export const contactsOf = (items: ReadonlyArray<unknown>): Contacts => {
  const contacts = new Map<string, NonNullable<ReturnType<typeof readContact>>>()
  for (const item of items) {
    const contact = readContact(item)
    if (contact === null) continue
    for (const key of [digits(contact.wa_id), bounded(contact.user_id, longestName)]) {
      if (key !== null && !contacts.has(key)) contacts.set(key, contact)
    }
  }
  return contacts
}

const senderOf = ({ from, from_user_id }: Item, contacts: Contacts): Inbound.Sender | null => {
  const phone = digits(from)
  const named = bounded(from_user_id, longestName)
  const known = contacts.get(phone ?? "") ?? contacts.get(named ?? "")
  const userId = named ?? bounded(known?.user_id, longestName)
  if (phone === null && userId === null) return null
  const profile = readProfile(known?.profile)
  const profileName = bounded(profile?.name, longestName) ?? bounded(profile?.username, longestName)
  return { phone, userId, profileName }
}

/** Parses Meta's Unix seconds, which are text. */
const atOf = ({ timestamp }: Item, now: number): number =>
  typeof timestamp === "string" && /^\d{1,11}$/.test(timestamp) ? Number(timestamp) * 1_000 : now

const contextOf = ({ context }: Item): Inbound.Context | null => {
  const read = readContext(context)
  if (read === null) return null
  const forwarded = read.forwarded === true || read.frequently_forwarded === true
  const messageId = bounded(read.id, longestId)
  return messageId === null && !forwarded ? null : { messageId, forwarded }
}

const referralOf = ({ referral }: Item): Inbound.Referral | null => {
  const read = readReferral(referral)
  return read === null
    ? null
    : {
        sourceType: bounded(read.source_type, longestName),
        sourceId: bounded(read.source_id, longestName),
        sourceUrl: bounded(read.source_url, longestText),
        headline: bounded(read.headline, longestText),
        clickId: bounded(read.ctwa_clid, longestId)
      }
}

type Content = Pick<Inbound.InboundMessage, "type" | "text" | "payload" | "media" | "location" | "details">

const unknown: Content = { type: "unknown", text: null, payload: null, media: null, location: null, details: null }

const sizeOf = (bytes: unknown): number | null =>
  typeof bytes === "number" && Number.isSafeInteger(bytes) && bytes >= 0 ? bytes : null

const mediaContent = (type: Inbound.InboundType, value: unknown): Content => {
  const read = readMedia(value)
  if (read === null) return unknown
  const media: Inbound.Media = {
    id: read.id,
    mimeType: bounded(read.mime_type, longestName),
    fileName: bounded(read.filename, longestName),
    size: sizeOf(read.file_size)
  }
  return { ...unknown, type, media, text: secret(read.caption) }
}

/** Stores the provider's own structure as JSON; nothing when it is too long or too deep to serialize. */
const detailsContent = (type: Inbound.InboundType, value: unknown): Content => {
  if (typeof value !== "object" || value === null) return unknown
  const details = Result.getOrNull(Result.try(() => JSON.stringify(value)))
  const isKept = details !== null && details.length <= longestDetails
  return { ...unknown, type, details: isKept ? Redacted.make(details) : null }
}

const interactive = (value: unknown): Content => {
  const read = readInteractive(value)
  const [type, reply] =
    read?.list_reply === undefined
      ? (["button", readReply(read?.button_reply)] as const)
      : (["list", readReply(read.list_reply)] as const)
  return reply === null
    ? unknown
    : { ...unknown, type, text: secret(reply.title), payload: bounded(reply.id, longestId) }
}

const contents: { readonly [type: string]: (value: unknown) => Content } = {
  text: (value) => {
    const read = readText(value)
    return read === null ? unknown : { ...unknown, type: "text", text: secret(read.body) }
  },
  image: (value) => mediaContent("image", value),
  video: (value) => mediaContent("video", value),
  audio: (value) => mediaContent("audio", value),
  document: (value) => mediaContent("document", value),
  sticker: (value) => mediaContent("sticker", value),
  location: (value) => {
    const read = readLocation(value)
    if (read === null) return unknown
    const { address, latitude, longitude, name } = read
    return { ...unknown, type: "location", location: { latitude, longitude }, text: secret(name ?? address) }
  },
  contacts: (value) => detailsContent("contacts", value),
  order: (value) => detailsContent("order", value),
  button: (value) => {
    const read = readButton(value)
    if (read === null) return unknown
    return { ...unknown, type: "button", text: secret(read.text), payload: bounded(read.payload, longestId) }
  },
  interactive
}

type Common = Pick<Inbound.InboundMessage, "id" | "provider" | "receiver" | "sender" | "at">

/** A system note from Meta, not written by a person. */
const note = (common: Common, what: string, newPhone: string | null): Inbound.SystemNote => ({
  _tag: "System",
  ...common,
  what,
  newPhone
})

/**
 * Reads items that are not messages, such as edits. An item without the id of its message becomes a note, because as a
 * message it would count as unread. Null for messages.
 */
const besideMessages = (type: string, value: unknown, common: Common): Inbound.Inbound | null => {
  if (type === "reaction") {
    const read = readReaction(value)
    const messageId = bounded(read?.message_id, longestId)
    if (messageId === null) return note(common, type, null)
    return { _tag: "Reaction", ...common, messageId, emoji: bounded(read?.emoji, 64) }
  }
  if (type === "edit" || type === "revoke") {
    const read = readChanged(value)
    const messageId = bounded(read?.original_message_id ?? read?.message_id, longestId)
    if (messageId === null) return note(common, type, null)
    return type === "revoke"
      ? { _tag: "Deletion", ...common, messageId }
      : { _tag: "Edit", ...common, messageId, text: secret(readEdited(read?.message)?.text.body) }
  }
  if (type !== "system") return null
  const read = readSystem(value)
  return note(common, bounded(read?.type, 64) ?? "unknown", digits(read?.wa_id) ?? digits(read?.new_wa_id))
}

/**
 * Reads an item of a webhook's `messages`. None for an item without an id or a sender, which cannot be stored or answered.
 * An unknown or malformed kind becomes a message of the type `unknown`.
 */
export const inboundOf = (
  item: unknown,
  contacts: Contacts,
  receiver: string,
  now: number
): Option.Option<Inbound.Inbound> => {
  const read = readItem(item)
  const sender = read === null ? null : senderOf(read, contacts)
  if (read === null || sender === null) return Option.none()
  const { id, type } = read
  const common: Common = { id, provider, receiver, sender, at: atOf(read, now) }
  const value: unknown = Reflect.get(item as object, type)
  const beside = besideMessages(type, value, common)
  if (beside !== null) return Option.some(beside)
  const content = Object.hasOwn(contents, type) ? contents[type]!(value) : unknown
  return Option.some({
    _tag: "Message",
    ...common,
    ...content,
    context: contextOf(read),
    referral: referralOf(read)
  })
}
