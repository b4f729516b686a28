/** Loopback: nobody else can read or forge what goes there. */
const isLocal = (hostname: string) => /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname)

/** What speaks against the address of a provider, as a rule of `checkOptions` says it; null when nothing does. */
export const apiUrlProblem = (text: string | undefined): string | null => {
  if (text === undefined) return null
  const url = URL.parse(text)
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return "must be an https address"
  if (url.search !== "" || url.hash !== "") return "must not have a query or a fragment"
  if (url.username !== "" || url.password !== "") return "must not hold credentials"
  return url.protocol === "https:" || isLocal(url.hostname) ? null : "must be https, except on this machine"
}

/** What speaks against the address that a provider is to report to. Plain http is no mistake: it means no receipts. */
export const publicUrlProblem = (text: string | undefined): string | null => {
  const problem = apiUrlProblem(text)
  return problem === "must be https, except on this machine" ? null : problem
}

/** Without the slash at its end. */
export const trimmed = (url: string): string => url.replace(/\/+$/, "")

/** Where a provider can report to a callback of that name; null where nobody else could, or everybody could listen. */
export const callbackUrl = (publicUrl: string | undefined, name: string): string | null => {
  const url = publicUrl === undefined ? null : URL.parse(publicUrl)
  if (publicUrl === undefined || url === null) return null
  return url.protocol === "https:" || isLocal(url.hostname) ? `${trimmed(publicUrl)}/v1/callbacks/${name}` : null
}
