import { Result, Schema } from "effect"
import { createHash, randomBytes } from "node:crypto"

const Maybe = Schema.optionalKey
const Words = Maybe(Schema.String)

const File = Schema.Union([
  Schema.Literal(true),
  Schema.Struct({ caption: Words, fileName: Words, mimeType: Words, base64: Words })
])
const Choice = Schema.Struct({ id: Schema.String, title: Schema.String, description: Words })

/** The content of a message: exactly one of these. */
const contents = {
  text: Words,
  image: Maybe(File),
  video: Maybe(File),
  audio: Maybe(File),
  document: Maybe(File),
  sticker: Maybe(File),
  location: Maybe(Schema.Struct({ latitude: Schema.Finite, longitude: Schema.Finite, name: Words, address: Words })),
  contacts: Maybe(Schema.Array(Schema.Unknown)),
  order: Maybe(Schema.Record(Schema.String, Schema.Unknown)),
  /** A pressed button of our message. */
  button: Maybe(Choice),
  /** A selected row of our list. */
  list: Maybe(Choice),
  /** A pressed button of our template. */
  quickReply: Maybe(Schema.Struct({ payload: Schema.String, text: Schema.String })),
  /** Without an emoji the reaction is removed. */
  reaction: Maybe(Schema.Struct({ messageId: Schema.String, emoji: Words })),
  edit: Maybe(Schema.Struct({ messageId: Schema.String, text: Schema.String })),
  delete: Maybe(Schema.Struct({ messageId: Schema.String })),
  changedNumber: Maybe(Schema.Struct({ to: Schema.String })),
  /** A type that the Cloud API does not support. */
  unknown: Maybe(Schema.Literal(true))
}

const CustomerMessage = Schema.Struct({
  /**
   * The customer's number, with country code. Without it the number is hidden, and `userId` identifies the customer.
   */
  from: Words,
  userId: Words,
  name: Words,
  /** The phone number id that the customer writes to. Default: the first. */
  to: Words,
  id: Words,
  /** When the customer wrote: ISO 8601, or milliseconds since 1970. Default: now. */
  at: Maybe(Schema.Union([Schema.String, Schema.Finite])),
  /** The quoted message. */
  answers: Words,
  forwarded: Maybe(Schema.Boolean),
  /** The advertisement that the customer came from. */
  referral: Maybe(
    Schema.Struct({
      sourceType: Words,
      sourceId: Words,
      sourceUrl: Words,
      headline: Words,
      body: Words,
      clickId: Words
    })
  ),
  ...contents
})

/** A customer's action in a short form. */
export type CustomerMessage = typeof CustomerMessage.Type

/** A file that a customer sent. */
export interface CustomerFile {
  readonly id: string
  readonly phoneNumberId: string
  readonly mimeType: string
  readonly bytes: Uint8Array
}

/** A customer's action as Meta reports it, before it is delivered. */
export interface CustomerLetter {
  readonly id: string
  readonly phoneNumberId: string
  /** The sender: the digits of the customer's number, or the customer's id. */
  readonly writer: string
  readonly at: number
  /** An item of `messages`. */
  readonly item: object
  /** An item of `contacts`. */
  readonly contact: object
  readonly file: CustomerFile | null
}

const decode = Schema.decodeUnknownResult(CustomerMessage, { onExcessProperty: "error" })

const names = Object.keys(contents) as ReadonlyArray<keyof typeof contents>

/** A picture of one pixel. */
const picture = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

const mimeTypes = {
  image: "image/png",
  video: "video/mp4",
  audio: "audio/ogg; codecs=opus",
  document: "application/pdf",
  sticker: "image/webp"
}
type FileType = keyof typeof mimeTypes

const digitsOf = (phone: string) => phone.replace(/[^0-9]/g, "")

const fileOf = (
  type: FileType,
  given: typeof File.Type,
  phoneNumberId: string
): { readonly file: CustomerFile; readonly wire: object } => {
  const { base64 = picture, caption, fileName, mimeType = mimeTypes[type] } = given === true ? {} : given
  const bytes = new Uint8Array(Buffer.from(base64, "base64"))
  const id = String(randomBytes(6).readUIntBE(0, 6))
  const wire = {
    id,
    mime_type: mimeType,
    sha256: createHash("sha256").update(bytes).digest("base64"),
    ...(caption === undefined ? {} : { caption }),
    ...(fileName === undefined ? {} : { filename: fileName }),
    ...(type === "audio" ? { voice: true } : {})
  }
  return { file: { id, phoneNumberId, mimeType, bytes }, wire }
}

const interactive = (type: "button_reply" | "list_reply", choice: object) => ({
  type: "interactive",
  interactive: { type, [type]: choice }
})

