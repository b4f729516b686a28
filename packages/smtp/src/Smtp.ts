import {
  type Channel,
  ChannelError,
  checkOptions,
  type CodeMessage,
  type InvalidOptions,
  type LinkMessage,
  type Message,
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
  /** `codes@example.com` or `Example <codes@example.com>`. Without a name, a mail carries the merchant's brand. */
  readonly from: string
  /** Connections that stay open to the server; 5. */
  readonly maxConnections?: number
}

/** All of them leave core time to hear of it before it gives up, and a reply also on a connection that is new. */
const connectWithin = 5_000
const replyWithin = 7_000
/** Less than servers usually keep an idle connection: one that they close under a mail delays it. */
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

/** Checks everything before anything is sent, so that a mistake stops the start and never a request. */
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
    // The client would send a mail again by itself when the connection ends in the middle of it.
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

/** The mail for one message. Recipient and sender are given as data, never as a text to be parsed. */
const mailOf = (from: MailAddress, message: CodeMessage | LinkMessage): SendMailOptions => ({
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
 * Remembers for each mail the stream that its words are read from. It is made when a connection that is open and logged
 * in takes the mail, and tells whether the server was given any words.
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
    // It takes a fifth of a second to load, which a process that sends no mail need not spend.
    const { createTransport } = yield* Effect.promise(() => import("nodemailer"))
    const transporter: Transporter = createTransport(poolOf(server, maxConnections))
    return { transporter, stageOf: watchStages(transporter) }
  })

/**
 * E-mail through any SMTP server. The connection is encrypted unless the URL says `ignoreTLS=true`. A mail that the
 * server took counts as sent: what becomes of it later is told by nobody.
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
      if (message._tag !== "Code" && message._tag !== "Link") {
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
      // The client takes whatever begins with a 2 for a yes.
      if (!/^2\d\d(?!\d)/.test(info.response ?? ""))
        return yield* fail(new OutcomeUnknown({ providerCode: "unreadable" }))
      const sent: Sent = { providerId: info.serverMessageId ?? info.messageId ?? null }
      return sent
    })

    return {
      name: "EMAIL",
      provider,
      supports: { identityTypes: ["EMAIL"], receipts: false, kinds: ["Code", "Link"] },
      // A mail that waited here for a connection would be given up for what the mail before it met.
      limits: { atOnce: maxConnections },
      send,
      check: checkServer(server, pool)
    } satisfies Channel
  })
