import { type Duration, Effect, Redacted, Schema } from "effect"
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
  readonly apiUrl?: string | undefined
  readonly version?: string | undefined
  /** What all numbers together may send in a second; 80 for each number unless told. */
  readonly perSecond?: number | undefined
  /** How often to ask Meta about the numbers' health. Without it, only sends tell. */
  readonly refreshEvery?: Duration.Input | undefined
}

/** The options cannot work. `problem` names the field and says why, and repeats no value. */
export class InvalidOptions extends Schema.TaggedError<InvalidOptions>()("InvalidOptions", {
  problem: Schema.String
}) {}

/** Options that were checked, with every default filled in. */
export interface Account {
  readonly accessToken: Redacted.Redacted
  readonly phoneNumberIds: ReadonlyArray<string>
  readonly wabaId: string | null
  readonly appSecret: Redacted.Redacted
  readonly verifyToken: Redacted.Redacted
  readonly template: TemplateName
  /** With the version, without a slash at its end. */
  readonly baseUrl: string
  readonly perSecond: number
}

export const defaultApiUrl = "https://graph.facebook.com"
export const defaultVersion = "v25.0"
const perSecondOfNumber = 80

/** Ids become parts of a path, so nothing but digits will do. */
const isId = (text: string) => /^\d{1,32}$/.test(text)

/** A value that can travel in a header. */
const isHeaderValue = (text: string) => /^[\x21-\x7e]+$/.test(text)

const urlProblem = (text: string): string | null => {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return "must be an http(s) address"
  if (url.search !== "" || url.hash !== "") return "must not have a query or a fragment"
  return url.username === "" && url.password === "" ? null : "must not hold credentials"
}

const problemOf = (options: Options): string | null => {
  const { accessToken, apiUrl, appSecret, perSecond, phoneNumberIds, template, verifyToken, version, wabaId } = options
  if (!isHeaderValue(Redacted.value(accessToken))) return "accessToken must be visible ASCII without spaces"
  if (phoneNumberIds.length === 0) return "phoneNumberIds must name at least one number"
  if (!phoneNumberIds.every(isId)) return "phoneNumberIds must be ids of digits"
  if (wabaId !== undefined && !isId(wabaId)) return "wabaId must be an id of digits"
  if (Redacted.value(appSecret) === "") return "appSecret must not be empty"
  if (Redacted.value(verifyToken) === "") return "verifyToken must not be empty"
  if (!isTemplateName(template)) return "template must be a name of a-z, 0-9 and _, with a language such as en or en_US"
  if (version !== undefined && !/^v\d{1,3}\.\d{1,2}$/.test(version)) return "version must look like v25.0"
  if (perSecond !== undefined && !(perSecond > 0)) return "perSecond must be greater than 0"
  const wrong = apiUrl === undefined ? null : urlProblem(apiUrl)
  return wrong === null ? null : `apiUrl ${wrong}`
}

/** Checks everything before anything is sent, so that a mistake stops the start and never a request. */
export const check = (options: Options): Effect.Effect<Account, InvalidOptions> => {
  const problem = problemOf(options)
  if (problem !== null) return Effect.fail(new InvalidOptions({ problem }))
  const phoneNumberIds = [...new Set(options.phoneNumberIds)]
  const apiUrl = (options.apiUrl ?? defaultApiUrl).replace(/\/+$/, "")
  return Effect.succeed({
    accessToken: options.accessToken,
    phoneNumberIds,
    wabaId: options.wabaId ?? null,
    appSecret: options.appSecret,
    verifyToken: options.verifyToken,
    template: options.template,
    baseUrl: `${apiUrl}/${options.version ?? defaultVersion}`,
    perSecond: options.perSecond ?? perSecondOfNumber * phoneNumberIds.length
  })
}
