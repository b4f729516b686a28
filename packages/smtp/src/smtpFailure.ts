import { type Because, ChannelError, OutcomeUnknown, Refused, Unavailable } from "@countersign/core/channel"

/** What the SMTP client says about a mail that was not sent. Its message and the server's words are never kept. */
export interface SmtpFault {
  readonly code: string
  readonly command: string
  /** Of the server's reply; null when there was none. */
  readonly responseCode: number | null
  /** Of the socket or the certificate, where the client wrapped its error. */
  readonly originalCode: string
}

/**
 * How far a mail had come: no connection had taken it yet, the server was asked whether it takes a mail for this
 * recipient, or it was being given the mail itself.
 */
export type Stage = "connecting" | "envelope" | "data"

const textAt = (value: object, name: string) => {
  const found: unknown = Reflect.get(value, name)
  return typeof found === "string" ? found : ""
}

export const faultOf = (error: unknown): SmtpFault => {
  const value = typeof error === "object" && error !== null ? error : {}
  const responseCode: unknown = Reflect.get(value, "responseCode")
  return {
    code: textAt(value, "code"),
    command: textAt(value, "command"),
    responseCode: typeof responseCode === "number" && responseCode >= 100 && responseCode < 600 ? responseCode : null,
    originalCode: textAt(value, "originalCode")
  }
}

const name = (code: string) => (/^E?[A-Z0-9_]{2,40}$/.test(code) ? code.toLowerCase() : "unknown")

/** Of TLS: Node names what is wrong with a certificate; everything else on the socket may be better the next time. */
export const isCertificate = (code: string) =>
  /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT_|HOSTNAME_MISMATCH|INVALID_CA|PATH_LENGTH)/.test(code)

/** The server wants a login, or another one, whatever it was that we asked. */
export const ofTheLogin: ReadonlyArray<number> = [530, 534, 535, 538]

const byCommand = ({ command, responseCode }: SmtpFault): Because => {
  if (ofTheLogin.includes(responseCode ?? 0)) return "account"
  if (command === "RCPT TO") return "recipient"
  return command === "DATA" ? "content" : "account"
}

/** What is the same the next time, though the server did not say so. */
const settled: { readonly [code: string]: Because } = {
  EAUTH: "account",
  ENOAUTH: "account",
  ECONFIG: "account",
  EMAXRECIPIENTS: "recipient",
  EFILEACCESS: "content",
  EURLACCESS: "content"
}

const notSent = ["ECONNECTION", "EDNS", "EPROTOCOL", "EPROXY", "ESOCKET", "ESTREAM", "ETIMEDOUT", "ETLS"]

/**
 * From `RCPT TO` on a relay answers about one mail: it defers unknown domains, full mailboxes and greylisted recipients
 * with 450 or 451. Only 421 is about the connection, at any command.
 */
const mailOnly = ({ command, responseCode }: SmtpFault): { readonly because?: Because } => {
  if (responseCode === 421 || responseCode === 503) return {}
  if (command === "RCPT TO") return { because: "recipient" }
  return command === "DATA" ? { because: "content" } : {}
}

const reasonOf = (fault: SmtpFault, stage: Stage): ChannelError["reason"] => {
  const { code, command, originalCode, responseCode } = fault
  if (responseCode !== null && responseCode >= 400) {
    const providerCode = `smtp_${responseCode}`
    // 503 is about the session, not about the mail.
    return responseCode >= 500 && responseCode !== 503
      ? new Refused({ providerCode, because: byCommand(fault) })
      : new Unavailable({ providerCode, ...mailOnly(fault) })
  }
  if (isCertificate(originalCode) || isCertificate(code))
    return new Refused({ providerCode: "certificate", because: "account" })
  if (code === "EENVELOPE" && command === "API")
    return new Refused({ providerCode: "invalid_address", because: "recipient" })
  const because = settled[code]
  if (because !== undefined) return new Refused({ providerCode: name(code), because })
  if (stage !== "data" && notSent.includes(code)) {
    // Before it answers for a recipient, a relay looks up the domain, and may wait for whoever owns it. One that is in
    // trouble itself does not greet either: the connection ends with this, and the next mail needs another.
    const isRecipients = stage === "envelope" && code === "ETIMEDOUT"
    return new Unavailable({ providerCode: name(code), ...(isRecipients ? { because: "recipient" } : {}) })
  }
  return new OutcomeUnknown({ providerCode: name(code) })
}

/**
 * What a failure means for the mail. Once the server is being given the mail itself, a connection that ends without a
 * reply says nothing about what became of it.
 */
export const smtpFailure = (fault: SmtpFault, stage: Stage): ChannelError =>
  new ChannelError({ channel: "EMAIL", reason: reasonOf(fault, stage) })