/** The part of an item that holds its content. */
const kindOf = (message: CustomerMessage): object => {
  if (message.text !== undefined) return { type: "text", text: { body: message.text } }
  if (message.location !== undefined) return { type: "location", location: message.location }
  if (message.contacts !== undefined) return { type: "contacts", contacts: message.contacts }
  if (message.order !== undefined) return { type: "order", order: message.order }
  if (message.button !== undefined) return interactive("button_reply", message.button)
  if (message.list !== undefined) return interactive("list_reply", message.list)
  if (message.quickReply !== undefined) return { type: "button", button: message.quickReply }
  if (message.reaction !== undefined) {
    const { emoji, messageId } = message.reaction
    return { type: "reaction", reaction: { message_id: messageId, ...(emoji === undefined ? {} : { emoji }) } }
  }
  if (message.edit !== undefined) {
    const { messageId, text } = message.edit
    return { type: "edit", edit: { original_message_id: messageId, message: { type: "text", text: { body: text } } } }
  }
  if (message.delete !== undefined) {
    return { type: "revoke", revoke: { original_message_id: message.delete.messageId } }
  }
  if (message.changedNumber !== undefined) {
    const wa_id = digitsOf(message.changedNumber.to)
    return { type: "system", system: { body: "Changed their number", wa_id, type: "user_changed_number" } }
  }
  const title = "Message type unknown"
  return { type: "unsupported", errors: [{ code: 131051, title, message: title, error_data: { details: title } }] }
}

const referralOf = ({ referral }: CustomerMessage) => {
  if (referral === undefined) return {}
  const { body, clickId, headline, sourceId, sourceType = "ad", sourceUrl } = referral
  const fields = { source_type: sourceType, source_id: sourceId, source_url: sourceUrl, headline, body }
  return { referral: { ...fields, ctwa_clid: clickId } }
}

const contextOf = ({ answers, forwarded }: CustomerMessage, display: string) => {
  if (answers === undefined && forwarded === undefined) return {}
  return {
    context: {
      ...(answers === undefined ? {} : { from: display, id: answers }),
      ...(forwarded === undefined ? {} : { forwarded })
    }
  }
}

const timeOf = ({ at }: CustomerMessage, now: number) => (at === undefined ? now : new Date(at).getTime())

const list = names.join(", ")

/** The problem with it beyond its shape; null when it is valid. */
const problemOf = (message: CustomerMessage, now: number): string | null => {
  const { from, userId } = message
  if (from === undefined && userId === undefined) return "from or userId must say who writes"
  if (from !== undefined && !/^\d{6,15}$/.test(digitsOf(from))) return "from must be a number with its country code"
  if (Number.isNaN(timeOf(message, now))) return "at must be a time in ISO 8601, or milliseconds since 1970"
  return names.filter((name) => message[name] !== undefined).length === 1 ? null : `it must hold exactly one of ${list}`
}

const letterOf = (
  message: CustomerMessage,
  { display, now, phoneNumberId }: { readonly display: string; readonly now: number; readonly phoneNumberId: string }
): CustomerLetter => {
  const { from, id = `wamid.HBgM${randomBytes(24).toString("base64")}`, name, userId } = message
  const at = timeOf(message, now)
  const type = (Object.keys(mimeTypes) as ReadonlyArray<FileType>).find((each) => message[each] !== undefined)
  const made = type === undefined ? undefined : fileOf(type, message[type]!, phoneNumberId)
  const phone = from === undefined ? undefined : digitsOf(from)
  return {
    id,
    phoneNumberId,
    writer: phone ?? userId!,
    at,
    file: made?.file ?? null,
    item: {
      ...(phone === undefined ? {} : { from: phone }),
      ...(userId === undefined ? {} : { from_user_id: userId }),
      id,
      timestamp: String(Math.floor(at / 1_000)),
      ...(made === undefined ? kindOf(message) : { type, [type!]: made.wire }),
      ...contextOf(message, display),
      ...referralOf(message)
    },
    contact: {
      profile: name === undefined ? {} : { name },
      ...(phone === undefined ? {} : { wa_id: phone }),
      ...(userId === undefined ? {} : { user_id: userId })
    }
  }
}

export interface Place {
  /** The display number of one of our numbers; undefined for an unknown number. */
  readonly displayOf: (phoneNumberId: string) => string | undefined
  readonly usual: string
  readonly now: number
}

/** Builds Meta's form of a customer's action, or returns the problem in words. */
export const compose = (given: unknown, { displayOf, now, usual }: Place): Result.Result<CustomerLetter, string> => {
  const decoded = decode(given)
  if (Result.isFailure(decoded)) return Result.fail(decoded.failure.message)
  const message = decoded.success
  const phoneNumberId = message.to ?? usual
  const display = displayOf(phoneNumberId)
  if (display === undefined) return Result.fail("to must be the phone number id of one of our numbers")
  const problem = problemOf(message, now)
  return problem === null ? Result.succeed(letterOf(message, { display, now, phoneNumberId })) : Result.fail(problem)
}
