import { checkOptions, type InvalidOptions, type OptionRules } from "@countersign/core/channel"
import { apiUrlProblem } from "@countersign/provider-http"
import type { Result } from "effect"

/** The Firebase project of the apps. There is no secret: Google signs the tokens. */
export interface Options {
  /** The project number, from the console's project settings: digits. */
  readonly projectNumber: string
  /** The project id, from the same page. */
  readonly projectId: string
  /**
   * The ids of the merchants whose apps belong to this project. A token names the project and not the app, so list the
   * merchants when others on the same service must not use tokens of these apps. Default: all merchants.
   */
  readonly merchants?: ReadonlyArray<string> | undefined
  /** The address of Google's public keys, for tests and proxies. */
  readonly keysUrl?: string | undefined
}

export const defaultKeysUrl = "https://fpnv.googleapis.com/v1beta/jwks"

/** The adapter's name in errors. */
export const provider = "firebase"

const rules: OptionRules<Options> = {
  projectNumber: ({ projectNumber }) =>
    /^[1-9][0-9]{4,19}$/.test(projectNumber) ? null : "must be the project number: 5 to 20 digits",
  projectId: ({ projectId }) =>
    /^[a-z][a-z0-9-]{4,28}[a-z0-9]$/.test(projectId)
      ? null
      : "must be the project id: 6 to 30 lower-case letters, digits and hyphens",
  merchants: ({ merchants }) =>
    merchants === undefined || (merchants.length > 0 && merchants.every((id) => /^mer_[0-9a-z]{26}$/.test(id)))
      ? null
      : "must be a list of merchant ids, such as mer_ followed by 26 letters and digits",
  // Must be encrypted: keys from an attacker in between would verify any number.
  keysUrl: ({ keysUrl }) => apiUrlProblem(keysUrl)
}

/** Validates all options, so that a mistake fails the start and never a request. */
export const check = (options: Options): Result.Result<Options, InvalidOptions> =>
  checkOptions(provider, options, rules)
