// The dashboard uses this file too, so it imports only types.
import type { MediaKind } from "../../foundation/delivery/Message.ts"

/** A type of file that a reply may carry. */
export interface FileType {
  readonly kind: MediaKind
  readonly mimeType: string
  /** The endings that a name of this type may have. The first one is added to a name without one of them. */
  readonly endings: readonly [string, ...ReadonlyArray<string>]
}

const type = (kind: MediaKind, mimeType: string, ...endings: FileType["endings"]): FileType => ({
  kind,
  mimeType,
  endings
})

const office = "application/vnd.openxmlformats-officedocument"
const types = {
  jpeg: type("image", "image/jpeg", "jpg", "jpeg"),
  png: type("image", "image/png", "png"),
  ogg: type("audio", "audio/ogg", "ogg", "opus", "oga"),
  mp3: type("audio", "audio/mpeg", "mp3"),
  aac: type("audio", "audio/aac", "aac"),
  amr: type("audio", "audio/amr", "amr"),
  m4a: type("audio", "audio/mp4", "m4a"),
  mp4: type("video", "video/mp4", "mp4", "m4v"),
  "3gp": type("video", "video/3gpp", "3gp", "3gpp"),
  pdf: type("document", "application/pdf", "pdf"),
  docx: type("document", `${office}.wordprocessingml.document`, "docx"),
  xlsx: type("document", `${office}.spreadsheetml.sheet`, "xlsx"),
  pptx: type("document", `${office}.presentationml.presentation`, "pptx"),
  text: type("document", "text/plain", "txt", "csv")
} as const

const utf8 = new TextDecoder("utf-8", { fatal: true })

/** A few bytes as characters of the same value, to compare them with a text. */
const chars = (bytes: Uint8Array, from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to))

const isAt = (bytes: Uint8Array, from: number, expected: string) =>
  chars(bytes, from, from + expected.length) === expected

/** The brands of MP4 videos, at the start of the file. QuickTime, HEIC and AVIF use the same container. */
const videoBrands = /^(isom|iso[2-9]|mp4[12]|avc1|dash|M4V |MSNV|mmp4|f4v )$/

/** The type of a file in the container of MP4. */
const inContainer = (bytes: Uint8Array): FileType | null => {
  const brand = chars(bytes, 8, 12)
  if (/^M4[AB] $/.test(brand)) return types.m4a
  if (/^3g[prsge]/.test(brand)) return types["3gp"]
  return videoBrands.test(brand) ? types.mp4 : null
}

const endOfDirectory = 22
const longestComment = 65_535
const entryHead = 46
/** Far more than an office document has. */
const mostEntries = 20_000
const longestEntry = 512

/** The names in a ZIP archive's directory; null when the directory is missing or broken. */
const namesInZip = (bytes: Uint8Array): ReadonlySet<string> | null => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  let end = bytes.length - endOfDirectory
  const first = Math.max(0, end - longestComment)
  while (end >= first && view.getUint32(end, true) !== 0x06054b50) end--
  if (end < first) return null
  const count = view.getUint16(end + 10, true)
  let at = view.getUint32(end + 16, true)
  if (count > mostEntries) return null
  const names = new Set<string>()
  for (let n = 0; n < count; n++) {
    if (at + entryHead > end || view.getUint32(at, true) !== 0x02014b50) return null
    const length = view.getUint16(at + 28, true)
    if (length <= longestEntry) names.add(chars(bytes, at + entryHead, at + entryHead + length))
    at += entryHead + length + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return names
}

/** The type of an office document. An archive of anything else, or a document with macros, has none. */
const officeType = (bytes: Uint8Array): FileType | null => {
  const names = namesInZip(bytes)
  if (names === null || !names.has("[Content_Types].xml")) return null
  for (const name of names) if (/vbaProject\.bin$/i.test(name)) return null
  const found = [
    names.has("word/document.xml") ? types.docx : null,
    names.has("xl/workbook.xml") ? types.xlsx : null,
    names.has("ppt/presentation.xml") ? types.pptx : null
  ].filter((each) => each !== null)
  return found.length === 1 ? found[0]! : null
}

