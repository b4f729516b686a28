import {
  ChannelError,
  type MediaContent,
  MediaGone,
  OutcomeUnknown,
  Refused,
  Unavailable
} from "@countersign/core/channel"
import { Effect, Option, Schema, Stream } from "effect"
import { isGood } from "./findIn.ts"
import type { Graph, Opened, Reply } from "./Graph.ts"
import { errorIn, outcomeOf } from "./outcome.ts"

/** Meta's own limit, for documents. */
export const largestFile = 100 * 1_024 * 1_024

/** The timeout for the start of an answer, and between two chunks of a file. */
const patience = "15 seconds"

/** Hosts of Meta's files. A merchant's token is never sent to any other host. */
const hosts = [".facebook.com", ".fbsbx.com", ".fbcdn.net", ".whatsapp.net"]

const longestUrl = 4_096

/** Whether a file may be fetched from a URL: from Meta over HTTPS, or from the API's own host. */
export const isTrusted = (address: string, baseUrl: string): boolean => {
  const url = address.length > longestUrl ? null : URL.parse(address)
  if (url === null || url.username !== "" || url.password !== "") return false
  if (url.origin === new URL(baseUrl).origin) return true
  return url.protocol === "https:" && url.port === "" && hosts.some((host) => `.${url.hostname}`.endsWith(host))
}

const decodeNode = Schema.decodeUnknownOption(
  Schema.Struct({
    url: Schema.String,
    mime_type: Schema.optionalKey(Schema.Unknown),
    file_size: Schema.optionalKey(Schema.Unknown)
  })
)

/** Ids become parts of a path. */
export const isMediaId = (text: string) => /^[A-Za-z0-9_-]{1,128}$/.test(text)

/** A media type that is safe in a header. Meta writes `audio/ogg; codecs=opus`. */
const typeOf = (given: unknown): string =>
  typeof given === "string" && /^[\w.+-]{1,100}\/[\w.+-]{1,100}(; ?[\w-]{1,40}=[\w.-]{1,60})?$/.test(given)
    ? given
    : "application/octet-stream"

const sizeOf = (given: unknown): number | null => {
  const size = typeof given === "string" && /^\d{1,15}$/.test(given) ? Number(given) : given
  return typeof size === "number" && Number.isSafeInteger(size) && size >= 0 ? size : null
}

const failure = (reason: ChannelError["reason"]) => new ChannelError({ channel: "WHATSAPP", reason })
const refused = (providerCode: string, because: "account" | "content") =>
  failure(new Refused({ providerCode, because }))
const unanswered = (providerCode: string) => failure(new OutcomeUnknown({ providerCode }))
const tooLarge = refused("file_too_large", "content")

/** Whether the file does not exist or is not visible to the token. */
const isGone = (reply: Reply): boolean => {
  const error = reply._tag === "Answered" ? errorIn(reply.body) : null
  return error === null
    ? reply._tag === "Answered" && (reply.status === 404 || reply.status === 410)
    : error.code === 131052 || (error.code === 100 && error.subcode === 33)
}

const failureOf = (reply: Reply): MediaGone | ChannelError => {
  if (isGone(reply)) return new MediaGone()
  const { result } = outcomeOf(reply)
  return "_tag" in result ? failure(result) : refused("unreadable", "account")
}

/** Streams the file up to the limit, without storing it. When the reader stops, the connection is closed. */
const bodyOf = ({ response }: Extract<Opened, { readonly _tag: "Open" }>): MediaContent["body"] =>
  Stream.suspend(() => {
    let length = 0
    return response.stream.pipe(
      Stream.mapError(() => unanswered("no_answer")),
      Stream.mapEffect((piece) => {
        length += piece.length
        return length > largestFile ? Effect.fail(tooLarge) : Effect.succeed(piece)
      }),
      Stream.timeoutOrElse({ duration: patience, orElse: () => Stream.fail(unanswered("timeout")) })
    )
  })

/**
 * Streams a customer's file from Meta: fetches its URL, then its bytes. The URL is valid for five minutes, so it is fetched
 * each time. Redirects are not followed, because they would receive the token.
 */
export const media = (
  graph: Graph,
  baseUrl: string,
  id: string,
  phoneNumberId: string | null
): Effect.Effect<MediaContent, MediaGone | ChannelError> =>
  Effect.gen(function* () {
    if (!isMediaId(id)) return yield* new MediaGone()
    const reply = yield* graph.get(id, phoneNumberId === null ? {} : { phone_number_id: phoneNumberId })
    const node = isGood(reply) ? decodeNode(reply.body) : Option.none()
    if (Option.isNone(node)) return yield* failureOf(reply)
    const { file_size, mime_type, url } = node.value
    if (!isTrusted(url, baseUrl)) return yield* refused("untrusted_address", "account")
    const size = sizeOf(file_size)
    if (size !== null && size > largestFile) return yield* tooLarge
    const opened = yield* graph.open(url)
    if (opened._tag !== "Open") {
      // On the file host, all other refusals are temporary or about the token.
      return yield* opened._tag === "Answered" && opened.status >= 500
        ? failure(new Unavailable({ providerCode: `http_${opened.status}` }))
        : failureOf(opened)
    }
    if (opened.size !== null && opened.size > largestFile) {
      // Reading one chunk and stopping closes the connection.
      yield* Effect.ignore(Stream.runDrain(Stream.take(opened.response.stream, 1)))
      return yield* tooLarge
    }
    return { mimeType: typeOf(mime_type), size: opened.size ?? size, body: bodyOf(opened) }
  }).pipe(
    Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.fail(unanswered("timeout")) }),
    Effect.withSpan("WhatsApp.media")
  )
