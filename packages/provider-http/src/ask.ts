import { Duration, Effect } from "effect"
import { isForbiddenPort, neverSent } from "./neverSent.ts"

/** One request to a provider. */
export interface Question {
  readonly url: string
  /** Default: `POST`. */
  readonly method?: "GET" | "POST"
  readonly headers?: { readonly [name: string]: string }
  readonly body?: string
  /** In bytes, after decompression. A longer answer is not read to its end. Default: 64 KB. */
  readonly longestAnswer?: number
}

/** The result of a request. */
export type Reply =
  | Answered
  /** No connection was made, so the request was not sent. */
  | { readonly _tag: "NotReached"; readonly why: Why }
  /** The request was sent, but no answer came. */
  | { readonly _tag: "Lost"; readonly why: Why }

/** The system's code of a failure, such as `ECONNREFUSED`, or `timeout` or `unknown`. */
export type Why = string

/** An answer with any status. */
export interface Answered {
  readonly _tag: "Answered"
  readonly status: number
  /** Null when it was too long or cut off. */
  readonly text: string | null
  /** By lower-case name. */
  readonly header: (name: string) => string | undefined
  /** The provider's `Retry-After`, if present. */
  readonly retryAfterSeconds: number | null
}

/** For callers without core, which has a shorter timeout and interrupts. */
const deadline = Duration.seconds(15)
const usualLongest = 64 * 1024
const longestWish = 24 * 60 * 60

/** Fetch's own codes and the corresponding system codes. */
const spelling: ReadonlyMap<string, string> = new Map([
  ["ETIMEDOUT", "timeout"],
  ["UND_ERR_CONNECT_TIMEOUT", "timeout"],
  ["UND_ERR_HEADERS_TIMEOUT", "timeout"],
  ["UND_ERR_BODY_TIMEOUT", "timeout"],
  ["UND_ERR_SOCKET", "ECONNRESET"]
])

/** The code of an error, never its message, which may contain the URL. */
const nameOf = (error: unknown, depth = 0): string => {
  if (typeof error !== "object" || error === null || depth > 5) return "unknown"
  if ("code" in error && typeof error.code === "string" && /^[A-Z][A-Z0-9_]{2,60}$/.test(error.code)) {
    return spelling.get(error.code) ?? error.code
  }
  if (isForbiddenPort(error)) return "EBADPORT"
  return "cause" in error ? nameOf(error.cause, depth + 1) : "unknown"
}

const wishOf = (header: string | null): number | null =>
  header !== null && /^\s*\d{1,9}\s*$/.test(header) ? Math.min(Number(header), longestWish) : null

const textOf = async (response: Response, longest: number): Promise<string | null> => {
  const chunks: Array<Uint8Array> = []
  let length = 0
  try {
    for await (const chunk of response.body ?? []) {
      length += chunk.length
      // Returning from the loop closes the connection.
      if (length > longest) return null
      chunks.push(chunk)
    }
  } catch {
    return null
  }
  // Drops a byte order mark, which some proxies add and JSON does not allow.
  return new TextDecoder().decode(Buffer.concat(chunks))
}

const fetched = async ({ body, headers, longestAnswer, method, url }: Question, signal: AbortSignal) => {
  const response = await fetch(url, {
    method: method ?? "POST",
    headers: { "user-agent": "countersign", ...headers },
    ...(body === undefined ? {} : { body }),
    // By default fetch follows redirects, which would send the code to another host.
    redirect: "manual",
    signal
  })
  const answer: Answered = {
    _tag: "Answered",
    status: response.status,
    text: await textOf(response, longestAnswer ?? usualLongest),
    header: (name) => response.headers.get(name) ?? undefined,
    retryAfterSeconds: wishOf(response.headers.get("retry-after"))
  }
  return answer
}

const tooLate: Reply = { _tag: "Lost", why: "timeout" }

const failed = (error: unknown): Reply => ({ _tag: neverSent(error) ? "NotReached" : "Lost", why: nameOf(error) })

/**
 * Sends a request once: no retry, no redirects, with limits on the answer's size and on the time. Interruption aborts it.
 * No part of the request reaches a log, a trace or an error.
 */
export const ask = (question: Question): Effect.Effect<Reply> =>
  Effect.tryPromise({
    try: (signal): Promise<Reply> => fetched(question, signal),
    catch: failed
  }).pipe(
    Effect.match({ onSuccess: (reply) => reply, onFailure: (reply) => reply }),
    Effect.timeoutOrElse({ duration: deadline, orElse: () => Effect.succeed(tooLate) })
  )

/** Parses the JSON of an answer; undefined when it is invalid. */
export const json = ({ text }: Answered): unknown => {
  try {
    return text === null ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Reads a nested field of untrusted data; undefined when it is missing. */
export const field = (value: unknown, ...path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>(
    (at, name) =>
      typeof at === "object" && at !== null && Object.hasOwn(at, name) ? Reflect.get(at, name) : undefined,
    value
  )
