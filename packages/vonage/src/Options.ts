import { checkOptions, type InvalidOptions, type OptionRules } from "@countersign/core/channel"
import { apiUrlProblem, callbackUrl, isVisible, publicUrlProblem, trimmed } from "@countersign/provider-http"
import { Redacted, Result } from "effect"
import { createPrivateKey, type KeyObject } from "node:crypto"

/** How to reach Vonage, and in whose name: as an application with its private key, or with the account's key and secret. */
export interface Options {
  /** The application's id, with `privateKey`. */
  readonly applicationId?: string | undefined
  /** The application's private key, in PEM. It never travels: it signs a token for each request. */
  readonly privateKey?: Redacted.Redacted | undefined
  /** The account's API key, with `apiSecret`, instead of an application. */
  readonly apiKey?: string | undefined
  readonly apiSecret?: Redacted.Redacted | undefined
  /** Who messages come from: a number, with or without `+`, or a name of up to 11 letters and digits. */
  readonly from: string
  /** In India: your entity's id of DLT, 19 digits. */
  readonly entityId?: string | undefined
  /** The account's signature secret, with which Vonage signs its reports. Without it there are no receipts. */
  readonly signatureSecret?: Redacted.Redacted | undefined
  /** Where Vonage reaches this service, for receipts. */
  readonly publicUrl?: string | undefined
  readonly apiUrl?: string | undefined
  /** How many messages may go out in a second, in each process. */
  readonly perSecond?: number | undefined
}

/** What proves who asks. */
export type Credentials =
  | { readonly _tag: "Application"; readonly id: string; readonly key: KeyObject }
  | { readonly _tag: "Account"; readonly apiKey: string; readonly apiSecret: Redacted.Redacted }

/** Options that were checked, with every default filled in. */
export interface Account {
  readonly credentials: Credentials
  readonly from: string
  readonly entityId: string | null
  /** Both, or there are no receipts. */
  readonly receipts: { readonly url: string; readonly secret: Redacted.Redacted } | null
  /** Without a slash at its end. */
  readonly apiUrl: string
  readonly perSecond: number | null
}

export const defaultApiUrl = "https://api.nexmo.com"

/** What errors and callbacks call this adapter. */
export const provider = "vonage"

const isUuid = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

/** Null when it is no RSA key: Vonage takes no other. A variable often has its line breaks as `\n`. */
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
      if (privateKey !== undefined) return "is missing: it goes with a private key"
      return apiKey === undefined ? "is missing: give an application and its private key, or an API key" : null
    }
    if (apiKey !== undefined) return "stands beside an API key: give either an application or an API key"
    return isUuid(applicationId)
      ? null
      : "must be the id of an application, such as aaaaaaaa-bbbb-cccc-dddd-0123456789ab"
  },
  privateKey: ({ applicationId, privateKey }) => {
    if (privateKey === undefined) return applicationId === undefined ? null : "is missing: it goes with the application"
    return keyOf(privateKey) === null ? "must be the application's private key, an RSA key in PEM" : null
  },
  apiKey: ({ apiKey, apiSecret }) => {
    if (apiKey === undefined) return apiSecret === undefined ? null : "is missing: it goes with the API secret"
    return /^[A-Za-z0-9]{6,32}$/.test(apiKey) ? null : "must be letters and digits"
  },
  apiSecret: ({ apiKey, apiSecret }) => {
    if (apiSecret === undefined) return apiKey === undefined ? null : "is missing: it goes with the API key"
    return isVisible(apiSecret) ? null : "must be visible ASCII without spaces"
  },
  from: ({ from }) =>
    /^(\+?\d{3,15}|(?=.*[A-Za-z])[A-Za-z0-9 ]{1,11})$/.test(from)
      ? null
      : "must be a number or a name of up to 11 letters and digits",
  entityId: ({ entityId }) =>
    entityId === undefined || /^\d{15,20}$/.test(entityId) ? null : "must be the id of your entity, in digits",
  signatureSecret: ({ signatureSecret }) =>
    signatureSecret === undefined || Redacted.value(signatureSecret).length >= 16
      ? null
      : "must be 16 characters or more, as Vonage makes it",
  publicUrl: ({ publicUrl }) => publicUrlProblem(publicUrl),
  apiUrl: ({ apiUrl }) => apiUrlProblem(apiUrl),
  perSecond: ({ perSecond }) =>
    perSecond === undefined || (perSecond > 0 && Number.isFinite(perSecond)) ? null : "must be greater than 0"
}

/** Both pairs were checked: the one that is there is whole. */
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

/** Checks everything before anything is sent, so that a mistake stops the start and never a request. */
export const check = (options: Options): Result.Result<Account, InvalidOptions> =>
  Result.map(checkOptions(provider, options, rules), accountOf)
