import { Result } from "effect"

/** The mail server and its connection settings. */
export interface SmtpServer {
  readonly host: string
  readonly port: number
  /** TLS from the first byte. */
  readonly secure: boolean
  /** STARTTLS is required. Never true together with `secure`. */
  readonly requireTLS: boolean
  readonly login: { readonly user: string; readonly pass: string } | null
  /** The client's name in EHLO. */
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
 * Parses `smtp://user:password@host:port` or `smtps://…`. The connection is encrypted unless the URL ends in
 * `?ignoreTLS=true`: a server or attacker that denies STARTTLS gets no mail. Failures never repeat the URL, because it
 * contains a password.
 */
export const parseUrl = (text: string): Result.Result<SmtpServer, string> => {
  if (!URL.canParse(text)) return Result.fail("must be a URL such as smtp://user:password@mail.example.com:587")
  const { hostname, password, pathname, port, protocol, searchParams, username } = new URL(text)
  if (protocol !== "smtp:" && protocol !== "smtps:") return Result.fail("must start with smtp:// or smtps://")
  if (hostname === "") return Result.fail("must contain a host")
  if (pathname !== "" && pathname !== "/") return Result.fail("must not have a path")
  for (const name of searchParams.keys()) {
    if (!parameters.includes(name)) return Result.fail(`may only have the parameters ${parameters.join(" and ")}`)
  }
  const ignoreTls = searchParams.get("ignoreTLS") ?? "false"
  if (ignoreTls !== "true" && ignoreTls !== "false") return Result.fail("must use ignoreTLS=true or ignoreTLS=false")
  const [user, pass] = [decoded(username), decoded(password)]
  if (user === null || pass === null) return Result.fail("must contain a percent-encoded user and password")
  if ((user === "") !== (pass === "")) return Result.fail("must contain both a user and a password, or neither")
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
