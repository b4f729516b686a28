import { Duration, Effect } from "effect"
import { isForbiddenPort, neverSent } from "./neverSent.ts"

/** One request to a provider. */
export interface Question {
  readonly url: string
  /** `POST` unless told. */
  readonly method?: "GET" | "POST"
  readonly headers?: { readonly [name: string]: string }
  readonly body?: string
  /** In bytes, once unpacked: what is longer is not read to its end. 64 KB unless told. */
  readonly longestAnswer?: number
}

/** What became of a request. */
export type Reply =
  | Answered
  /** No connection was made, so nothing was asked. */
  | { readonly _tag: "NotReached"; readonly why: Why }
  /** It was asked, and no answer came. */
  | { readonly _tag: "Lost"; readonly why: Why }

/** What the system calls a failure, such as `ECONNREFUSED`, or `timeout`; `unknown` where it has no name for it. */
export type Why = string

/** An answer, whatever it says. */
export interface Answered {
  readonly _tag: "Answered"
  readonly status: number
  /** Null when it was too long or broke off. */
  readonly text: string | null
  /** By lower-case name. */
  readonly header: (name: string) => string | undefined
  /** The provider's own wish, when it stated one. */
  readonly retryAfterSeconds: number | null
}

/** Longer than core waits, which gives up first and interrupts; this is for who asks without it. */
const deadline = Duration.seconds(15)
const usualLongest = 64 * 1024
const longestWish = 24 * 60 * 60

/** Fetch's own names, as the system would have said it. */
const spelling: ReadonlyMap<string, string> = new Map([
  ["ETIMEDOUT", "timeout"],
  ["UND_ERR_CONNECT_TIMEOUT", "timeout"],
  ["UND_ERR_HEADERS_TIMEOUT", "timeout"],
  ["UND_ERR_BODY_TIMEOUT", "timeout"],
  ["UND_ERR_SOCKET", "ECONNRESET"]
])

/** Never the message of an error, which may hold the address that was asked. */
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
      // Leaving the loop closes the connection.
      if (length > longest) return null
      chunks.push(chunk)
    }
  } catch {
    return null
  }
  // It drops the mark at the beginning that some proxies put there, and that no JSON may have.
  return new TextDecoder().decode(Buffer.concat(chunks))
}

const fetched = async ({ body, headers, longestAnswer, method, url }: Question, signal: AbortSignal) => {
  const response = await fetch(url, {
    method: method ?? "POST",
    headers: { "user-agent": "countersign", ...headers },
    ...(body === undefined ? {} : { body }),
    // Fetch would follow a redirect, and carry the code to wherever it points.
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
 * Asks once: no retry, no redirect followed, a bound to what is read and to how long it may take. It stops when it is
 * interrupted. Nothing of the request reaches a log, a trace or an error.
 */
export const ask = (question: Question): Effect.Effect<Reply> =>
  Effect.tryPromise({
    try: (signal): Promise<Reply> => fetched(question, signal),
    catch: failed
  }).pipe(
    Effect.match({ onSuccess: (reply) => reply, onFailure: (reply) => reply }),
    Effect.timeoutOrElse({ duration: deadline, orElse: () => Effect.succeed(tooLate) })
  )

/** The JSON of an answer; undefined when it is none. */
export const json = ({ text }: Answered): unknown => {
  try {
    return text === null ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A field of something that came over the wire; undefined when there is none. */
export const field = (value: unknown, ...path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>(
    (at, name) =>
      typeof at === "object" && at !== null && Object.hasOwn(at, name) ? Reflect.get(at, name) : undefined,
    value
  )
