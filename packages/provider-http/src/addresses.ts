/** Whether a host is loopback, where plain HTTP is safe. */
const isLocal = (hostname: string) => /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname)

/** A rule for `checkOptions`: the problem with a provider's URL, or null. */
export const apiUrlProblem = (text: string | undefined): string | null => {
  if (text === undefined) return null
  const url = URL.parse(text)
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return "must be an https URL"
  if (url.search !== "" || url.hash !== "") return "must not have a query or a fragment"
  if (url.username !== "" || url.password !== "") return "must not contain credentials"
  return url.protocol === "https:" || isLocal(url.hostname) ? null : "must be https, except on this machine"
}

/** The problem with the public URL for reports, or null. Plain http is valid, but means no receipts. */
export const publicUrlProblem = (text: string | undefined): string | null => {
  const problem = apiUrlProblem(text)
  return problem === "must be https, except on this machine" ? null : problem
}

/** Removes trailing slashes. */
export const trimmed = (url: string): string => url.replace(/\/+$/, "")

/** The URL for a provider's reports. Null if the provider cannot reach it, or if it is not encrypted. */
export const callbackUrl = (publicUrl: string | undefined, name: string): string | null => {
  const url = publicUrl === undefined ? null : URL.parse(publicUrl)
  if (publicUrl === undefined || url === null) return null
  return url.protocol === "https:" || isLocal(url.hostname) ? `${trimmed(publicUrl)}/v1/callbacks/${name}` : null
}
