/** A mail as the recipient's mail program shows it. */
export interface SmtpMail {
  /** By lower-case name, decoded. A repeated header has several values. */
  readonly headers: { readonly [name: string]: ReadonlyArray<string> }
  readonly subject: string
  readonly text: string | null
  readonly html: string | null
}

type Headers = SmtpMail["headers"]

const bytesOf = (body: string) => Buffer.from(body, "latin1")

const quotedPrintable = (body: string) =>
  Buffer.from(
    body
      .replace(/[ \t]+$/gm, "")
      .replace(/=\r?\n/g, "")
      .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    "latin1"
  )

const textIn = (charset: string, bytes: Uint8Array) => {
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}

/** RFC 2047: `=?utf-8?B?…?=`. White space between two encoded words is dropped. */
const decodeWords = (value: string): string =>
  value
    .replace(/(\?=)\s+(=\?)/g, "$1$2")
    .replace(/=\?([^?]+)\?([bq])\?([^?]*)\?=/gi, (_, charset: string, encoding: string, word: string) =>
      textIn(
        charset,
        encoding.toLowerCase() === "b" ? Buffer.from(word, "base64") : quotedPrintable(word.replaceAll("_", " "))
      )
    )

const split = (raw: string): readonly [headers: Headers, body: string] => {
  const end = raw.indexOf("\r\n\r\n")
  const head = end < 0 ? raw : raw.slice(0, end)
  const headers: { [name: string]: Array<string> } = Object.create(null)
  for (const line of head.replace(/\r\n[ \t]+/g, " ").split("\r\n")) {
    const colon = line.indexOf(":")
    if (colon < 1) continue
    const name = line.slice(0, colon).toLowerCase()
    headers[name] = [...(headers[name] ?? []), decodeWords(line.slice(colon + 1).trim())]
  }
  return [headers, end < 0 ? "" : raw.slice(end + 4)]
}

const parameter = (value: string, name: string) => new RegExp(`;\\s*${name}="?([^";]+)"?`, "i").exec(value)?.[1]

interface Part {
  readonly type: string
  readonly text: string
}

const partsOf = (headers: Headers, body: string): ReadonlyArray<Part> => {
  const type = headers["content-type"]?.[0] ?? "text/plain"
  const boundary = parameter(type, "boundary")
  if (boundary !== undefined) {
    const inner = `\r\n${body}`.split(`\r\n--${boundary}`).slice(1)
    return inner
      .filter((part) => !part.startsWith("--"))
      .flatMap((part) => partsOf(...split(part.replace(/^[ \t]*\r\n/, ""))))
  }
  const encoding = headers["content-transfer-encoding"]?.[0]?.toLowerCase() ?? "7bit"
  const bytes =
    encoding === "base64"
      ? Buffer.from(body, "base64")
      : encoding === "quoted-printable"
        ? quotedPrintable(body)
        : bytesOf(body)
  return [
    { type: type.split(";")[0]!.trim().toLowerCase(), text: textIn(parameter(type, "charset") ?? "utf-8", bytes) }
  ]
}

/** Parses a raw mail, one character for each byte. */
export const parse = (raw: string): SmtpMail => {
  const [headers, body] = split(raw)
  const parts = partsOf(headers, body)
  const of = (type: string) => parts.find((part) => part.type === type)?.text.replaceAll("\r\n", "\n") ?? null
  return { headers, subject: headers["subject"]?.[0] ?? "", text: of("text/plain"), html: of("text/html") }
}
