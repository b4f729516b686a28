import { neverSent } from "@countersign/provider-http"
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
