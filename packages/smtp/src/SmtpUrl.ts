import { Result } from "effect"

/** Where the mail server is, and how to speak to it. */
export interface SmtpServer {
  readonly host: string
  readonly port: number
  /** TLS from the first byte. */
  readonly secure: boolean
  /** STARTTLS must come before anything else; never both this and `secure`. */
  readonly requireTLS: boolean
  readonly login: { readonly user: string; readonly pass: string } | null
  /** The name with which we greet. */
  readonly name: string | null
}

const parameters = ["ignoreTLS", "name"]

const decoded = (text: string) => {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/**
 * Reads `smtp://user:password@host:port` or `smtps://…`. The connection is encrypted unless the URL ends in
 * `?ignoreTLS=true`: without that, a server or somebody on the way who denies STARTTLS gets no mail. It fails with what
 * the URL must be, and never repeats it: it holds a password.
 */
export const parseUrl = (text: string): Result.Result<SmtpServer, string> => {
  if (!URL.canParse(text)) return Result.fail("must be an address like smtp://user:password@mail.example.com:587")
  const { hostname, password, pathname, port, protocol, searchParams, username } = new URL(text)
  if (protocol !== "smtp:" && protocol !== "smtps:") return Result.fail("must begin with smtp:// or smtps://")
  if (hostname === "") return Result.fail("must name a host")
  if (pathname !== "" && pathname !== "/") return Result.fail("must not have a path")
  for (const name of searchParams.keys()) {
    if (!parameters.includes(name)) return Result.fail(`may only have the parameters ${parameters.join(" and ")}`)
  }
  const ignoreTls = searchParams.get("ignoreTLS") ?? "false"
  if (ignoreTls !== "true" && ignoreTls !== "false") return Result.fail("must have ignoreTLS=true or ignoreTLS=false")
  const [user, pass] = [decoded(username), decoded(password)]
  if (user === null || pass === null) return Result.fail("must have its user and password percent-encoded")
  if ((user === "") !== (pass === "")) return Result.fail("must have both a user and a password, or neither")
  const secure = protocol === "smtps:"
  return Result.succeed({
    host: hostname.replace(/^\[(.*)\]$/, "$1"),
    port: port === "" ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: !secure && ignoreTls === "false",
    login: user === "" ? null : { user, pass },
    name: searchParams.get("name")
  })
}
