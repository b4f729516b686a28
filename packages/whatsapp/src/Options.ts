import { checkOptions, type InvalidOptions, type OptionRules } from "@countersign/core/channel"
import { Duration, Option, Redacted, Result } from "effect"
import { isTemplateName, type TemplateName } from "./TemplateName.ts"

/** The WhatsApp business account, numbers and templates. */
export interface Options {
  /** A system user's token with `whatsapp_business_messaging`, and `whatsapp_business_management` for templates. */
  readonly accessToken: Redacted.Redacted
  /** The phone number ids to send from, at least one. Neither the phone numbers nor the account's id. */
  readonly phoneNumberIds: ReadonlyArray<string>
  /** The WhatsApp business account's id. Only `ensureTemplate` needs it. */
  readonly wabaId?: string | undefined
  /** The app secret, which verifies Meta's reports. */
  readonly appSecret: Redacted.Redacted
  /** The token that Meta sends when it subscribes to the callback. */
  readonly verifyToken: Redacted.Redacted
  /** The approved template for codes. Its category must be AUTHENTICATION. */
  readonly template: TemplateName
  /**
   * The approved template for sign-in links: category UTILITY, with the brand as its only text value and a button whose URL
   * ends in the token. Without it, WhatsApp sends no links.
   */
  readonly linkTemplate?: TemplateName | undefined
  readonly apiUrl?: string | undefined
  readonly version?: string | undefined
  /** The most messages per second of all numbers together. Default: 80 per number. */
  readonly perSecond?: number | undefined
  /** How often to check the numbers' health with Meta. Without it, only sends reveal problems. */
  readonly refreshEvery?: Duration.Input | undefined
}

/** Validated options with all defaults. */
export interface Settings {
  readonly accessToken: Redacted.Redacted
  readonly phoneNumberIds: ReadonlyArray<string>
  readonly wabaId: string | null
  readonly appSecret: Redacted.Redacted
  readonly verifyToken: Redacted.Redacted
  readonly template: TemplateName
  readonly linkTemplate: TemplateName | null
  /** Including the version, without a trailing slash. */
  readonly baseUrl: string
  readonly perSecond: number
}

export const defaultApiUrl = "https://graph.facebook.com"
export const defaultVersion = "v25.0"
const perSecondOfNumber = 80

/** Ids must be digits, because they become parts of a path. */
export const isId = (text: string) => /^\d{1,32}$/.test(text)

/** Whether a token can be sent in a header. */
export const isToken = (token: Redacted.Redacted) => /^[\x21-\x7e]+$/.test(Redacted.value(token))

const urlProblem = (text: string): string | null => {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return "must be an http or https URL"
  if (url.search !== "" || url.hash !== "") return "must not have a query or a fragment"
  return url.username === "" && url.password === "" ? null : "must not contain credentials"
}

const templateProblem = (template: TemplateName) =>
  isTemplateName(template) ? null : "must be a name of a-z, 0-9 and _, with a language such as en or en_US"

const emptyProblem = (value: Redacted.Redacted) => (Redacted.value(value) === "" ? "must not be empty" : null)

const rules: OptionRules<Options> = {
  accessToken: ({ accessToken }) => (isToken(accessToken) ? null : "must be visible ASCII without spaces"),
  phoneNumberIds: ({ phoneNumberIds }) => {
    if (phoneNumberIds.length === 0) return "must contain at least one phone number id"
    return phoneNumberIds.every(isId) ? null : "must be phone number ids, which consist of digits"
  },
  wabaId: ({ wabaId }) =>
    wabaId === undefined || isId(wabaId) ? null : "must be an account id, which consists of digits",
  appSecret: ({ appSecret }) => emptyProblem(appSecret),
  verifyToken: ({ verifyToken }) => emptyProblem(verifyToken),
  template: ({ template }) => templateProblem(template),
  linkTemplate: ({ linkTemplate }) => (linkTemplate === undefined ? null : templateProblem(linkTemplate)),
  apiUrl: ({ apiUrl }) => (apiUrl === undefined ? null : urlProblem(apiUrl)),
  version: ({ version }) =>
    version === undefined || /^v\d{1,3}\.\d{1,2}$/.test(version) ? null : "must look like v25.0",
  perSecond: ({ perSecond }) => (perSecond === undefined || perSecond > 0 ? null : "must be greater than 0"),
  refreshEvery: ({ refreshEvery }) =>
    refreshEvery === undefined || Option.isSome(Duration.fromInput(refreshEvery))
      ? null
      : "must be a duration such as 5 minutes"
}

/** The adapter's name in errors and callbacks. */
export const provider = "whatsapp"

const settingsOf = (options: Options): Settings => {
  const phoneNumberIds = [...new Set(options.phoneNumberIds)]
  const apiUrl = (options.apiUrl ?? defaultApiUrl).replace(/\/+$/, "")
  return {
    accessToken: options.accessToken,
    phoneNumberIds,
    wabaId: options.wabaId ?? null,
    appSecret: options.appSecret,
    verifyToken: options.verifyToken,
    template: options.template,
    linkTemplate: options.linkTemplate ?? null,
    baseUrl: `${apiUrl}/${options.version ?? defaultVersion}`,
    perSecond: options.perSecond ?? perSecondOfNumber * phoneNumberIds.length
  }
}

/** Validates all options, so that a mistake fails the start and never a request. */
export const check = (options: Options): Result.Result<Settings, InvalidOptions> =>
  Result.map(checkOptions(provider, options, rules), settingsOf)
