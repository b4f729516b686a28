import { type ProviderCheck, ProviderCheckFailed } from "@countersign/core/channel"
import { Effect } from "effect"
import type { Transporter } from "nodemailer"
import { faultOf, isCertificate, ofTheLogin, type SmtpFault } from "./smtpFailure.ts"
import type { SmtpServer } from "./SmtpUrl.ts"

const reach =
  "compare host and port with your mail provider's, and check that this machine can reach them: many networks block port 25"

const failure = ({ code, originalCode, responseCode }: SmtpFault): readonly [problem: string, advice: string] => {
  const said = responseCode === null ? "" : ` (${responseCode})`
  if (code === "EAUTH" || code === "ENOAUTH" || ofTheLogin.includes(responseCode ?? 0))
    return [
      `does not accept the user and password${said}`,
      "compare both with your mail provider's; in the URL, special characters must be percent-encoded"
    ]
  if (isCertificate(code) || isCertificate(originalCode))
    return ["has a certificate that is not trusted", "use the host name that the certificate is issued for"]
  if (code === "ETLS")
    return [
      "does not offer encryption",
      "use its TLS port, such as smtps://host:465; ?ignoreTLS=true sends unencrypted"
    ]
  if (code === "EDNS") return ["has a host name without an address", "check the host's spelling"]
  if (code === "ETIMEDOUT") return ["did not answer in time", reach]
  if (responseCode !== null) return [`answered ${responseCode}`, "ask its operator what that means"]
  if (originalCode === "ECONNREFUSED") return ["refused the connection", reach]
  return ["closed the connection", "use the port of the URL's scheme: 465 for smtps://, 587 for smtp://"]
}

/** Connects, encrypts, logs in and disconnects. */
export const check = (
  { host, login, port, requireTLS, secure }: SmtpServer,
  pool: Effect.Effect<{ readonly transporter: Transporter }>
): ProviderCheck =>
  Effect.flatMap(pool, ({ transporter }) =>
    Effect.tryPromise({
      try: () => transporter.verify(),
      catch: (error) => {
        const [problem, advice] = failure(faultOf(error))
        return new ProviderCheckFailed({ problem, advice })
      }
    })
  ).pipe(
    Effect.as({
      detail: `${host}:${port}, ${secure || requireTLS ? "encrypted" : "not encrypted"}, ${login === null ? "without login" : "logged in"}`
    })
  )
