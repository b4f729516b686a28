import { checkOptions, type InvalidOptions, type OptionRules } from "@countersign/core/channel"
import { callbackUrl, trimmed } from "@countersign/provider-http"
import { Redacted, Result } from "effect"

/** The Twilio account and senders. Set either `from` or `messagingServiceSid`, not both. */
export interface Options {
  /** `AC…`, from the console. */
  readonly accountSid: string
  /** The account's primary auth token. It authenticates requests, and Twilio signs its reports with it. */
  readonly authToken: Redacted.Redacted
  /** The SMS sender: a number with `+`, a short code, or an alphanumeric sender. */
  readonly from?: string | undefined
  /** `MG…`: a Messaging Service, which chooses the sender. */
  readonly messagingServiceSid?: string | undefined
  /** `rcs:…`. Enables the RCS channel. */
  readonly rcsSender?: string | undefined
  readonly apiUrl?: string | undefined
  /** The service's public URL. Receipts need https, or a URL on this machine. */
  readonly publicUrl?: string | undefined
  /** The most messages per second of each channel. Default: no limit, because Twilio queues messages itself. */
  readonly perSecond?: number | undefined
  /** Whether Twilio keeps message texts. `discard` needs Message Redaction in the account. */
  readonly contentRetention?: "retain" | "discard" | undefined
  /** Whether Twilio keeps recipients' full numbers. `obfuscate` needs Message Redaction too. */
  readonly addressRetention?: "retain" | "obfuscate" | undefined
  /** Twilio's protection against SMS pumping, if it should differ from the account's setting. */
  readonly riskCheck?: "enable" | "disable" | undefined
}

/** The sender of a message. */
export type Sender = { readonly from: string } | { readonly messagingServiceSid: string }

/** Parameters that are the same for every message. */
export interface Choices {
  readonly contentRetention?: "retain" | "discard"
  readonly addressRetention?: "retain" | "obfuscate"
  readonly riskCheck?: "enable" | "disable"
}

/** Validated options with all defaults. */
export interface Account {
  readonly accountSid: string
  readonly authToken: Redacted.Redacted
  readonly sms: Sender | null
  readonly rcsSender: string | null
  /** Without a trailing slash. */
  readonly apiUrl: string
  /** Without a trailing slash. Null when Twilio cannot send reports. */
  readonly callbackUrl: string | null
  readonly perSecond: number | null
  readonly choices: Choices
}

export const defaultApiUrl = "https://api.twilio.com"
export const callbackName = "twilio"

export const urlProblem = (text: string): string | null => {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return "must be an http or https URL"
  if (url.search !== "" || url.hash !== "") return "must not have a query or a fragment"
  return url.username === "" && url.password === "" ? null : "must not contain credentials"
}

const publicUrlProblem = (text: string): string | null => {
  const problem = urlProblem(text)
  if (problem !== null) return problem
  return new URL(text).hostname.includes("_")
    ? "must not have an underscore in its host, because Twilio refuses it"
    : null
}

const isSender = (text: string) => /^(\+\d{5,15}|\d{3,8}|(?=.*[A-Za-z])[A-Za-z0-9 +_&-]{1,11})$/.test(text)

const isOneOf = (value: string | undefined, ...known: ReadonlyArray<string>) =>
  value === undefined || known.includes(value)

/** The rules of the account's options, which every adapter of this package has. */
export const accountRules: OptionRules<Pick<Options, "accountSid" | "authToken">> = {
  accountSid: ({ accountSid }) => (/^AC[0-9a-fA-F]{32}$/.test(accountSid) ? null : "must be AC and 32 hex digits"),
  authToken: ({ authToken }) =>
    /^[\x21-\x7e]+$/.test(Redacted.value(authToken)) ? null : "must be visible ASCII without spaces"
}

const rules: OptionRules<Options> = {
  ...accountRules,
  from: ({ from, messagingServiceSid, rcsSender }) => {
    if (from !== undefined) {
      return isSender(from) ? null : "must be a number with +, a short code or an alphanumeric sender"
    }
    return (messagingServiceSid ?? rcsSender) === undefined
      ? "is missing: set a sender, a Messaging Service or an RCS sender"
      : null
  },
  messagingServiceSid: ({ from, messagingServiceSid }) => {
    if (messagingServiceSid === undefined) return null
    if (from !== undefined) return "cannot be combined with a sender: set one of them"
    return /^MG[0-9a-fA-F]{32}$/.test(messagingServiceSid) ? null : "must be MG and 32 hex digits"
  },
  rcsSender: ({ rcsSender }) =>
    rcsSender === undefined || /^rcs:[\w.-]{1,100}$/.test(rcsSender) ? null : "must look like rcs:sender_id",
  apiUrl: ({ apiUrl }) => (apiUrl === undefined ? null : urlProblem(apiUrl)),
  publicUrl: ({ publicUrl }) => (publicUrl === undefined ? null : publicUrlProblem(publicUrl)),
  perSecond: ({ perSecond }) =>
    perSecond === undefined || (perSecond > 0 && Number.isFinite(perSecond)) ? null : "must be greater than 0",
  contentRetention: ({ contentRetention }) =>
    isOneOf(contentRetention, "retain", "discard") ? null : "must be retain or discard",
  addressRetention: ({ addressRetention }) =>
    isOneOf(addressRetention, "retain", "obfuscate") ? null : "must be retain or obfuscate",
  riskCheck: ({ riskCheck }) => (isOneOf(riskCheck, "enable", "disable") ? null : "must be enable or disable")
}

const smsSender = ({ from, messagingServiceSid }: Options): Sender | null => {
  if (from !== undefined) return { from }
  return messagingServiceSid === undefined ? null : { messagingServiceSid }
}

const accountOf = (options: Options): Account => {
  const { accountSid, addressRetention, apiUrl, authToken, contentRetention, perSecond, publicUrl, rcsSender } = options
  const { riskCheck } = options
  return {
    accountSid,
    authToken,
    sms: smsSender(options),
    rcsSender: rcsSender ?? null,
    apiUrl: trimmed(apiUrl ?? defaultApiUrl),
    callbackUrl: callbackUrl(publicUrl, callbackName),
    perSecond: perSecond ?? null,
    choices: {
      ...(contentRetention === undefined ? {} : { contentRetention }),
      ...(addressRetention === undefined ? {} : { addressRetention }),
      ...(riskCheck === undefined ? {} : { riskCheck })
    }
  }
}

/** Validates all options, so that a mistake fails the start and never a request. */
export const check = (options: Options): Result.Result<Account, InvalidOptions> =>
  Result.map(checkOptions(callbackName, options, rules), accountOf)
