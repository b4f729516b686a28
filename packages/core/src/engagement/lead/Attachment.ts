import { Effect, Schema } from "effect"
import { invalidField } from "../../foundation/identity/InvalidField.ts"
import * as Problem from "../../foundation/identity/Problem.ts"
import type { Keyring } from "../../foundation/secret/Keyring.ts"
import { MediaKind } from "../../foundation/delivery/Message.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import * as Cursor from "./Cursor.ts"
import { type FileType, fileNameFor, fileTypeNamed, fileTypeOf } from "./fileType.ts"
import { checkText } from "./inboxFields.ts"
import type { Lead } from "./Lead.ts"

/**
 * WhatsApp's limits in bytes, counted in millions, so that neither reading of "MB" exceeds them. WhatsApp accepts
 * documents of 100 MB; ours are smaller, because a file is held in memory until WhatsApp has it.
 */
const largest: { readonly [kind in MediaKind]: number } = {
  image: 5_000_000,
  audio: 16_000_000,
  video: 16_000_000,
  document: 16_000_000
}

/** The largest file that a reply may carry, in bytes. */
export const largestFile = Math.max(...Object.values(largest))

const longestCaption = 1_024
/** As long as a customer's reply window, which is the longest that an uploaded file can be of use. */
const validFor = 86_400_000

/** A file that was uploaded to the provider for a reply to one lead. */
const Attached = Schema.Struct({
  id: Schema.String,
  mimeType: Schema.String,
  size: Schema.Int,
  /** The provider's id of the number that the customer wrote to. Only this number can send the file. */
  sender: Schema.NullOr(Schema.String),
  until: Schema.Number
})
type Attached = typeof Attached.Type

/** A reference to an uploaded file, for one reply. */
export interface Attachment {
  /** Valid for 24 hours, and for replies to the same lead only. */
  readonly attachment: string
  readonly kind: MediaKind
  readonly mimeType: string
  readonly size: number
}

/** The type of a file that a reply may carry. The bytes decide, not a name or a declared type. */
export const checkFile = Effect.fnUntraced(function* (bytes: Uint8Array) {
  if (bytes.length === 0) return yield* invalidField("file", Problem.of("FILE_EMPTY"))
  const type = fileTypeOf(bytes)
  if (type === null) return yield* invalidField("file", Problem.of("FILE_TYPE"))
  const most = largest[type.kind]
  if (bytes.length > most) {
    return yield* invalidField("file", Problem.of("FILE_LARGE", { kind: type.kind, max: most / 1_000_000 }))
  }
  return type
})

const nameOf = ({ environment, id }: Pick<Lead, "environment" | "id">) => `attachment:${environment}:${id}`

/** The reference of an uploaded file. Its signature binds it to the lead and the environment. */
export const write = (
  keyring: Keyring["Service"],
  lead: Lead,
  type: FileType,
  { id, size }: Pick<Attached, "id" | "size">,
  now: Instant
): Attachment => {
  const { kind, mimeType } = type
  const attached: Attached = { id, mimeType, size, sender: lead.receiver, until: now + validFor }
  return { attachment: Cursor.write(keyring, nameOf(lead), attached), kind, mimeType, size }
}

/** The file of a reference; undefined for one of another lead, expired, or for another number of ours. */
const read = (keyring: Keyring["Service"], lead: Lead, reference: string, now: Instant) => {
  const attached = Cursor.read(keyring, nameOf(lead), Attached, reference)
  const type = attached === undefined ? undefined : fileTypeNamed(attached.mimeType)
  return attached === undefined || type === undefined || now >= attached.until || attached.sender !== lead.receiver
    ? undefined
    : { ...attached, type }
}

/** Checks a reply with a file. Its text is the caption. */
export const checkAttachment = Effect.fnUntraced(function* (
  keyring: Keyring["Service"],
  lead: Lead,
  request: {
    readonly attachment: string
    readonly fileName: string | null | undefined
    readonly text: string | null | undefined
  },
  now: Instant
) {
  const file = read(keyring, lead, request.attachment, now)
  if (file === undefined) {
    return yield* invalidField("attachment", Problem.of("FILE_EXPIRED"))
  }
  const { id, mimeType, size, type } = file
  if (request.text != null && type.kind === "audio") {
    return yield* invalidField("text", Problem.of("NO_CAPTION"))
  }
  const text = request.text == null ? null : yield* checkText("text", request.text, longestCaption)
  const given = request.fileName ?? (type.kind === "document" ? "file" : null)
  const fileName = given === null ? null : fileNameFor(type, given)
  return { type: type.kind, text, template: null, media: { id, mimeType, fileName, size } }
})
