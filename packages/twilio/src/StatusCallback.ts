import { type Callback, CallbackRefused, type CallbackRequest, type Receipt } from "@countersign/core/channel"
import { received } from "@countersign/provider-http"
import { Effect, type Redacted } from "effect"
import { aboutCode } from "./ErrorTable.ts"
import { callbackName } from "./Options.ts"
import { type Fields, hasHash, isSigned } from "./signature.ts"

/** Other statuses are ignored, because the message is still on its way. */
const statuses: ReadonlyMap<string, Receipt["status"]> = new Map([
  ["sent", "SENT"],
  ["delivered", "DELIVERED"],
  ["read", "READ"],
  ["failed", "FAILED"],
  ["undelivered", "FAILED"],
  ["canceled", "FAILED"]
])

/** A Twilio report has about half a kilobyte. */
const largestBody = 64 * 1024

/** Makes Twilio retry reports when this service is unreachable. Twilio does not send the fragment. */
const retries = "#rc=5&rp=all"

/** The report URL for the message of a reference. */
export const urlFor = (callbackUrl: string, reference: string): string =>
  `${callbackUrl}?ref=${encodeURIComponent(reference)}${retries}`

const inForm = (body: string): Fields => {
  const fields = new Map<string, Array<string>>()
  for (const [name, value] of new URLSearchParams(body)) {
    const values = fields.get(name)
    if (values === undefined) fields.set(name, [value])
    else values.push(value)
  }
  return fields
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const inJson = (body: string): Fields => {
  const value = parsed(body)
  if (typeof value !== "object" || value === null) return new Map()
  return new Map(Object.entries(value).flatMap(([name, item]) => (typeof item === "string" ? [[name, [item]]] : [])))
}

const signatureHeader = "x-twilio-signature"
/** HMAC-SHA1 in base64. */
const signatureForm = /^[A-Za-z0-9+/]{27}=$/

const noFields: Fields = new Map()

/** The signed fields of a request; null when the signature is wrong. For JSON, Twilio signs a hash in the URL. */
const authentic = (authToken: Redacted.Redacted, { body, header, url }: CallbackRequest): Fields | null => {
  const signature = header(signatureHeader)
  if (signature === undefined || body.length > largestBody || !URL.canParse(url)) return null
  const text = Buffer.from(body).toString("utf8")
  const hash = new URL(url).searchParams.get("bodySHA256")
  if (hash !== null) {
    return isSigned(authToken, signature, url, noFields) && hasHash(body, hash) ? inJson(text) : null
  }
  const fields = inForm(text)
  return isSigned(authToken, signature, url, fields) ? fields : null
}

const receiptsOf = (url: string, fields: Fields): ReadonlyArray<Receipt> => {
  const field = (...names: ReadonlyArray<string>) =>
    names.map((name) => fields.get(name)?.[0]).find((value) => value !== undefined)
  const reference = new URL(url).searchParams.get("ref")
  const status = statuses.get(field("MessageStatus", "SmsStatus") ?? "")
  if (reference === null || status === undefined) return []
  const code = field("ErrorCode") ?? ""
  const providerCode = status === "FAILED" && /^[1-9]\d{0,5}$/.test(code) ? code : null
  const because = aboutCode(providerCode)
  const about = because === undefined ? {} : { because }
  return [{ reference, status, providerId: field("MessageSid", "SmsSid") ?? null, providerCode, ...about }]
}

/** Accepts Twilio's reports. The signature covers the URL that Twilio called and every field of the body. */
export const make = (authToken: Redacted.Redacted): Callback => ({
  name: callbackName,
  checkHeaders: (header) => signatureForm.test(header(signatureHeader) ?? ""),
  largestBody,
  receive: (request) =>
    Effect.suspend(() => {
      const fields = authentic(authToken, request)
      return fields === null
        ? Effect.fail(new CallbackRefused({ provider: callbackName }))
        : Effect.succeed(received(receiptsOf(request.url, fields)))
    })
})
