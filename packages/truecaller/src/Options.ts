import { checkOptions, type InvalidOptions, type OptionRules } from "@countersign/core/channel"
import { apiUrlProblem, trimmed } from "@countersign/provider-http"
import { Result } from "effect"

/** How to reach Truecaller, and in whose name. There is no secret: a code is bound to the app by PKCE. */
export interface Options {
  /** Your application's client id, from Truecaller's portal; the app has the same. */
  readonly clientId: string
  readonly apiUrl?: string | undefined
}

/** Options that were checked, with every default filled in. */
export interface Account {
  readonly clientId: string
  /** Without a slash at its end. */
  readonly apiUrl: string
}

export const defaultApiUrl = "https://oauth-account-noneu.truecaller.com"

/** What errors call this adapter. */
export const provider = "truecaller"

const rules: OptionRules<Options> = {
  clientId: ({ clientId }) =>
    /^[\w.~-]{1,256}$/.test(clientId) ? null : "must be the client id of your application: letters, digits, . _ ~ -",
  // Whoever stands between would tell us whose number it is.
  apiUrl: ({ apiUrl }) => apiUrlProblem(apiUrl)
}

/** Checks everything before anybody is asked, so that a mistake stops the start and never a request. */
export const check = (options: Options): Result.Result<Account, InvalidOptions> =>
  Result.map(checkOptions(provider, options, rules), ({ apiUrl, clientId }) => ({
    clientId,
    apiUrl: trimmed(apiUrl ?? defaultApiUrl)
  }))
