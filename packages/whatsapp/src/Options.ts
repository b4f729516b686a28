import { checkOptions, type InvalidOptions, type OptionRules } from "@countersign/core/channel"
import { Duration, Option, Redacted, Result } from "effect"
import { isTemplateName, type TemplateName } from "./TemplateName.ts"

/** How to reach the WhatsApp Cloud API, and in whose name. */
export interface Options {
  /** A system user's token with `whatsapp_business_messaging`, and `whatsapp_business_management` for templates. */
  readonly accessToken: Redacted.Redacted
  /** The numbers to send from, by phone number id: neither the number itself nor the account's id. At least one. */
  readonly phoneNumberIds: ReadonlyArray<string>
  /** The WhatsApp business account's id. Only `ensureTemplate` needs it. */
  readonly wabaId?: string | undefined
  /** Signs what Meta reports to us. */
  readonly appSecret: Redacted.Redacted
  /** The word that Meta repeats when it subscribes to our callback. */
  readonly verifyToken: Redacted.Redacted
  /** The approved template that carries the code. Its category must be AUTHENTICATION. */
  readonly template: TemplateName
  /**
   * The approved template that carries sign-in links: category UTILITY, the brand as its text's one value, and a button
   * whose address ends in the token. Without it no links go over WhatsApp.
   */
  readonly linkTemplate?: TemplateName | undefined
  readonly apiUrl?: string | undefined
  readonly version?: string | undefined
  /** What all numbers together may send in a second; 80 for each number unless told. */
  readonly perSecond?: number | undefined
  /** How often to ask Meta about the numbers' health. Without it, only sends tell. */
  readonly refreshEvery?: Duration.Input | undefined
}

/** Options that were checked, with every default filled in. */
export interface Settings {
  readonly accessToken: Redacted.Redacted
  readonly phoneNumberIds: ReadonlyArray<string>
  readonly wabaId: string | null
  readonly appSecret: Redacted.Redacted
  readonly verifyToken: Redacted.Redacted
  readonly template: TemplateName
  readonly linkTemplate: TemplateName | null
  /** With the version, without a slash at its end. */
  readonly baseUrl: string
  readonly perSecond: number
}

export const defaultApiUrl = "https://graph.facebook.com"
export const defaultVersion = "v25.0"
const perSecondOfNumber = 80

/** Ids become parts of a path, so nothing but digits will do. */
export const isId = (text: string) => /^\d{1,32}$/.test(text)

/** Whether a token can travel in a header. */
export const isToken = (token: Redacted.Redacted) => /^[\x21-\x7e]+$/.test(Redacted.value(token))

const urlProblem = (text: string): string | null => {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return "must be an http(s) address"
  if (url.search !== "" || url.hash !== "") return "must not have a query or a fragment"
  return url.username === "" && url.password === "" ? null : "must not hold credentials"
}

const templateProblem = (template: TemplateName) =>
  isTemplateName(template) ? null : "must be a name of a-z, 0-9 and _, with a language such as en or en_US"

const emptyProblem = (value: Redacted.Redacted) => (Redacted.value(value) === "" ? "must not be empty" : null)

const rules: OptionRules<Options> = {
  accessToken: ({ accessToken }) => (isToken(accessToken) ? null : "must be visible ASCII without spaces"),
  phoneNumberIds: ({ phoneNumberIds }) => {
    if (phoneNumberIds.length === 0) return "must name at least one number"
    return phoneNumberIds.every(isId) ? null : "must be ids of digits"
  },
  wabaId: ({ wabaId }) => (wabaId === undefined || isId(wabaId) ? null : "must be an id of digits"),
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

/** What errors and callbacks call this adapter. */
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

/** Checks everything before anything is sent, so that a mistake stops the start and never a request. */
export const check = (options: Options): Result.Result<Settings, InvalidOptions> =>
  Result.map(checkOptions(provider, options, rules), settingsOf)
