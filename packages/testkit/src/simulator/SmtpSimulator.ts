import { Effect, type Scope } from "effect"
import type { AddressInfo, Socket } from "node:net"
import { type SMTPServerSession, SMTPServer } from "smtp-server"
import type { Behaviour, ProviderDouble, Seen } from "../channel/ProviderDouble.ts"
import { parse, type SmtpMail } from "./SmtpMail.ts"

/** The faults of a mail server, by the step at which they occur. */
export type SmtpFault =
  /** No greeting, and no response afterwards. */
  | "silentGreeting"
  /** 421 instead of a greeting. */
  | "closing"
  /** 535 and 454 at login. */
  | "loginRefused"
  | "loginBusy"
  /** 553 at MAIL FROM. */
  | "senderRefused"
  /** At RCPT TO: 550, 452, 451 at the recipient's first request, no answer, a closed connection. */
  | "unknownRecipient"
  | "mailboxFull"
  | "greylisting"
  | "silentRecipient"
  | "slamAtRecipient"
  /** After the mail was read: 554, 451, a closed connection. */
  | "contentRefused"
  | "busyAfterData"
  | "slamAfterData"

/** A mail, accepted or not. */
export interface SmtpSeen extends Seen {
  readonly from: string
  /** Null when the server refused before this step. */
  readonly mail: SmtpMail | null
  /** Whether it came over TLS. */
  readonly secure: boolean
}

/** A mail server that stores the mails it receives. */
export interface SmtpSimulator extends ProviderDouble {
  readonly play: (behaviour: Behaviour | SmtpFault) => Effect.Effect<void>
  readonly seen: Effect.Effect<ReadonlyArray<SmtpSeen>>
  /** The accepted mails. */
  readonly mails: Effect.Effect<ReadonlyArray<SmtpMail>>
}

export interface SmtpSimulatorOptions {
  /** The accepted logins. By default every client may send. */
  readonly login?: { readonly user: string; readonly password: string }
  /** Offers STARTTLS, or speaks TLS from the first byte, with a certificate that no authority signed. */
  readonly tls?: "starttls" | "immediate"
}

const slowly = 300

const reply = (responseCode: number, text: string) => Object.assign(new Error(text), { responseCode })

type Done = (error?: Error | null, message?: string) => void

/** Faults that are a single response line at one step. */
const atRecipient: { readonly [play: string]: Error } = {
  refused: reply(550, "no such user here"),
  overloaded: reply(451, "try again later"),
  unknownRecipient: reply(550, "no such user here"),
  mailboxFull: reply(452, "mailbox full")
}

const afterData: { readonly [play: string]: Error } = {
  contentRefused: reply(554, "looks like spam"),
  busyAfterData: reply(451, "local error, try again later")
}

/**
 * Starts a mail server on 127.0.0.1. Its refusals repeat the address, as real servers do.
 *
 * @example
 * ```ts
 * import { SmtpSimulator } from "@countersign/testkit/simulators"
 * import { Effect } from "effect"
 *
 * const program = Effect.gen(function* () {
 *   const server = yield* SmtpSimulator.make()
 *   yield* server.play("greylisting")
 *   console.log(server.url) // for SMTP_URL
 *   console.log((yield* server.mails).map(({ subject }) => subject))
 * })
 * ```
 */
