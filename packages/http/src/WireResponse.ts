import { Effect, Stream } from "effect"

/**
 * A streamed body. It is read once, to its end or until the client disconnects. When it fails, the connection is closed, so
 * that the client does not mistake it for a complete body.
 */
export type StreamBody = Stream.Stream<Uint8Array, unknown>

/** An answer, independent of the server. */
export interface WireResponse {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly body: string | Uint8Array | StreamBody
}

export const isStream = (body: WireResponse["body"]): body is StreamBody => Stream.isStream(body)

/** Opens and closes the source of a body that will not be read, to release its resources. */
export const discard = (body: StreamBody): Effect.Effect<void> => Effect.ignore(Stream.runHead(body))

/** An answer with a text body. Only such answers can be stored for repeats. */
export interface TextResponse extends WireResponse {
  readonly body: string
}

const jsonHeaders = { "content-type": "application/json" }

export const json = (status: number, value: unknown, headers?: WireResponse["headers"]): TextResponse => ({
  status,
  headers: headers === undefined ? jsonHeaders : { ...jsonHeaders, ...headers },
  body: JSON.stringify(value)
})
