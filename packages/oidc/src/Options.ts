import { checkOptions, type InvalidOptions, type OptionRules } from "@countersign/core/channel"
import type { Redacted, Result } from "effect"
import { Redacted as Secret } from "effect"

/** The provider, and the service's client there. */
export interface Options {
  /** The issuer, exactly as in the provider's metadata: `https://accounts.example.com`. */
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
}

/** Whether a host is loopback, where plain HTTP is safe. */
const isLocal = (hostname: string) => /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname)

export const isInsecure = (issuer: string): boolean => new URL(issuer).protocol === "http:"

const issuerProblem = (text: string): string | null => {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return "must be an https URL"
  if (url.search !== "" || url.hash !== "") return "must not have a query or a fragment"
  if (url.username !== "" || url.password !== "") return "must not contain credentials"
  return url.protocol === "https:" || isLocal(url.hostname) ? null : "must be https, except on this machine"
}

const isGiven = (text: string) => text !== "" && text.length <= 1024 && !/[\p{Cc}]/u.test(text)

const rules: OptionRules<Options> = {
  issuer: ({ issuer }) => issuerProblem(issuer),
  clientId: ({ clientId }) => (isGiven(clientId) ? null : "must be the client id of this service at the provider"),
  clientSecret: ({ clientSecret }) =>
    isGiven(Secret.value(clientSecret)) ? null : "must be the client secret of this service at the provider"
}

/** Validates all options, so that a mistake fails the start and never a request. */
export const check = (options: Options): Result.Result<Options, InvalidOptions> => checkOptions("oidc", options, rules)
