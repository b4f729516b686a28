/**
 * A merchant's logo: one PNG as a `data:` URL in the settings. PNG is the only format that every mail client shows. The
 * dashboard converts other formats and removes metadata with this file, so it imports nothing.
 */

/** The largest logo in bytes. The settings are read with every request, so the logo must stay small. */
export const largestLogo = 12 * 1024

/** The largest width and height in pixels. A small file can describe a picture that fills the memory. */
export const largestSide = 1024

const prefix = "data:image/png;base64,"

/** The longest text of a logo: base64 writes three bytes as four characters. */
const longestLogo = prefix.length + Math.ceil(largestLogo / 3) * 4

const signature = [137, 80, 78, 71, 13, 10, 26, 10]

/** Pixels, and how to show them. Text, time, position and profiles are metadata. */
const pictureParts = new Set(["IHDR", "PLTE", "tRNS", "IDAT", "IEND", "sRGB", "gAMA", "cHRM", "pHYs", "sBIT", "bKGD"])

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
  return value
})

const crcOf = (bytes: Uint8Array): number => {
  let crc = 0xffffffff
  for (const byte of bytes) crc = crcTable[(crc ^ byte) & 0xff]! ^ (crc >>> 8)
  return ~crc >>> 0
}

interface Part {
  readonly name: string
  /** With its length, name and checksum. */
  readonly bytes: Uint8Array
}

interface Png {
  readonly width: number
  readonly height: number
  readonly parts: ReadonlyArray<Part>
}

/** Reads the parts of a PNG. Returns the problem of bytes that are not exactly one PNG. */
const readPng = (bytes: Uint8Array): Png | "LOGO" | "LOGO_DAMAGED" => {
  if (signature.some((byte, index) => bytes[index] !== byte)) return "LOGO"
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const parts: Array<Part> = []
  let at = signature.length
  while (parts.at(-1)?.name !== "IEND") {
    const length = at + 12 > bytes.length ? bytes.length : view.getUint32(at)
    const end = at + 12 + length
    if (end > bytes.length) return "LOGO_DAMAGED"
    const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8))
    if (crcOf(bytes.subarray(at + 4, end - 4)) !== view.getUint32(end - 4)) return "LOGO_DAMAGED"
    parts.push({ name, bytes: bytes.subarray(at, end) })
    at = end
  }
  if (at !== bytes.length) return "LOGO_DAMAGED"
  const [header] = parts
  if (header?.name !== "IHDR" || header.bytes.length !== 25 || !parts.some(({ name }) => name === "IDAT"))
    return "LOGO_DAMAGED"
  return { width: view.getUint32(16), height: view.getUint32(20), parts }
}

const bytesOf = (text: string): Uint8Array | null => {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}

const written = (bytes: Uint8Array): string => `${prefix}${btoa(String.fromCharCode(...bytes))}`

/** Whether a text is the canonical base64 of some bytes, so that equal logos are equal texts. */
const decode = (logo: string): Uint8Array | null => {
  if (!logo.startsWith(prefix)) return null
  const bytes = bytesOf(logo.slice(prefix.length))
  return bytes !== null && written(bytes) === logo ? bytes : null
}

/** Codes of the problems of a logo. */
export type LogoFault = "LOGO" | "LOGO_BYTES" | "LOGO_DAMAGED" | "LOGO_METADATA" | "LOGO_SIDE"

/** Why a text cannot be a logo; null when it can. */
export const logoProblem = (logo: string): LogoFault | null => {
  if (logo.length > longestLogo) return "LOGO_BYTES"
  const bytes = decode(logo)
  if (bytes === null) return "LOGO"
  const png = readPng(bytes)
  if (typeof png === "string") return png
  const { height, parts, width } = png
  if (width < 1 || height < 1 || width > largestSide || height > largestSide) return "LOGO_SIDE"
  const strange = parts.find(({ name }) => !pictureParts.has(name))
  return strange === undefined ? null : "LOGO_METADATA"
}

/** The bytes of a valid logo. */
export const logoBytes = (logo: string): Uint8Array => decode(logo) ?? new Uint8Array(0)

/** The size to show a valid logo at, within a box. It is never enlarged. */
export const logoSize = (
  logo: string,
  box: { readonly width: number; readonly height: number }
): { readonly width: number; readonly height: number } => {
  const view = new DataView(logoBytes(logo).buffer)
  const [width, height] = [view.getUint32(16), view.getUint32(20)]
  const scale = Math.min(1, box.width / width, box.height / height)
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/** The logo of a PNG, without its metadata. Null for bytes that are not a PNG, or too many. */
export const logoOf = (bytes: Uint8Array): string | null => {
  const png = readPng(bytes)
  if (typeof png === "string") return null
  const kept = png.parts.filter((part) => pictureParts.has(part.name))
  const size = kept.reduce((sum, part) => sum + part.bytes.length, signature.length)
  if (size > largestLogo) return null
  return written(Uint8Array.from([...signature, ...kept.flatMap((part) => [...part.bytes])]))
}
