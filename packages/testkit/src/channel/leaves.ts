/** Splits a raw request into its head and its body. */
export const headAndBody = (raw: string): readonly [head: string, body: string] => {
  const end = raw.search(/\r?\n\r?\n/)
  return end < 0 ? [raw, ""] : [raw.slice(0, end), raw.slice(end).replace(/^\r?\n\r?\n/, "")]
}

/** The header names in lower case. */
export const headerNames = (raw: string): ReadonlyArray<string> =>
  Array.from(headAndBody(raw)[0].matchAll(/^([^\s:]+):/gm), ([, name]) => name!.toLowerCase())

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Every string, number and boolean in a value, with the name of its field. Parses JSON inside strings too. */
const inValue = (value: unknown, name: string): ReadonlyArray<readonly [name: string, leaf: string]> => {
  if (typeof value === "number" || typeof value === "boolean") return [[name, String(value)]]
  if (typeof value === "string") {
    const inner = /^\s*[{[]/.test(value) ? parsed(value) : undefined
    return inner === undefined ? [[name, value]] : [[name, value], ...inValue(inner, name)]
  }
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => inValue(item, Array.isArray(value) ? name : key))
}

const decoded = (text: string) => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const entities: { readonly [name: string]: string } = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }

const inXml = (body: string) =>
  body
    .split(/<[^>]*>/)
    .map((text) =>
      text.replace(
        /&(amp|lt|gt|quot|apos);|&#(\d+);/g,
        (_, name, code) => entities[name] ?? String.fromCodePoint(Number(code))
      )
    )

const inBody = (head: string, body: string): ReadonlyArray<string> => {
  if (body === "") return []
  const json = parsed(body)
  if (json !== undefined) return inValue(json, "").map(([, leaf]) => leaf)
  if (/^content-type:\s*application\/x-www-form-urlencoded/im.test(head)) {
    return [...new URLSearchParams(body).values()].flatMap((value) => inValue(value, "").map(([, leaf]) => leaf))
  }
  return body.startsWith("<") ? inXml(body) : [body, ...body.split(/\r?\n/)]
}

/**
 * Every single value of an HTTP request, decoded: path segments, query, headers and body. Text injected into a value is
 * not a value of its own, unless it breaks out of that value.
 */
export const leaves = (raw: string): ReadonlyArray<string> => {
  const [head, body] = headAndBody(raw)
  const [first = "", ...headers] = head.split(/\r?\n/)
  const [path = "", query = ""] = (first.split(" ")[1] ?? "").split("?")
  return [
    ...path.split("/").map(decoded),
    ...Array.from(new URLSearchParams(query).values()),
    ...headers.map((line) => line.slice(line.indexOf(":") + 1).trim()),
    ...inBody(head, body)
  ]
}

/** The values in an answer whose field names identify a message: `id`, `sid`, `message_id`, `messageId`. */
export const namesGiven = (body: string): ReadonlyArray<string> =>
  inValue(parsed(body), "").flatMap(([name, leaf]) => (/(^|[a-z_-])(id|uuid|sid)$/i.test(name) ? [leaf] : []))
