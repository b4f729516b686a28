import { Effect, Redacted, Schema } from "effect"

/** How to reach Twilio, and in whose name. `from` and `messagingServiceSid` exclude each other. */
export interface Options {
  /** `AC…`, from the console. */
  readonly accountSid: string
  /** The account's primary auth token: it opens the API, and Twilio signs its reports with it. */
  readonly authToken: Redacted.Redacted
  /** Who SMS come from: a number with `+`, a short code, or an alphanumeric sender. */
  readonly from?: string | undefined
  /** `MG…`: a Messaging Service, which chooses the sender. */
  readonly messagingServiceSid?: string | undefined
  /** `rcs:…`. With it there is an RCS channel. */
  readonly rcsSender?: string | undefined
  readonly apiUrl?: string | undefined
  /** Where this service is reached from outside. Receipts come only if it is https, or on this machine. */
  readonly publicUrl?: string | undefined
  /** What each channel may send in a second. Twilio queues what comes faster, so without it nothing is held back. */
  readonly perSecond?: number | undefined
  /** Whether Twilio keeps message texts. `discard` needs Message Redaction in the account. */
  readonly contentRetention?: "retain" | "discard" | undefined
  /** Whether Twilio keeps the recipients' numbers whole. `obfuscate` needs Message Redaction too. */
  readonly addressRetention?: "retain" | "obfuscate" | undefined
  /** Twilio's protection against SMS pumping, when it should differ from the account's own choice. */
  readonly riskCheck?: "enable" | "disable" | undefined
}

/** The options cannot work. `problem` names the field and says why, and repeats no value. */
export class InvalidOptions extends Schema.TaggedError<InvalidOptions>()("InvalidOptions", {
  problem: Schema.String
}) {}

/** What Twilio shows a message to come from. */
export type Sender = { readonly from: string } | { readonly messagingServiceSid: string }

/** What is the same for every message. */
export interface Choices {
  readonly contentRetention?: "retain" | "discard"
  readonly addressRetention?: "retain" | "obfuscate"
  readonly riskCheck?: "enable" | "disable"
}

/** Options that were checked, with every default filled in. */
export interface Account {
  readonly accountSid: string
  readonly authToken: Redacted.Redacted
  readonly sms: Sender | null
  readonly rcsSender: string | null
  /** Without a slash at its end, like the next. */
  readonly apiUrl: string
  /** Null when Twilio could not report there. */
  readonly callbackUrl: string | null
  readonly perSecond: number | null
  readonly choices: Choices
}

export const defaultApiUrl = "https://api.twilio.com"
export const callbackName = "twilio"

/** Loopback: nobody else can read or forge what goes there. */
const isLocal = (hostname: string) => /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname)

const urlProblem = (text: string): string | null => {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return "must be an http(s) address"
  if (url.search !== "" || url.hash !== "") return "must not have a query or a fragment"
  return url.username === "" && url.password === "" ? null : "must not hold credentials"
}

const publicUrlProblem = (text: string): string | null => {
  const problem = urlProblem(text)
  if (problem !== null) return problem
  return new URL(text).hostname.includes("_") ? "must not have an underscore in its host: Twilio refuses it" : null
}

const isSender = (text: string) => /^(\+\d{5,15}|\d{3,8}|(?=.*[A-Za-z])[A-Za-z0-9 +_&-]{1,11})$/.test(text)

const isOneOf = (value: string | undefined, ...known: ReadonlyArray<string>) =>
  value === undefined || known.includes(value)

const senderProblem = ({ from, messagingServiceSid, rcsSender }: Options): string | null => {
  if (from !== undefined && messagingServiceSid !== undefined) return "from and messagingServiceSid exclude each other"
  if (from !== undefined && !isSender(from))
    return "from must be a number with +, a short code or an alphanumeric sender"
  if (messagingServiceSid !== undefined && !/^MG[0-9a-fA-F]{32}$/.test(messagingServiceSid)) {
    return "messagingServiceSid must be MG and 32 hex digits"
  }
  if (rcsSender !== undefined && !/^rcs:[\w.-]{1,100}$/.test(rcsSender)) return "rcsSender must look like rcs:sender_id"
  return (from ?? messagingServiceSid ?? rcsSender)
    ? null
    : "one of from, messagingServiceSid and rcsSender must be given"
}

const problemOf = (options: Options): string | null => {
  const { accountSid, addressRetention, apiUrl, authToken, contentRetention, perSecond, publicUrl, riskCheck } = options
  if (!/^AC[0-9a-fA-F]{32}$/.test(accountSid)) return "accountSid must be AC and 32 hex digits"
  if (!/^[\x21-\x7e]+$/.test(Redacted.value(authToken))) return "authToken must be visible ASCII without spaces"
  if (perSecond !== undefined && !(perSecond > 0 && Number.isFinite(perSecond)))
    return "perSecond must be greater than 0"
  if (!isOneOf(contentRetention, "retain", "discard")) return "contentRetention must be retain or discard"
  if (!isOneOf(addressRetention, "retain", "obfuscate")) return "addressRetention must be retain or obfuscate"
  if (!isOneOf(riskCheck, "enable", "disable")) return "riskCheck must be enable or disable"
  const wrongApi = apiUrl === undefined ? null : urlProblem(apiUrl)
  if (wrongApi !== null) return `apiUrl ${wrongApi}`
  const wrongPublic = publicUrl === undefined ? null : publicUrlProblem(publicUrl)
  return wrongPublic === null ? senderProblem(options) : `publicUrl ${wrongPublic}`
}

const trimmed = (url: string) => url.replace(/\/+$/, "")

const callbackUrlOf = (publicUrl: string | undefined): string | null => {
  if (publicUrl === undefined) return null
  const { hostname, protocol } = new URL(publicUrl)
  return protocol === "https:" || isLocal(hostname) ? `${trimmed(publicUrl)}/v1/callbacks/${callbackName}` : null
}

const smsSender = ({ from, messagingServiceSid }: Options): Sender | null => {
  if (from !== undefined) return { from }
  return messagingServiceSid === undefined ? null : { messagingServiceSid }
}

/** Checks everything before anything is sent, so that a mistake stops the start and never a request. */
export const check = (options: Options): Effect.Effect<Account, InvalidOptions> => {
  const problem = problemOf(options)
  if (problem !== null) return Effect.fail(new InvalidOptions({ problem }))
  const {
    accountSid,
    addressRetention,
    apiUrl,
    authToken,
    contentRetention,
    perSecond,
    publicUrl,
    rcsSender,
    riskCheck
  } = options
  return Effect.succeed({
    accountSid,
    authToken,
    sms: smsSender(options),
    rcsSender: rcsSender ?? null,
    apiUrl: trimmed(apiUrl ?? defaultApiUrl),
    callbackUrl: callbackUrlOf(publicUrl),
    perSecond: perSecond ?? null,
    choices: {
      ...(contentRetention === undefined ? {} : { contentRetention }),
      ...(addressRetention === undefined ? {} : { addressRetention }),
      ...(riskCheck === undefined ? {} : { riskCheck })
    }
  })
}
