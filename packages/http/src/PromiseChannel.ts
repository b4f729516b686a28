import {
  Because,
  type Channel,
  ChannelError,
  type ChannelName,
  type CodeMessage,
  type LinkMessage,
  OutcomeUnknown,
  Refused,
  type Sent,
  Unavailable
} from "@countersign/core/channel"
import { Data, Effect, Redacted, Schema } from "effect"

/** A message with a code or a link, as a plain object. */
export interface PlainMessage
  extends Omit<CodeMessage, "_tag" | "code" | "referenceFrom" | "subject" | "text" | "html"> {
  /** Empty in a message with a link. */
  readonly code: string
  /** The link; null in a message with a code. */
  readonly url: string | null
  readonly subject: string
  readonly text: string
  readonly html: string | null
}

/** The outcome of a send. `undefined` means that the provider accepted the message. */
export type SendResult =
  | { readonly providerId: string }
  /** The provider refused, and would refuse again. `because` states the subject of the refusal, if known. */
  | { readonly refused: string; readonly because?: Because }
  /**
   * The provider certainly did not accept the message, but may accept it later. Set `because: "recipient"` if only this
   * recipient must wait. Otherwise it counts as a failure of the provider.
   */
  | { readonly unavailable: string; readonly retryAfterSeconds?: number; readonly because?: Because }
  /** The message may be on its way: the provider gave no answer, or a meaningless one such as a 502. */
  | { readonly unknown: string }
  // biome-ignore lint/suspicious/noConfusingVoidType: a sender may return nothing
  | void

/**
 * A channel written with promises. Send exactly once and report the real outcome. A rejected promise means that the
 * message may or may not be on its way.
 *
 * @example
 * ```ts
 * import type { PromiseChannel } from "@countersign/http"
 *
 * const sms: PromiseChannel = {
 *   name: "SMS",
 *   send: async ({ to, text }) => {
 *     const body = JSON.stringify({ to, text })
 *     // Fetch follows redirects unless told otherwise: the code would go wherever the answer points.
 *     const answer = await fetch("https://sms.example.com/send", { method: "POST", body, redirect: "manual" })
 *     if (answer.status === 429 || answer.status === 503) return { unavailable: `http_${answer.status}` }
 *     if (answer.status >= 500) return { unknown: `http_${answer.status}` }
 *     if (!answer.ok) return { refused: `http_${answer.status}` }
 *   }
 * }
 * ```
 */
export interface PromiseChannel {
  /** `SMS`, `WHATSAPP`, `RCS`, `EMAIL`, or your own name such as `VIBER`: capital letters, digits and underscores. */
  readonly name: ChannelName
  /** The channel's display name. Default: derived from `name`. */
  readonly label?: string
  readonly provider?: string
  /** Its name among several carriers of the channel, the numbers it takes first, and what it costs: see `carrier`. */
  readonly carrier?: string
  readonly prefixes?: ReadonlyArray<string>
  readonly price?: number
  /** Distinguishes this type from a `Channel`, which always has it. */
  readonly supports?: undefined
  /**
   * Whether `send` supports links: it must send `text`, which contains the link, and not only `code`. Without it, logins by
   * link are refused on this channel. RCS never sends links.
   */
  readonly links?: boolean
  readonly send: (message: PlainMessage) => Promise<SendResult>
}

const provider = "custom"

const words = ({ html, subject, text }: CodeMessage | LinkMessage) => ({
  subject: Redacted.value(subject),
  text: Redacted.value(text),
  html: html === null ? null : Redacted.value(html)
})

const plain = (message: CodeMessage | LinkMessage): PlainMessage => {
  if (message._tag === "Code") {
    const { _tag, code, ...rest } = message
    return { ...rest, ...words(message), code: Redacted.value(code), url: null }
  }
  const { _tag, token, url, ...rest } = message
  return { ...rest, ...words(message), code: "", url: Redacted.value(url) }
}

