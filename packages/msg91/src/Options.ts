import { checkOptions, type InvalidOptions, type OptionRules } from "@countersign/core/channel"
import { apiUrlProblem, isVisible, trimmed } from "@countersign/provider-http"
import { Redacted, Result } from "effect"

/** How to reach MSG91, and in whose name. */
export interface Options {
  /** From the panel, under Authkey. MSG91 takes it only from addresses on its list, unless that is switched off there. */
  readonly authKey: Redacted.Redacted
  /** MSG91's own id of the template that carries the code: 24 hex digits, tied to the DLT template in the panel. */
  readonly templateId: string
  /** The name of the code's place in that template, `##otp##` without its marks. `otp` unless told. */
  readonly codeVariable?: string | undefined
  /**
   * The value of the header `X-Countersign-Secret` that the panel's webhook adds to its reports: 16 characters or more of
   * your own. Without it there are no receipts, because MSG91 signs nothing.
   */
  readonly webhookSecret?: Redacted.Redacted | undefined
  readonly apiUrl?: string | undefined
  /** How many messages may go out in a second, in each process. */
  readonly perSecond?: number | undefined
}

/** Options that were checked, with every default filled in. */
export interface Account {
  readonly authKey: Redacted.Redacted
  readonly templateId: string
  readonly codeVariable: string
  readonly webhookSecret: Redacted.Redacted | null
  /** Without a slash at its end. */
  readonly apiUrl: string
  readonly perSecond: number | null
}

export const defaultApiUrl = "https://control.msg91.com"

/** What errors and callbacks call this adapter. */
export const provider = "msg91"

/** Names that mean something else to MSG91 in a recipient. */
const taken = new Set(["mobiles", "crqid"])

const rules: OptionRules<Options> = {
  authKey: ({ authKey }) => (isVisible(authKey) ? null : "must be visible ASCII without spaces"),
  templateId: ({ templateId }) =>
    /^[0-9a-fA-F]{24}$/.test(templateId)
      ? null
      : "must be MSG91's own id of the template, 24 hex digits: not the DLT template id of 19 digits",
  codeVariable: ({ codeVariable }) =>
    codeVariable === undefined || (/^\w{1,32}$/.test(codeVariable) && !taken.has(codeVariable.toLowerCase()))
      ? null
      : "must be the name of a place in the template: letters, digits and _, without ##",
  webhookSecret: ({ webhookSecret }) =>
    webhookSecret === undefined || (isVisible(webhookSecret) && Redacted.value(webhookSecret).length >= 16)
      ? null
      : "must be 16 characters or more of visible ASCII without spaces",
  apiUrl: ({ apiUrl }) => apiUrlProblem(apiUrl),
  perSecond: ({ perSecond }) =>
    perSecond === undefined || (perSecond > 0 && Number.isFinite(perSecond)) ? null : "must be greater than 0"
}

/** Checks everything before anything is sent, so that a mistake stops the start and never a request. */
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
