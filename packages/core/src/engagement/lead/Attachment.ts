import { Effect, Schema } from "effect"
import { type InvalidField, invalidField } from "../../foundation/identity/InvalidField.ts"
import * as Problem from "../../foundation/identity/Problem.ts"
import type { Keyring } from "../../foundation/secret/Keyring.ts"
import type { MediaKind } from "../../foundation/delivery/Message.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import * as Cursor from "./Cursor.ts"
import { type FileProblem, type FileType, fileNameFor, fileTypeNamed, judgeFile } from "./fileType.ts"
import { checkText } from "./inboxFields.ts"
import type { Lead } from "./Lead.ts"

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

const problemOf = (found: FileProblem) =>
  found.code === "FILE_LARGE" ? Problem.of(found.code, { kind: found.kind, max: found.max }) : Problem.of(found.code)

/** The type of a file that a reply may carry. */
export const checkFile = (bytes: Uint8Array): Effect.Effect<FileType, InvalidField> => {
  const found = judgeFile(bytes)
  return "code" in found ? Effect.fail(invalidField("file", problemOf(found))) : Effect.succeed(found)
}

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
