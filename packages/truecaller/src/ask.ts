import { Effect, Stream } from "effect"
import {
  FetchHttpClient,
  HttpClient,
  type HttpClientError,
  type HttpClientRequest,
  type HttpClientResponse
} from "effect/http"

/** What became of one request. */
export type Reply =
  | {
      readonly _tag: "Answered"
      readonly status: number
      /** The parsed JSON; undefined when it was none, was too long or broke off. */
      readonly body: unknown
      readonly retryAfterSeconds: number | null
    }
  /** No connection was made, so nothing was asked. */
  | { readonly _tag: "NotReached" }
  /** It was asked, and no answer came. */
  | { readonly _tag: "Lost" }

/** A profile with everything in it has about two kilobytes. */
const longestBody = 64 * 1024
const longestWish = 24 * 60 * 60

/** Failures of the operating system and of fetch that come before the first byte of a request. */
const beforeTheRequest = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EADDRNOTAVAIL",
  "UND_ERR_CONNECT_TIMEOUT",
  "CERT_HAS_EXPIRED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "ERR_TLS_CERT_ALTNAME_INVALID"
])

/** Fetch wraps the system's error once or twice; several addresses tried make an AggregateError. */
const neverSent = (error: unknown, depth = 0): boolean => {
  if (typeof error !== "object" || error === null || depth > 5) return false
  if ("code" in error && typeof error.code === "string" && beforeTheRequest.has(error.code)) return true
  if ("errors" in error && Array.isArray(error.errors) && error.errors.length > 0) {
    return error.errors.every((each) => neverSent(each, depth + 1))
  }
  return "cause" in error && neverSent(error.cause, depth + 1)
}

const failed = ({ reason }: HttpClientError.HttpClientError): Reply =>
  neverSent("cause" in reason ? reason.cause : undefined) ? { _tag: "NotReached" } : { _tag: "Lost" }

class Unreadable {
  readonly _tag = "Unreadable"
}

const textOf = (response: HttpClientResponse.HttpClientResponse) =>
  response.stream.pipe(
    Stream.runFoldEffect(
      () => ({ chunks: new Array<Uint8Array>(), length: 0 }),
      (read, chunk) => {
        read.length += chunk.length
        read.chunks.push(chunk)
        return read.length > longestBody ? Effect.fail(new Unreadable()) : Effect.succeed(read)
      }
    ),
    Effect.map(({ chunks }) => Buffer.concat(chunks).toString("utf8"))
  )

const parsed = (text: string) => Effect.try({ try: (): unknown => JSON.parse(text), catch: () => new Unreadable() })

const retryAfter = (header: string | undefined): number | null =>
  header !== undefined && /^\d{1,9}$/.test(header.trim()) ? Math.min(Number(header), longestWish) : null

const read = (response: HttpClientResponse.HttpClientResponse): Effect.Effect<Reply> =>
  textOf(response).pipe(
    Effect.flatMap(parsed),
    Effect.orElseSucceed((): unknown => undefined),
    Effect.map((body) => ({
      _tag: "Answered",
      status: response.status,
      body,
      retryAfterSeconds: retryAfter(response.headers["retry-after"])
    }))
  )

/** One request: no repeat, no redirect, a limit to what is read, and nothing of it in a trace. */
export const ask = (
  client: HttpClient.HttpClient,
  request: HttpClientRequest.HttpClientRequest
): Effect.Effect<Reply> =>
  client.execute(request).pipe(
    Effect.matchEffect({ onSuccess: read, onFailure: (error) => Effect.succeed(failed(error)) }),
    // A client's span keeps the whole request when it fails, and ours holds a code.
    Effect.provideService(HttpClient.TracerDisabledWhen, () => true),
    Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" })
  )