export const make = ({ login, tls }: SmtpSimulatorOptions = {}): Effect.Effect<SmtpSimulator, never, Scope.Scope> =>
  Effect.gen(function* () {
    const seen: Array<SmtpSeen> = []
    const greylisted = new Set<string>()
    /** The mail of the current session: its position in `seen`, and how it will be treated. */
    const current = new WeakMap<SMTPServerSession, { readonly at: number; readonly play: Behaviour | SmtpFault }>()
    let playing: Behaviour | SmtpFault = "accepted"

    const socketOf = (session: SMTPServerSession): Socket | undefined => {
      for (const connection of server.connections) if (connection.session.id === session.id) return connection._socket
      return undefined
    }

    const addressed = (to: string, session: SMTPServerSession) => {
      const known = current.get(session)
      const { address = "" } = session.envelope.mailFrom || {}
      if (known === undefined) {
        current.set(session, { at: seen.length, play: playing })
        seen.push({
          to,
          from: address,
          raw: `MAIL FROM:<${address}>\r\nRCPT TO:<${to}>`,
          providerId: null,
          mail: null,
          secure: session.secure
        })
      } else {
        const earlier = seen[known.at]!
        seen[known.at] = { ...earlier, to: `${earlier.to}, ${to}`, raw: `${earlier.raw}\r\nRCPT TO:<${to}>` }
      }
    }

    const refuse = (error: Error, to: string) => Object.assign(new Error(`${error.message}: <${to}>`), error)

    const onRcptTo = (to: string, session: SMTPServerSession, done: Done) => {
      addressed(to, session)
      if (playing === "silentRecipient") return
      if (playing === "slamAtRecipient") return socketOf(session)?.destroy()
      const error = atRecipient[playing]
      if (error !== undefined) {
        current.delete(session)
        return done(refuse(error, to))
      }
      if (playing === "greylisting" && !greylisted.has(to)) {
        greylisted.add(to)
        current.delete(session)
        return done(refuse(reply(451, "greylisted, try again later"), to))
      }
      return done()
    }

    const conclude = (session: SMTPServerSession, raw: string, done: Done) => {
      const { at, play } = current.get(session)!
      current.delete(session)
      const mail = parse(raw)
      const providerId = mail.headers["message-id"]?.[0] ?? null
      const taken = play === "accepted" || play === "slow" || play === "greylisting"
      const text = [mail.subject, mail.text, mail.html].join("\n\n")
      seen[at] = {
        ...seen[at]!,
        raw: Buffer.from(raw, "latin1").toString("utf8"),
        mail,
        text,
        providerId: taken ? providerId : null
      }
      const ok = () => done(null, `OK queued as ${at + 1}`)
      if (play === "hanging") return
      if (play === "slow") return setTimeout(ok, slowly)
      if (play === "garbled") return socketOf(session)?.write("<html>It works!</html>\r\n")
      if (play === "slamAfterData") return socketOf(session)?.destroy()
      const error = afterData[play]
      return error === undefined ? ok() : done(refuse(error, session.envelope.rcptTo[0]?.address ?? ""))
    }

    const server = new SMTPServer({
      secure: tls === "immediate",
      logger: false,
      authOptional: login === undefined,
      allowInsecureAuth: true,
      disabledCommands: [...(tls === "starttls" ? [] : ["STARTTLS"]), ...(login === undefined ? ["AUTH"] : [])],
      closeTimeout: 10,
      onConnect: (_, done) => {
        if (playing === "silentGreeting") return
        done(playing === "closing" ? reply(421, "closing for the night") : null)
      },
      onAuth: ({ password, username }, _, done) => {
        if (playing === "loginBusy") return done(reply(454, "cannot look that up now"))
        const known = playing !== "loginRefused" && username === login?.user && password === login?.password
        return known ? done(null, { user: username ?? "" }) : done(reply(535, `login refused for ${username}`))
      },
      onMailFrom: (from, session, done) => {
        current.delete(session)
        done(playing === "senderRefused" ? refuse(reply(553, "sender not allowed"), from.address) : null)
      },
      onRcptTo: ({ address }, session, done) => void onRcptTo(address, session, done),
      onData: (stream, session, done) => {
        const chunks: Array<Buffer> = []
        stream.on("data", (chunk: Buffer) => chunks.push(chunk))
        stream.on("end", () => void conclude(session, Buffer.concat(chunks).toString("latin1"), done))
      }
    })
    // A client that disconnects is no error here.
    server.on("error", () => undefined)

    yield* Effect.acquireRelease(
      Effect.callback<void>((resume) => {
        server.listen(0, "127.0.0.1", () => resume(Effect.void))
      }),
      () =>
        Effect.callback<void>((resume) => {
          server.close(() => resume(Effect.void))
        })
    )
    const { port } = server.server.address() as AddressInfo
    const account =
      login === undefined ? "" : `${encodeURIComponent(login.user)}:${encodeURIComponent(login.password)}@`
    return {
      url: `${tls === "immediate" ? "smtps" : "smtp"}://${account}127.0.0.1:${port}${tls === undefined ? "?ignoreTLS=true" : ""}`,
      play: (next) =>
        Effect.sync(() => {
          playing = next
        }),
      seen: Effect.sync(() => [...seen]),
      mails: Effect.sync(() =>
        seen.flatMap(({ mail, providerId }) => (mail !== null && providerId !== null ? [mail] : []))
      )
    }
  })
