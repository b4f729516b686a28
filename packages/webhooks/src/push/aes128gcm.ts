/** The content encoding `aes128gcm` of RFC 8188. */

type Bytes = Uint8Array<ArrayBuffer>

/** One record of the content: its data and how many zero bytes hide the length. */
export interface PlainRecord {
  readonly data: Uint8Array
  readonly padding: number
}

export interface Encoding {
  /** The input keying material. */
  readonly secret: Bytes
  /** 16 random bytes, never used twice with the same secret. */
  readonly salt: Bytes
  /** Tells the reader which key it needs. At most 255 bytes. */
  readonly keyId: Bytes
  /** The length of each encrypted record but the last. */
  readonly recordSize: number
}

const encoder = new TextEncoder()

/** HKDF with SHA-256. */
export const hkdf = async (secret: Bytes, salt: Bytes, info: Bytes, length: number): Promise<Bytes> => {
  const key = await crypto.subtle.importKey("raw", secret, "HKDF", false, ["deriveBits"])
  return new Uint8Array(await crypto.subtle.deriveBits({ name: "HKDF", hash: "SHA-256", salt, info }, key, length * 8))
}

export const joined = (...parts: ReadonlyArray<Uint8Array>): Bytes => {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

/** The nonce of a record: its number is mixed into the last four bytes. */
const nonceOf = (base: Bytes, number: number): Bytes => {
  const nonce = new Uint8Array(base)
  const view = new DataView(nonce.buffer)
  view.setUint32(8, (view.getUint32(8) ^ number) >>> 0)
  return nonce
}

/** The encoded content: a header with salt and key id, then the encrypted records. */
export const encode = async (
  { keyId, recordSize, salt, secret }: Encoding,
  records: ReadonlyArray<PlainRecord>
): Promise<Bytes> => {
  const [contentKey, nonce] = await Promise.all([
    hkdf(secret, salt, encoder.encode("Content-Encoding: aes128gcm\0"), 16),
    hkdf(secret, salt, encoder.encode("Content-Encoding: nonce\0"), 12)
  ])
  const key = await crypto.subtle.importKey("raw", contentKey, "AES-GCM", false, ["encrypt"])
  const header = new Uint8Array(21)
  header.set(salt)
  new DataView(header.buffer).setUint32(16, recordSize)
  header[20] = keyId.length
  const encrypted = await Promise.all(
    records.map(({ data, padding }, number) => {
      const delimiter = number === records.length - 1 ? 2 : 1
      const plain = joined(data, Uint8Array.of(delimiter), new Uint8Array(padding))
      return crypto.subtle.encrypt({ name: "AES-GCM", iv: nonceOf(nonce, number) }, key, plain)
    })
  )
  return joined(header, keyId, ...encrypted.map((record) => new Uint8Array(record)))
}