class SendRejected extends Data.TaggedError("SendRejected")<{ readonly cause: unknown }> {}

/** The error's name and stack, for the channel's author. Not its message, which may contain a code or an address. */
const placeOf = (cause: unknown) =>
  cause instanceof Error
    ? { error: cause.name, at: (cause.stack ?? "").split("\n").flatMap((line) => /^\s+at (.+)$/.exec(line)?.[1] ?? []) }
    : { error: typeof cause, at: [] }

const longestProviderId = 512
const isBecause = Schema.is(Because)

const nameOfMessage = (given: unknown): string | null => {
  const name = typeof given === "number" ? String(given) : given
  const isName = typeof name === "string" && name.length <= longestProviderId
  return isName && name.isWellFormed() && !name.includes("\0") ? name : null
}

/**
 * Reads the result of a channel's `send`; null when it is invalid. A JavaScript channel may return anything. This must
 * never throw, because the job would then send the message again.
 */
const readResult = (result: unknown): Sent | ChannelError["reason"] | null => {
  if (result === undefined || result === null) return { providerId: null }
  if (typeof result !== "object") return null
  if ("providerId" in result) return { providerId: nameOfMessage(result.providerId) }
  if ("unknown" in result && typeof result.unknown === "string") {
    return new OutcomeUnknown({ providerCode: result.unknown })
  }
  const { because, refused, retryAfterSeconds, unavailable } = result as {
    readonly because?: unknown
    readonly refused?: unknown
    readonly retryAfterSeconds?: unknown
    readonly unavailable?: unknown
  }
  const about = isBecause(because) ? { because } : {}
  if (typeof refused === "string") return new Refused({ providerCode: refused, ...about })
  if (typeof unavailable !== "string") return null
  const isWait = typeof retryAfterSeconds === "number" && Number.isFinite(retryAfterSeconds)
  return new Unavailable({ providerCode: unavailable, ...(isWait ? { retryAfterSeconds } : {}), ...about })
}

/** Converts a promise channel to core's `Channel`. */
export const toChannel = (channel: PromiseChannel): Channel => {
  const fail = (reason: ChannelError["reason"]) => Effect.fail(new ChannelError({ channel: channel.name, reason }))
  return {
    name: channel.name,
    provider: channel.provider ?? provider,
    ...(channel.label === undefined ? {} : { label: channel.label }),
    ...(channel.carrier === undefined ? {} : { carrier: channel.carrier }),
    ...(channel.prefixes === undefined ? {} : { prefixes: channel.prefixes }),
    ...(channel.price === undefined ? {} : { price: channel.price }),
    supports: {
      identityTypes: channel.name === "EMAIL" ? ["EMAIL"] : ["MOBILE"],
      receipts: false,
      kinds: channel.links === true && channel.name !== "RCS" ? ["Code", "Link"] : ["Code"]
    },
    send: (message) => {
      if (message._tag !== "Code" && message._tag !== "Link") {
        return fail(new Refused({ providerCode: "unsupported_message", because: "channel" }))
      }
      return Effect.tryPromise({
        try: () => channel.send(plain(message)),
        catch: (cause) => new SendRejected({ cause })
      }).pipe(
        Effect.catch(({ cause }) =>
          Effect.andThen(
            Effect.logError("A channel's send threw an error", { channel: channel.name, ...placeOf(cause) }),
            fail(new OutcomeUnknown({ providerCode: "rejected" }))
          )
        ),
        Effect.flatMap((result): Effect.Effect<Sent, ChannelError> => {
          const read = readResult(result)
          if (read === null) {
            return Effect.andThen(
              Effect.logError("A channel's send returned an invalid result: see SendResult", {
                channel: channel.name,
                answered: result === null ? "null" : typeof result
              }),
              fail(new OutcomeUnknown({ providerCode: "unreadable_answer" }))
            )
          }
          return "_tag" in read ? fail(read) : Effect.succeed(read)
        })
      )
    }
  }
}
