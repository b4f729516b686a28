import { bytesToHex } from "@noble/hashes/utils.js"
import { Result } from "effect"
import * as Problem from "../../foundation/identity/Problem.ts"
import { macUnder } from "../../foundation/secret/Mac.ts"
import * as SecretHash from "../../foundation/secret/SecretHash.ts"
import { type Instant, seconds } from "../../foundation/time/Instant.ts"
import {
  type HookRequest,
  type SignatureFault,
  type SignatureScheme,
  type Signer,
  signatureTolerance
} from "./HookRequest.ts"

const encoder = new TextEncoder()

const toBase64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes))
const fromBase64 = (text: string) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0))

const signerUnder = (key: Uint8Array, write: (mac: Uint8Array) => string): Signer => {
  const mac = macUnder(key)
  return (head, body) => write(mac(head, body))
}

/** More signatures than a rotation on both sides needs. The rest of the header is not read. */
const mostSignatures = 16

/** Compares every expected signature with every given one, so the time says nothing about either. */
const matches = (expected: ReadonlyArray<string>, given: ReadonlyArray<string>): boolean => {
  let found = false
  for (const one of expected) for (const other of given) found = SecretHash.equals(one, other) || found
  return found
}

/** Whether a signature of this time may still be accepted. */
const isCurrent = (timestamp: string, now: Instant): boolean =>
  /^[0-9]{1,12}$/.test(timestamp) && Math.abs(now - seconds(Number(timestamp))) <= signatureTolerance

/**
 * The fault of a signature over `head` and the body. The signature is compared even when its time is over, so that the
 * answer takes the same time.
 */
const faultOf = (
  { body }: HookRequest,
  {
    given,
    head,
    timestamp
  }: { readonly timestamp: string; readonly head: string; readonly given: ReadonlyArray<string> },
  signers: ReadonlyArray<Signer>,
  now: Instant
): SignatureFault | null => {
  const isSigned = matches(
    signers.map((sign) => sign(head, body)),
    given
  )
  return !isCurrent(timestamp, now) ? "OLD" : isSigned ? null : "WRONG"
}

/** Sign-in systems and libraries differ in the prefixes that they write. The key is what follows them. */
const standardSecret = /^(?:v1,)?(?:whsec_)?([A-Za-z0-9+/]{32,88}={0,2})$/

/** The bytes of a Standard Webhooks secret; null for another text. */
const standardKey = (secret: string): Uint8Array | null => {
  const [, text = null] = standardSecret.exec(secret) ?? []
  if (text === null) return null
  return Result.getOrNull(Result.try(() => fromBase64(text)))
}

/**
 * A dot would let a signature be read in two ways, because the signed text joins id, time and body by dots: a part of
 * the body could be passed off as an id.
 */
const webhookId = /^[A-Za-z0-9_:-]{1,128}$/

/** The id of a Standard Webhooks request, which its signature covers. */
export const webhookIdOf = ({ header }: HookRequest): string => header("webhook-id") ?? ""

/**
 * Standard Webhooks: `v1,` and base64 of HMAC-SHA256 over id, time and body. Supabase joins several signatures by a
 * comma and a blank, the standard by a blank. Other versions than `v1`, such as the asymmetric `v1a`, are not read.
 */
export const standard = (prefix: "v1,whsec_" | "whsec_"): SignatureScheme => ({
  signerOf: (secret) => {
    const key = standardKey(secret)
    return key === null ? null : signerUnder(key, (mac) => `v1,${toBase64(mac)}`)
  },
  faultOf: (request, signers, now) => {
    const id = webhookIdOf(request)
    const timestamp = request.header("webhook-timestamp") ?? ""
    const given = (request.header("webhook-signature") ?? "").split(/,? +/, mostSignatures)
    if (!webhookId.test(id) || timestamp === "" || given[0] === "") return "MISSING"
    return faultOf(request, { timestamp, head: `${id}.${timestamp}.`, given }, signers, now)
  },
  makeSecret: (bytes) => `${prefix}${toBase64(bytes)}`,
  checkSecret: (text) =>
    standardKey(text) === null
      ? Result.fail(Problem.of("STANDARD_SECRET"))
      : Result.succeed(`${prefix}${text.replace(/^(v1,)?(whsec_)?/, "")}`)
})

const shortestKey = 16
const longestKey = 256

const checkKey = (text: string): Result.Result<string, Problem.Problem> =>
  text.length >= shortestKey && text.length <= longestKey && /^[\x21-\x7e]+$/.test(text)
    ? Result.succeed(text)
    : Result.fail(Problem.of("SHARED_SECRET", { min: shortestKey, max: longestKey }))

/** The prefix tells what the text is, where it was pasted by mistake. */
const makeKey = (bytes: Uint8Array) =>
  `hook_${toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`

const zitadelParts = /^(t|v1)=([0-9a-f]{1,64})$/

/** Zitadel: `t=<seconds>,v1=<hex>`, with HMAC-SHA256 over time and body. A rotation repeats `v1`. */
export const zitadel: SignatureScheme = {
  signerOf: (secret) => signerUnder(encoder.encode(secret), bytesToHex),
  faultOf: (request, signers, now) => {
    const parts = (request.header("zitadel-signature") ?? "").split(/, */, mostSignatures).map((part) => {
      const [, name = "", value = ""] = zitadelParts.exec(part) ?? []
      return { name, value }
    })
    const times = parts.filter(({ name }) => name === "t")
    const given = parts.flatMap(({ name, value }) => (name === "v1" ? [value] : []))
    if (times.length !== 1 || given.length === 0) return "MISSING"
    const timestamp = times[0]!.value
    return faultOf(request, { timestamp, head: `${timestamp}.`, given }, signers, now)
  },
  makeSecret: makeKey,
  checkSecret: checkKey
}

/** A shared secret in the `Authorization` header, for systems that sign nothing. */
export const bearer: SignatureScheme = {
  // Hashes have one length, so the time of the comparison says nothing about the length of a secret.
  signerOf: (secret) => {
    const hash = SecretHash.hash(secret)
    return () => hash
  },
  faultOf: ({ body, header }, signers) => {
    const [, given = null] = /^Bearer +([\x21-\x7e]+) *$/i.exec(header("authorization") ?? "") ?? []
    if (given === null) return "MISSING"
    const expected = signers.map((sign) => sign("", body))
    return matches(expected, [SecretHash.hash(given)]) ? null : "WRONG"
  },
  makeSecret: makeKey,
  checkSecret: checkKey
}
