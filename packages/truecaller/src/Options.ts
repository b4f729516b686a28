import { checkOptions, type InvalidOptions, type OptionRules } from "@countersign/core/channel"
import { apiUrlProblem, trimmed } from "@countersign/provider-http"
import { Result } from "effect"

/** The Truecaller application. There is no secret, because PKCE binds a code to the app. */
export interface Options {
  /** Your application's client id from Truecaller's portal, the same as in the app. */
  readonly clientId: string
  readonly apiUrl?: string | undefined
}

/** Validated options with all defaults. */
export interface Account {
  readonly clientId: string
  /** Without a trailing slash. */
  readonly apiUrl: string
}

export const defaultApiUrl = "https://oauth-account-noneu.truecaller.com"

/** The adapter's name in errors. */
export const provider = "truecaller"

const rules: OptionRules<Options> = {
  clientId: ({ clientId }) =>
    /^[\w.~-]{1,256}$/.test(clientId) ? null : "must be the client id of your application: letters, digits, . _ ~ -",
  // Must be encrypted: an attacker in between could report any number as verified.
  apiUrl: ({ apiUrl }) => apiUrlProblem(apiUrl)
}

/** Validates all options, so that a mistake fails the start and never a request. */
export const check = (options: Options): Result.Result<Account, InvalidOptions> =>
  Result.map(checkOptions(provider, options, rules), ({ apiUrl, clientId }) => ({
    clientId,
    apiUrl: trimmed(apiUrl ?? defaultApiUrl)
  }))
