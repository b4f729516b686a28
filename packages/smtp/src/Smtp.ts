import {
  type Channel,
  ChannelError,
  checkOptions,
  type CodeMessage,
  type InvalidOptions,
  type LinkMessage,
  type Message,
  type NoticeMessage,
  type OptionRules,
  OutcomeUnknown,
  Refused,
  type Sent
} from "@countersign/core/channel"
import { Effect, Redacted, Result, type Scope } from "effect"
import type { SendMailOptions, Transporter } from "nodemailer"
import type { Readable } from "node:stream"
import { check as checkServer } from "./check.ts"
import { domainOf, isPlain, type MailAddress, parseFrom } from "./MailAddress.ts"
import { faultOf, smtpFailure, type Stage } from "./smtpFailure.ts"
import { parseUrl, type SmtpServer } from "./SmtpUrl.ts"

export interface SmtpOptions {
  /** `smtp://user:password@host:587`, or `smtps://…` for TLS from the first byte. */
  readonly url: Redacted.Redacted
  /** `codes@example.com` or `Example <codes@example.com>`. Without a name, mails show the merchant's brand. */
  readonly from: string
  /** The most open connections to the server. Default: 5. */
  readonly maxConnections?: number
}

/** These timeouts are shorter than core's, so that core gets the real reason, also on a new connection. */
const connectWithin = 5_000
const replyWithin = 7_000
/** Shorter than servers usually keep idle connections, because a connection closed under a mail delays it. */
const idleFor = 30_000

const provider = "smtp"
const usualConnections = 5

const serverOf = ({ url }: SmtpOptions) => parseUrl(Redacted.value(url))
const senderOf = ({ from }: SmtpOptions) => parseFrom(from)

const rules: OptionRules<SmtpOptions> = {
  url: (options) => Result.match(serverOf(options), { onFailure: (problem) => problem, onSuccess: () => null }),
  from: (options) => Result.match(senderOf(options), { onFailure: (problem) => problem, onSuccess: () => null }),
  maxConnections: ({ maxConnections = usualConnections }) =>
    Number.isInteger(maxConnections) && maxConnections > 0 ? null : "must be a whole number greater than 0"
}

/** Validates all options, so that a mistake fails the start and never a request. */
const check = (options: SmtpOptions) =>
  Result.map(checkOptions(provider, options, rules), ({ maxConnections = usualConnections }) => ({
    server: Result.getOrThrow(serverOf(options)),
    from: Result.getOrThrow(senderOf(options)),
    maxConnections
  }))

const fail = (reason: ChannelError["reason"]) => Effect.fail(new ChannelError({ channel: "EMAIL", reason }))

const poolOf = ({ host, login, name, port, requireTLS, secure }: SmtpServer, maxConnections: number) =>
  ({
    pool: true,
    host,
    port,
    secure,
    requireTLS,
    ignoreTLS: !secure && !requireTLS,
    ...(login === null ? {} : { auth: login }),
    ...(name === null ? {} : { name }),
    maxConnections,
    // Otherwise the client would resend a mail by itself when the connection ends in the middle of it.
    maxRequeues: 0,
    idleTimeout: idleFor,
    connectionTimeout: connectWithin,
    dnsTimeout: connectWithin,
    greetingTimeout: connectWithin,
    socketTimeout: replyWithin,
    disableFileAccess: true,
    disableUrlAccess: true,
    logger: false
  }) as const

/** The mail for a message. Recipient and sender are passed as data, so that nothing is parsed from text. */
const mailOf = (from: MailAddress, message: CodeMessage | LinkMessage | NoticeMessage): SendMailOptions => ({
  from: { name: from.name === "" ? message.brand : from.name, address: from.address },
  to: { name: "", address: message.to },
  envelope: { from: from.address, to: [message.to] },
  subject: Redacted.value(message.subject),
  text: Redacted.value(message.text),
  ...(message.html === null ? {} : { html: Redacted.value(message.html) }),
  messageId: `<${message.deliveryId}@${domainOf(from.address)}>`,
  headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
  xMailer: false,
  disableFileAccess: true,
  disableUrlAccess: true
})

/**
 * Tracks the content stream of each mail. The client creates it when a logged-in connection takes the mail, so it shows
 * whether the server has received any content.
 */
const watchStages = (transporter: Transporter) => {
  const streams = new WeakMap<AbortSignal, Readable>()
  transporter.use("stream", ({ data, message }, done) => {
    const create = message.createReadStream.bind(message)
    message.createReadStream = (options) => {
      const stream = create(options)
      if (data.signal !== undefined) streams.set(data.signal, stream)
      return stream
    }
    done()
  })
  return (signal: AbortSignal): Stage => {
    const stream = streams.get(signal)
    return stream === undefined ? "connecting" : stream.readableDidRead ? "data" : "envelope"
  }
}

const open = (server: SmtpServer, maxConnections: number) =>
  Effect.gen(function* () {
    // Loading takes 0.2 seconds, which a process without e-mail should not spend.
    const { createTransport } = yield* Effect.promise(() => import("nodemailer"))
    const transporter: Transporter = createTransport(poolOf(server, maxConnections))
    return { transporter, stageOf: watchStages(transporter) }
  })

/**
 * E-mail through any SMTP server. The connection is encrypted unless the URL says `ignoreTLS=true`. A mail that the server
 * accepted counts as sent, because SMTP has no later reports.
 *
 * @example
 * ```ts
 * import { Smtp } from "@countersign/smtp"
 * import { Redacted } from "effect"
 *
 * const channel = Smtp.make({
 *   url: Redacted.make("smtp://acme:password@mail.example.com:587"),
 *   from: "Acme <codes@acme.example>"
 * })
 * ```
 */
export const make = (options: SmtpOptions): Effect.Effect<Channel, InvalidOptions, Scope.Scope> =>
  Effect.gen(function* () {
    const { from, maxConnections, server } = yield* Effect.fromResult(check(options))
    const pool = yield* Effect.cached(open(server, maxConnections))
    yield* Effect.forkScoped(pool, { startImmediately: true })
    yield* Effect.addFinalizer(() => Effect.map(pool, ({ transporter }) => transporter.close({ force: true })))

    const send = Effect.fnUntraced(function* (message: Message) {
      if (message._tag === "Media" || message._tag === "Template" || message._tag === "Text") {
        return yield* fail(new Refused({ providerCode: "unsupported_message", because: "channel" }))
      }
      if (!isPlain(message.to))
        return yield* fail(new Refused({ providerCode: "invalid_address", because: "recipient" }))
      const { stageOf, transporter } = yield* pool
      let stage = (): Stage => "connecting"
      const info = yield* Effect.tryPromise({
        try: (signal) => {
          stage = () => stageOf(signal)
          return transporter.sendMail({ ...mailOf(from, message), signal })
        },
        catch: (error) => smtpFailure(faultOf(error), stage())
      })
      // The client accepts any reply that starts with a 2.
      if (!/^2\d\d(?!\d)/.test(info.response ?? ""))
        return yield* fail(new OutcomeUnknown({ providerCode: "unreadable" }))
      const sent: Sent = { providerId: info.serverMessageId ?? info.messageId ?? null }
      return sent
    })

    return {
      name: "EMAIL",
      provider,
      supports: { identityTypes: ["EMAIL"], receipts: false, kinds: ["Code", "Link", "Notice"] },
      // A mail that waits for a connection here would fail with the error of the mail before it.
      limits: { atOnce: maxConnections },
      send,
      check: checkServer(server, pool)
    } satisfies Channel
  })