/** Plain text in UTF-8. A text that a program would run or draw, such as HTML, SVG, RTF or a script, has no type. */
const plainText = (bytes: Uint8Array): FileType | null => {
  for (const byte of bytes) {
    if ((byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) || byte === 0x7f) return null
  }
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    return null
  }
  return /^\s*(<|#!|\{\\rtf|%!)/.test(text) ? null : types.text
}

/**
 * The type of a file, from its bytes alone; null when a reply may not carry it. A file that is valid as several types
 * has the type of its first bytes, and is sent, named and shown as that type only.
 */
export const fileTypeOf = (bytes: Uint8Array): FileType | null => {
  if (isAt(bytes, 0, "\xff\xd8\xff")) return types.jpeg
  if (isAt(bytes, 0, "\x89PNG\r\n\x1a\n") && isAt(bytes, 12, "IHDR")) return types.png
  if (isAt(bytes, 0, "%PDF-")) return types.pdf
  if (isAt(bytes, 4, "ftyp")) return inContainer(bytes)
  // WhatsApp plays only the codec Opus in this container.
  if (isAt(bytes, 0, "OggS")) return isAt(bytes, 28, "OpusHead") ? types.ogg : null
  if (isAt(bytes, 0, "#!AMR\n")) return types.amr
  if (isAt(bytes, 0, "ID3")) return types.mp3
  if (bytes[0] === 0xff && /^[\xf1\xf9]$/.test(chars(bytes, 1, 2))) return types.aac
  if (bytes[0] === 0xff && /^[\xfa\xfb\xf2\xf3\xe2\xe3]$/.test(chars(bytes, 1, 2))) return types.mp3
  if (isAt(bytes, 0, "PK\x03\x04")) return officeType(bytes)
  return plainText(bytes)
}

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

/** Why a reply cannot carry a file. `max` is in megabytes. */
export type FileProblem =
  | { readonly code: "FILE_EMPTY" | "FILE_TYPE" }
  | { readonly code: "FILE_LARGE"; readonly kind: MediaKind; readonly max: number }

/** The type of a file that a reply may carry, or why it may not. The bytes decide, not a name or a declared type. */
export const judgeFile = (bytes: Uint8Array): FileType | FileProblem => {
  if (bytes.length === 0) return { code: "FILE_EMPTY" }
  const type = fileTypeOf(bytes)
  if (type === null) return { code: "FILE_TYPE" }
  const { kind } = type
  return bytes.length <= largest[kind] ? type : { code: "FILE_LARGE", kind, max: largest[kind] / 1_000_000 }
}

/** The endings of all types, for a file picker. */
export const fileEndings: ReadonlyArray<string> = Object.values(types).flatMap(({ endings }) => endings)

/** The type with this media type, as `fileTypeOf` returned it. */
export const fileTypeNamed = (mimeType: string): FileType | undefined =>
  Object.values(types).find((each) => each.mimeType === mimeType)

const longestName = 200

/**
 * The name that the customer sees. It has no folders and no characters that are invisible, reverse text, or mean
 * something to a file system, and it ends as the file's type does.
 */
export const fileNameFor = ({ endings }: FileType, given: string): string => {
  const last = given.split(/[/\\]/).at(-1)!
  const name = last
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\p{Co}\p{Cn}\ufeff\ufffd\u200b"<>:|?*]/gu, "_")
    .replace(/^[.\s]+|[.\s]+$/g, "")
  const dot = name.lastIndexOf(".")
  const ending = name.slice(dot + 1).toLowerCase()
  const isNamed = dot > 0 && endings.includes(ending)
  const base = isNamed ? name.slice(0, dot) : name
  const kept = isNamed ? name.slice(dot + 1) : endings[0]
  const cut = base
    .slice(0, longestName - kept.length - 1)
    .toWellFormed()
    .replaceAll("\ufffd", "_")
    .trim()
  return `${cut === "" ? "file" : cut}.${kept}`
}
