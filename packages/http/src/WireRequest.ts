import { Effect, Result } from "effect"
import { InvalidField } from "@countersign/core"
import { usualBody } from "./contract/PublicLimits.ts"
import { type BodyTooLarge, type BodyTooSlow, BodyUnreadable, type LargeBodiesBusy } from "./Fault.ts"

/** A request, independent of the server. */
export interface WireRequest {
  readonly method: string
  /** Without the query and the prefix that the handler is mounted under. */
  readonly path: string
  /** Without the question mark. */
  readonly query: string
  /** The address of the connection: that of the caller or of a proxy. Null if unknown. */
  readonly remoteAddress: string | null
  /** By lower-case name. */
  readonly header: (name: string) => string | undefined
  /**
   * Reads the body, at most `limit` bytes. `take` counts the bytes as they arrive; when it returns false, the rest is
   * dropped and the read fails.
   */
  readonly body: (limit: number, take?: TakeBytes) => Effect.Effect<Uint8Array, BodyFailure>
}

/** Counts bytes that have arrived. False when there is no room for them. */
export type TakeBytes = (bytes: number) => boolean

/** Why a body could not be read. */
export type BodyFailure = BodyTooLarge | BodyTooSlow | BodyUnreadable | LargeBodiesBusy

/** Removes the prefix from a path, unless the server has removed it already. */
export const withoutPrefix = (path: string, prefix: string): string =>
  prefix !== "" && (path === prefix || path.startsWith(`${prefix}/`)) ? path.slice(prefix.length) || "/" : path

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
const deepest = 32
/** As many as a body of the default size can have. Larger bodies contain a long text, not a million objects. */
const mostParts = usualBody

const tooMany = `must not have more than ${mostParts} fields and items`

/** Checks nesting and the number of parts before parsing, because parsing a hostile body would be expensive. */
const problemOf = (text: string): string | null => {
  let depth = 0
  let parts = 0
  let inString = false
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (inString) {
      if (c === 0x5c) i++
      else if (c === 0x22) inString = false
    } else if (c === 0x22) inString = true
    else if (c === 0x7b || c === 0x5b) {
      if (++depth > deepest) return `must not be nested deeper than ${deepest} levels`
      if (++parts > mostParts) return tooMany
    } else if (c === 0x7d || c === 0x5d) depth--
    else if (c === 0x2c && ++parts > mostParts) return tooMany
  }
  return null
}

const compressed = "must not be compressed; omit Content-Encoding"

const unreadable = (problem: string) => Result.fail(new BodyUnreadable({ problem }))

/** Whether the content type is JSON. */
export const isJson = ({ header }: WireRequest): boolean =>
  /^application\/json *(;|$)/i.test(header("content-type") ?? "")

/** Whether the content type is that of plain bytes. */
export const isBytes = ({ header }: WireRequest): boolean =>
  /^application\/octet-stream *$/i.test(header("content-type") ?? "")

const isCompressed = ({ header }: WireRequest) => !/^(identity)?$/i.test(header("content-encoding") ?? "")

/** Why the headers do not announce a readable JSON body. */
const notJson = (request: WireRequest): string | undefined => {
  if (!isJson(request)) return "must be JSON; send Content-Type: application/json"
  return isCompressed(request) ? compressed : undefined
}

/** Reads a body of plain bytes. */
export const readBytes = (request: WireRequest, limit: number): Effect.Effect<Uint8Array, BodyFailure> => {
  const problem = !isBytes(request)
    ? "must be the file's bytes; send Content-Type: application/octet-stream"
    : isCompressed(request)
      ? compressed
      : undefined
  return problem === undefined ? request.body(limit) : Effect.fail(new BodyUnreadable({ problem }))
}

/** Reads the text of a JSON body. An `optional` body without bytes counts as an empty object. */
export const readText = (
  request: WireRequest,
  limit: number,
  optional: boolean
): Effect.Effect<string, BodyFailure> => {
  const problem = notJson(request)
  if (problem !== undefined && !optional) return Effect.fail(new BodyUnreadable({ problem }))
  return Effect.flatMapEager(request.body(limit), (bytes) => {
    if (optional && bytes.length === 0) return Effect.succeed("{}")
    if (problem !== undefined) return Effect.fail(new BodyUnreadable({ problem }))
    return Effect.fromResult(
      Result.try({ try: () => decoder.decode(bytes), catch: () => new BodyUnreadable({ problem: "must be UTF-8" }) })
    )
  })
}

/** The JSON object that a body holds. */
export const parseObject = (text: string): Result.Result<{ readonly [name: string]: unknown }, BodyUnreadable> => {
  const problem = problemOf(text)
  if (problem !== null) return unreadable(problem)
  return Result.flatMap(
    Result.try({ try: (): unknown => JSON.parse(text), catch: () => new BodyUnreadable({ problem: "must be JSON" }) }),
    (value) =>
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? Result.succeed(value as { readonly [name: string]: unknown })
        : unreadable("must be a JSON object")
  )
}

/** Parses the query. Refuses a parameter that occurs twice, because other parsers might use another value. */
export const parseQuery = (query: string): Result.Result<{ readonly [name: string]: string }, InvalidField> => {
  const values: Record<string, string> = Object.create(null)
  if (query === "") return Result.succeed(values)
  for (const [name, value] of new URLSearchParams(query)) {
    if (name in values)
      return Result.fail(new InvalidField({ field: name.slice(0, 64), problem: "must be sent only once" }))
    values[name] = value
  }
  return Result.succeed(values)
}
