import { checkOptions, type InvalidOptions, type OptionRules } from "@countersign/core/channel"
import { apiUrlProblem, callbackUrl, isVisible, publicUrlProblem, trimmed } from "@countersign/provider-http"
import { Redacted, Result } from "effect"
import { createPrivateKey, type KeyObject } from "node:crypto"

/** The Vonage account: an application with its private key, or the account's API key and secret. */
export interface Options {
  /** The application's id, together with `privateKey`. */
  readonly applicationId?: string | undefined
  /** The application's private key, in PEM. It is never sent: it signs a token for each request. */
  readonly privateKey?: Redacted.Redacted | undefined
  /** The account's API key, together with `apiSecret`, instead of an application. */
  readonly apiKey?: string | undefined
  readonly apiSecret?: Redacted.Redacted | undefined
  /** The sender: a number, with or without `+`, or a name of up to 11 letters and digits. */
  readonly from: string
  /** In India: your DLT entity id, 19 digits. */
  readonly entityId?: string | undefined
  /** The account's signature secret, which verifies Vonage's reports. Without it there are no receipts. */
  readonly signatureSecret?: Redacted.Redacted | undefined
  /** The service's public URL, for receipts. */
  readonly publicUrl?: string | undefined
  readonly apiUrl?: string | undefined
  /** The most messages per second, in each process. */
  readonly perSecond?: number | undefined
}

/** The credentials of requests. */
export type Credentials =
  | { readonly _tag: "Application"; readonly id: string; readonly key: KeyObject }
  | { readonly _tag: "Account"; readonly apiKey: string; readonly apiSecret: Redacted.Redacted }

/** Validated options with all defaults. */
export interface Account {
  readonly credentials: Credentials
  readonly from: string
  readonly entityId: string | null
  /** Null without receipts. */
  readonly receipts: { readonly url: string; readonly secret: Redacted.Redacted } | null
  /** Without a trailing slash. */
  readonly apiUrl: string
  readonly perSecond: number | null
}

export const defaultApiUrl = "https://api.nexmo.com"

/** The adapter's name in errors and callbacks. */
export const provider = "vonage"

const isUuid = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

/** Parses an RSA key, the only kind that Vonage accepts. Null for anything else. Environment variables often contain `\n`. */
const keyOf = (pem: Redacted.Redacted): KeyObject | null => {
  try {
    const key = createPrivateKey(Redacted.value(pem).replaceAll("\\n", "\n"))
    return key.asymmetricKeyType === "rsa" ? key : null
  } catch {
    return null
  }
}

const rules: OptionRules<Options> = {
  applicationId: ({ apiKey, applicationId, privateKey }) => {
    if (applicationId === undefined) {
      if (privateKey !== undefined) return "is missing: a private key needs its application id"
      return apiKey === undefined ? "is missing: set an application and its private key, or an API key" : null
    }
    if (apiKey !== undefined) return "cannot be combined with an API key: set one of them"
    return isUuid(applicationId) ? null : "must be an application id, such as aaaaaaaa-bbbb-cccc-dddd-0123456789ab"
  },
  privateKey: ({ applicationId, privateKey }) => {
    if (privateKey === undefined)
      return applicationId === undefined ? null : "is missing: an application needs its private key"
    return keyOf(privateKey) === null ? "must be the application's private key, an RSA key in PEM" : null
  },
  apiKey: ({ apiKey, apiSecret }) => {
    if (apiKey === undefined) return apiSecret === undefined ? null : "is missing: an API secret needs its API key"
    return /^[A-Za-z0-9]{6,32}$/.test(apiKey) ? null : "must consist of letters and digits"
  },
  apiSecret: ({ apiKey, apiSecret }) => {
    if (apiSecret === undefined) return apiKey === undefined ? null : "is missing: an API key needs its API secret"
    return isVisible(apiSecret) ? null : "must be visible ASCII without spaces"
  },
  from: ({ from }) =>
    /^(\+?\d{3,15}|(?=.*[A-Za-z])[A-Za-z0-9 ]{1,11})$/.test(from)
      ? null
      : "must be a number or a name of up to 11 letters and digits",
  entityId: ({ entityId }) =>
    entityId === undefined || /^\d{15,20}$/.test(entityId) ? null : "must be your DLT entity id, 15 to 20 digits",
  signatureSecret: ({ signatureSecret }) =>
    signatureSecret === undefined || Redacted.value(signatureSecret).length >= 16
      ? null
      : "must be at least 16 characters, as Vonage generates it",
  publicUrl: ({ publicUrl }) => publicUrlProblem(publicUrl),
  apiUrl: ({ apiUrl }) => apiUrlProblem(apiUrl),
  perSecond: ({ perSecond }) =>
    perSecond === undefined || (perSecond > 0 && Number.isFinite(perSecond)) ? null : "must be greater than 0"
}

/** The options are already validated, so one pair is complete. */
const credentialsOf = ({ apiKey, apiSecret, applicationId, privateKey }: Options): Credentials => {
  const key = privateKey === undefined ? null : keyOf(privateKey)
  return applicationId !== undefined && key !== null
    ? { _tag: "Application", id: applicationId, key }
    : { _tag: "Account", apiKey: apiKey ?? "", apiSecret: apiSecret ?? Redacted.make("") }
}

const accountOf = (options: Options): Account => {
  const { apiUrl, entityId, from, perSecond, publicUrl, signatureSecret } = options
  const url = callbackUrl(publicUrl, provider)
  return {
    credentials: credentialsOf(options),
    from: from.replace(/^\+/, ""),
    entityId: entityId ?? null,
    receipts: url === null || signatureSecret === undefined ? null : { url, secret: signatureSecret },
    apiUrl: trimmed(apiUrl ?? defaultApiUrl),
    perSecond: perSecond ?? null
  }
}

/** Validates all options, so that a mistake fails the start and never a request. */
export const check = (options: Options): Result.Result<Account, InvalidOptions> =>
  Result.map(checkOptions(provider, options, rules), accountOf)
