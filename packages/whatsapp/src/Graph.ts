import { neverSent } from "@countersign/provider-http"
import { Effect, Redacted, Stream } from "effect"
import {
  FetchHttpClient,
  HttpClient,
  type HttpClientError,
  HttpClientRequest,
  type HttpClientResponse
} from "effect/http"

/** The result of a request to the Graph API. */
export type Reply =
  | {
      readonly _tag: "Answered"
      readonly status: number
      /** The parsed JSON; undefined when it was invalid, too long or cut off. */
      readonly body: unknown
      readonly retryAfterSeconds: number | null
    }
  /** No connection was made, so the request was not sent. */
  | { readonly _tag: "NotReached" }
  /** The request was sent, but no answer came. */
  | { readonly _tag: "Lost" }

/** The result of opening a URL. An answer other than 200 has been read to its end. */
export type Opened =
  | Reply
  | {
      readonly _tag: "Open"
      /** Unread. Its connection stays open until the body is read or collected. */
      readonly response: HttpClientResponse.HttpClientResponse
      /** The announced number of bytes, if any. */
      readonly size: number | null
    }

/** Meta's API with one token. Each call sends one request: no retries, no redirects, and a limit on the answer's size. */
export interface Graph {
  readonly post: (path: string, body: unknown) => Effect.Effect<Reply>
  readonly postForm: (path: string, form: FormData) => Effect.Effect<Reply>
  readonly get: (path: string, query: Readonly<Record<string, string>>) => Effect.Effect<Reply>
  /** Opens a URL that was checked to be Meta's. */
  readonly open: (url: string) => Effect.Effect<Opened>
}

/** Far larger than any answer of Meta. */
const longestBody = 256 * 1_024
const longestWish = 24 * 60 * 60

const failed = ({ reason }: HttpClientError.HttpClientError): Reply =>
  reason._tag === "EncodeError" ||
  reason._tag === "InvalidUrlError" ||
  neverSent("cause" in reason ? reason.cause : undefined)
    ? { _tag: "NotReached" }
    : { _tag: "Lost" }

/** An answer that is too long, cut off, or not JSON. */
class Unreadable {
  readonly _tag = "Unreadable"
}

const readText = (response: HttpClientResponse.HttpClientResponse) =>
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

const parseJson = (text: string) => Effect.try({ try: (): unknown => JSON.parse(text), catch: () => new Unreadable() })

const retryAfter = (header: string | undefined): number | null =>
  header !== undefined && /^\d{1,9}$/.test(header.trim()) ? Math.min(Number(header), longestWish) : null

const read = (response: HttpClientResponse.HttpClientResponse): Effect.Effect<Reply> =>
  readText(response).pipe(
    Effect.flatMap(parseJson),
    Effect.orElseSucceed((): unknown => undefined),
    Effect.map((body) => ({
      _tag: "Answered",
      status: response.status,
      body,
      retryAfterSeconds: retryAfter(response.headers["retry-after"])
    }))
  )

const opened = (response: HttpClientResponse.HttpClientResponse): Effect.Effect<Opened> => {
  if (response.status !== 200) return read(response)
  const { "content-encoding": encoding, "content-length": length } = response.headers
  const isTold = encoding === undefined && length !== undefined && /^\d{1,15}$/.test(length)
  return Effect.succeed({ _tag: "Open", response, size: isTold ? Number(length) : null })
}

/** The Graph API at a URL that ends with its version. */
export const make = (
  baseUrl: string
): Effect.Effect<(accessToken: Redacted.Redacted) => Graph, never, HttpClient.HttpClient> =>
  Effect.map(HttpClient.HttpClient, (client) => (accessToken) => {
    const execute = <A>(
      request: HttpClientRequest.HttpClientRequest,
      onAnswer: (response: HttpClientResponse.HttpClientResponse) => Effect.Effect<A>
    ): Effect.Effect<A | Reply> =>
      client.execute(HttpClientRequest.bearerToken(request, Redacted.value(accessToken))).pipe(
        Effect.matchEffect({
          onSuccess: onAnswer,
          onFailure: (error): Effect.Effect<A | Reply> => Effect.succeed(failed(error))
        }),
        // A failing HTTP span would keep the whole request, which contains a code.
        Effect.provideService(HttpClient.TracerDisabledWhen, () => true),
        Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" })
      )
    const call = (request: HttpClientRequest.HttpClientRequest): Effect.Effect<Reply> => execute(request, read)
    return {
      post: (path, body) =>
        call(HttpClientRequest.post(`${baseUrl}/${path}`).pipe(HttpClientRequest.bodyJsonUnsafe(body))),
      postForm: (path, form) =>
        call(HttpClientRequest.post(`${baseUrl}/${path}`).pipe(HttpClientRequest.bodyFormData(form))),
      get: (path, query) => call(HttpClientRequest.get(`${baseUrl}/${path}`, { urlParams: query })),
      open: (url) => execute(HttpClientRequest.get(url, { headers: { "accept-encoding": "identity" } }), opened)
    }
  })
