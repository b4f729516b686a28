import { Effect, Stream } from "effect"

/**
 * A body that is passed on as it comes. It is read once: to its end, or until the client goes. One that fails must not
 * look like one that ended, so the connection under it is cut.
 */
export type StreamBody = Stream.Stream<Uint8Array, unknown>

/** An answer, before any server has turned it into its own kind. */
export interface WireResponse {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly body: string | Uint8Array | StreamBody
}

export const isStream = (body: WireResponse["body"]): body is StreamBody => Stream.isStream(body)

/** Lets go of a body that nobody will read: what it comes from is opened, or is open already, and closed. */
export const discard = (body: StreamBody): Effect.Effect<void> => Effect.ignore(Stream.runHead(body))

/** An answer whose body is text, as all that can be kept for a repeat are. */
export interface TextResponse extends WireResponse {
  readonly body: string
}

const jsonHeaders = { "content-type": "application/json" }

export const json = (status: number, value: unknown, headers?: WireResponse["headers"]): TextResponse => ({
  status,
  headers: headers === undefined ? jsonHeaders : { ...jsonHeaders, ...headers },
  body: JSON.stringify(value)
})
