import { type ProviderCheck, ProviderCheckFailed } from "@countersign/core/channel"
import { Effect } from "effect"
import type { Transporter } from "nodemailer"
import { faultOf, isCertificate, ofTheLogin, type SmtpFault } from "./smtpFailure.ts"
import type { SmtpServer } from "./SmtpUrl.ts"

const reach =
  "compare host and port with your mail provider's, and let this machine reach them: many networks close port 25"

const failure = ({ code, originalCode, responseCode }: SmtpFault): readonly [problem: string, advice: string] => {
  const said = responseCode === null ? "" : ` (${responseCode})`
  if (code === "EAUTH" || code === "ENOAUTH" || ofTheLogin.includes(responseCode ?? 0))
    return [
      `does not accept the user and the password${said}`,
      "compare both with your mail provider's; in an address, what is special in them is written as % and two hex digits"
    ]
  if (isCertificate(code) || isCertificate(originalCode))
    return ["shows a certificate that cannot be trusted", "name the host that the certificate is made out to"]
  if (code === "ETLS")
    return ["offers no encryption", "use its port for TLS, as smtps://host:465; ?ignoreTLS=true goes without"]
  if (code === "EDNS") return ["has a host without an address", "look at the host's spelling"]
  if (code === "ETIMEDOUT") return ["did not answer in time", reach]
  if (responseCode !== null) return [`answered ${responseCode}`, "ask whoever runs it what that means"]
  if (originalCode === "ECONNREFUSED") return ["does not listen there", reach]
  return ["ended the connection", "use its port for what the address says: smtps:// is 465, smtp:// is 587"]
}

/** Connects, encrypts, logs in, and says goodbye. */
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
