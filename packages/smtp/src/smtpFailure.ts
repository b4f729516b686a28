import { type Because, ChannelError, OutcomeUnknown, Refused, Unavailable } from "@countersign/core/channel"

/** The SMTP client's error for a mail that was not sent, without its message and the server's text. */
export interface SmtpFault {
  readonly code: string
  readonly command: string
  /** The code of the server's reply; null without a reply. */
  readonly responseCode: number | null
  /** The code of the wrapped socket or certificate error. */
  readonly originalCode: string
}

/**
 * How far a mail had come: waiting for a connection, negotiating the recipient, or transmitting its content.
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

/** Whether a code is about the certificate, which is permanent. Other socket errors may be temporary. */
export const isCertificate = (code: string) =>
  /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT_|HOSTNAME_MISMATCH|INVALID_CA|PATH_LENGTH)/.test(code)

/** Reply codes about the login, at any command. */
export const ofTheLogin: ReadonlyArray<number> = [530, 534, 535, 538]

const byCommand = ({ command, responseCode }: SmtpFault): Because => {
  if (ofTheLogin.includes(responseCode ?? 0)) return "account"
  if (command === "RCPT TO") return "recipient"
  return command === "DATA" ? "content" : "account"
}

/** Permanent failures without a reply from the server. */
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
 * From `RCPT TO` on, a relay's replies are about one mail: it defers unknown domains, full mailboxes and greylisted
 * recipients with 450 or 451. Only 421 is about the connection, at any command.
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
    // Before it accepts a recipient, a relay looks up the domain and may wait for that domain's servers. A relay that is
    // overloaded itself does not greet either, which the next mail on a new connection will notice.
    const isRecipients = stage === "envelope" && code === "ETIMEDOUT"
    return new Unavailable({ providerCode: name(code), ...(isRecipients ? { because: "recipient" } : {}) })
  }
  return new OutcomeUnknown({ providerCode: name(code) })
}

/**
 * The meaning of a failure for the mail. If the connection ends without a reply while the content is transmitted, the
 * outcome is unknown.
 */
export const smtpFailure = (fault: SmtpFault, stage: Stage): ChannelError =>
  new ChannelError({ channel: "EMAIL", reason: reasonOf(fault, stage) })
