import { checkOptions, type InvalidOptions, type OptionRules } from "@countersign/core/channel"
import { apiUrlProblem, isVisible, trimmed } from "@countersign/provider-http"
import { Redacted, Result } from "effect"

/** The MSG91 account and template. */
export interface Options {
  /** From the panel, under Authkey. MSG91 accepts it only from allowed addresses, unless you disable that in the panel. */
  readonly authKey: Redacted.Redacted
  /** MSG91's id of the code's template: 24 hex digits, linked to the DLT template in the panel. */
  readonly templateId: string
  /** The name of the template variable for the code, without its `##` marks. Default: `otp`. */
  readonly codeVariable?: string | undefined
  /**
   * The value of the header `X-Countersign-Secret` that you configure in the panel's webhook: at least 16 characters of your
   * choice. Without it there are no receipts, because MSG91 does not sign its reports.
   */
  readonly webhookSecret?: Redacted.Redacted | undefined
  readonly apiUrl?: string | undefined
  /** The most messages per second, in each process. */
  readonly perSecond?: number | undefined
}

/** Validated options with all defaults. */
export interface Account {
  readonly authKey: Redacted.Redacted
  readonly templateId: string
  readonly codeVariable: string
  readonly webhookSecret: Redacted.Redacted | null
  /** Without a trailing slash. */
  readonly apiUrl: string
  readonly perSecond: number | null
}

export const defaultApiUrl = "https://control.msg91.com"

/** The adapter's name in errors and callbacks. */
export const provider = "msg91"

/** Field names that MSG91 reserves in a recipient. */
const taken = new Set(["mobiles", "crqid"])

const rules: OptionRules<Options> = {
  authKey: ({ authKey }) => (isVisible(authKey) ? null : "must be visible ASCII without spaces"),
  templateId: ({ templateId }) =>
    /^[0-9a-fA-F]{24}$/.test(templateId)
      ? null
      : "must be the MSG91 template id, 24 hex digits, not the DLT template id of 19 digits",
  codeVariable: ({ codeVariable }) =>
    codeVariable === undefined || (/^\w{1,32}$/.test(codeVariable) && !taken.has(codeVariable.toLowerCase()))
      ? null
      : "must be the name of a template variable: letters, digits and _, without ##",
  webhookSecret: ({ webhookSecret }) =>
    webhookSecret === undefined || (isVisible(webhookSecret) && Redacted.value(webhookSecret).length >= 16)
      ? null
      : "must be at least 16 characters of visible ASCII without spaces",
  apiUrl: ({ apiUrl }) => apiUrlProblem(apiUrl),
  perSecond: ({ perSecond }) =>
    perSecond === undefined || (perSecond > 0 && Number.isFinite(perSecond)) ? null : "must be greater than 0"
}

/** Validates all options, so that a mistake fails the start and never a request. */
export const check = (options: Options): Result.Result<Account, InvalidOptions> =>
  Result.map(
    checkOptions(provider, options, rules),
    ({ apiUrl, authKey, codeVariable, perSecond, templateId, webhookSecret }) => ({
      authKey,
      templateId,
      codeVariable: codeVariable ?? "otp",
      webhookSecret: webhookSecret ?? null,
      apiUrl: trimmed(apiUrl ?? defaultApiUrl),
      perSecond: perSecond ?? null
    })
  )
