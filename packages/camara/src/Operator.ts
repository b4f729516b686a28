import type { OptionRules } from "@countersign/core/channel"
import { apiUrlProblem, trimmed } from "@countersign/provider-http"
import { Redacted } from "effect"
import { createPrivateKey, type KeyObject } from "node:crypto"

/**
 * One mobile operator, or an aggregator of several: its addresses, and your application there. Operators have no common
 * address, so each of them has options of its own.
 */
export interface OperatorOptions {
  /** The name in a table of providers and in metrics. Default: `camara`. */
  readonly name?: string | undefined
  /** The first digits of the operator's numbers, without `+`. Default: every number. */
  readonly prefixes?: ReadonlyArray<string> | undefined
  /** The root of its APIs, without the API's name: `https://api.operator.example`. */
  readonly apiUrl: string
  /** Its token endpoint. */
  readonly tokenUrl: string
  /** Your application's client id. */
  readonly clientId: string
  /** The private key of your application, in PEM: RSA of at least 2048 bits, or P-256. It signs and is never sent. */
  readonly privateKey: Redacted.Redacted
  /** The key's id (`kid`) at the operator. */
  readonly keyId?: string | undefined
  /** The audience of client assertions. Default: `tokenUrl`. */
  readonly audience?: string | undefined
  /** The declared purpose, such as `dpv:FraudPreventionAndDetection`. Added to the scope of every token. */
  readonly purpose?: string | undefined
}

/** Validated options with all defaults. */
export interface Operator {
  readonly name: string
  readonly prefixes: ReadonlyArray<string> | undefined
  /** Without a trailing slash. */
  readonly apiUrl: string
  readonly tokenUrl: string
  readonly clientId: string
  readonly key: KeyObject
  readonly algorithm: "ES256" | "RS256"
  readonly keyId: string | undefined
  readonly audience: string
  readonly purpose: string | undefined
}

/** The adapter's name in errors. */
export const provider = "camara"

/** The algorithm of a key; null when CAMARA has none for it. */
const algorithmOf = ({ asymmetricKeyDetails, asymmetricKeyType }: KeyObject): Operator["algorithm"] | null => {
  if (asymmetricKeyType === "rsa" && (asymmetricKeyDetails?.modulusLength ?? 0) >= 2048) return "RS256"
  return asymmetricKeyType === "ec" && asymmetricKeyDetails?.namedCurve === "prime256v1" ? "ES256" : null
}

/** Parses a key. Null when it is not usable. Environment variables often contain `\n`. */
const keyOf = (pem: Redacted.Redacted): { key: KeyObject; algorithm: Operator["algorithm"] } | null => {
  try {
    const key = createPrivateKey(Redacted.value(pem).replaceAll("\\n", "\n"))
    const algorithm = algorithmOf(key)
    return algorithm === null ? null : { key, algorithm }
  } catch {
    return null
  }
}

const isWord = (text: string) => /^[\x21\x23-\x5b\x5d-\x7e]{1,256}$/.test(text)

/** The rules of an operator's options, for every adapter in this package. */
export const operatorRules: OptionRules<OperatorOptions> = {
  name: ({ name }) =>
    name === undefined || /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)
      ? null
      : "must be letters, digits and . _ -, at most 64",
  prefixes: ({ prefixes }) =>
    prefixes === undefined || (prefixes.length > 0 && prefixes.every((prefix) => /^[1-9]\d{0,14}$/.test(prefix)))
      ? null
      : "must be a list of first digits, without +",
  // Must be encrypted: requests contain numbers and tokens, and an attacker in between could report any fact.
  apiUrl: ({ apiUrl }) => apiUrlProblem(apiUrl),
  tokenUrl: ({ tokenUrl }) => apiUrlProblem(tokenUrl),
  clientId: ({ clientId }) => (isWord(clientId) ? null : "must be your application's client id, without spaces"),
  privateKey: ({ privateKey }) =>
    keyOf(privateKey) === null ? "must be a private key in PEM: RSA of at least 2048 bits, or P-256" : null,
  keyId: ({ keyId }) => (keyId === undefined || isWord(keyId) ? null : "must be the key's id, without spaces"),
  audience: ({ audience }) =>
    audience === undefined || isWord(audience) ? null : "must be the token endpoint's name, without spaces",
  purpose: ({ purpose }) =>
    purpose === undefined || /^dpv:[A-Za-z]{1,100}$/.test(purpose)
      ? null
      : "must look like dpv:FraudPreventionAndDetection"
}

/** Applies the defaults to options that `operatorRules` accepted. */
export const operatorOf = (options: OperatorOptions): Operator => {
  const { apiUrl, audience, clientId, keyId, name, prefixes, privateKey, purpose, tokenUrl } = options
  const parsed = keyOf(privateKey)
  if (parsed === null) throw new Error("the options were not checked")
  return {
    name: name ?? provider,
    prefixes,
    apiUrl: trimmed(apiUrl),
    tokenUrl,
    clientId,
    ...parsed,
    keyId,
    audience: audience ?? tokenUrl,
    purpose
  }
}
