import { fromBase64, fromHex } from "./base64.ts"
import { isWebhookEvent, type WebhookEvent } from "./WebhookEvent.ts"
import { type WebhookErrorCode, WebhookVerificationError } from "./WebhookVerificationError.ts"

/** `Headers`, or a plain record such as Node's `request.headers`, in upper or lower case. */
export type WebhookHeaders =
  | { readonly get: (name: string) => string | null }
  | { readonly [name: string]: string | ReadonlyArray<string> | undefined }

export interface VerifyWebhookInput {
  /** The body as it came over the wire, before any parser. */
  readonly body: string | Uint8Array | ArrayBuffer
  readonly headers: WebhookHeaders
  /** `whsec_…`. During a rotation both, the old and the new. */
  readonly secret: string | ReadonlyArray<string>
  /** How old a webhook may be. Default 300 seconds. */
  readonly toleranceSeconds?: number | undefined
  /**
   * Believes a webhook that comes with `X-Service-Signature` alone, which signs no time: whoever has seen one webhook of
   * yours can then send it again years later, without its other headers. Only for a receiver whose proxy takes those
   * off, and that refuses every `id` it has handled before. Default false.
   */
  readonly dangerouslyAcceptWithoutTimestamp?: boolean | undefined
}

/** A service has two secrets during a rotation, and a sender may add a few. More is somebody wasting our time. */
const mostSignatures = 20

const utf8 = new TextEncoder()

const refuse = (errorCode: WebhookErrorCode, message: string): never => {
  throw new WebhookVerificationError(errorCode, message)
}

const isHeaders = (headers: WebhookHeaders): headers is { readonly get: (name: string) => string | null } =>
  typeof headers["get"] === "function"

const headerOf = (headers: WebhookHeaders, name: string): string | undefined => {
  if (isHeaders(headers)) return headers.get(name) ?? undefined
  const values = Object.entries(headers)
    .filter(([key]) => key.toLowerCase() === name)
    .flatMap(([, value]) => value ?? [])
  return values.length === 0 ? undefined : values.join(" ")
}

const bytesOf = (body: string | Uint8Array | ArrayBuffer): Uint8Array<ArrayBuffer> => {
  if (typeof body === "string") return utf8.encode(body)
  if (body instanceof Uint8Array || body instanceof ArrayBuffer) return new Uint8Array(body)
  return refuse("BODY_NOT_RAW", "The body was parsed already: pass it as text or bytes, exactly as it came")
}

/** In constant time, which is why it is not a comparison of our own. */
const isSigned = async (
  key: Uint8Array<ArrayBuffer>,
  signature: Uint8Array<ArrayBuffer>,
  text: Uint8Array<ArrayBuffer>
) => {
  const algorithm = { name: "HMAC", hash: "SHA-256" }
  const imported = await crypto.subtle.importKey("raw", key, algorithm, false, ["verify"])
  return crypto.subtle.verify("HMAC", imported, signature, text)
}

const anySigned = async (
  keys: ReadonlyArray<Uint8Array<ArrayBuffer>>,
  signatures: ReadonlyArray<Uint8Array<ArrayBuffer>>,
  text: Uint8Array<ArrayBuffer>
) => {
  for (const key of keys) for (const signature of signatures) if (await isSigned(key, signature, text)) return
  refuse("WRONG_SIGNATURE", "No secret of yours signed this webhook: check the secret, and that the body is as it came")
}

const prefix = "whsec_"

const keyIn = (secret: string) =>
  (secret.startsWith(prefix) ? fromBase64(secret.slice(prefix.length)) : undefined) ??
  refuse("INVALID_SECRET", "The secret is not one of Countersign: pass it whole, from whsec_ on")

/**
 * Checks that a webhook comes from the service and is not old, and returns its event. Rejects with
 * `WebhookVerificationError` otherwise: then answer 400 and believe nothing.
 *
 * It checks the headers of Standard Webhooks, which sign the time; one signature of several must be right. An event may
 * come more than once: remember the `id` of those you have handled.
 *
 * @example
 * ```ts
 * import { verifyWebhook } from "@countersign/sdk/server"
 *
 * export const onWebhook = async (request: Request, secret: string) => {
 *   const event = await verifyWebhook({ body: await request.text(), headers: request.headers, secret })
 *   if (event.type === "otp.verified") console.log(event.data.requestId, event.data.method)
 *   return new Response(null, { status: 204 })
 * }
 * ```
 */
export const verifyWebhook = async (input: VerifyWebhookInput): Promise<WebhookEvent> => {
  const { headers, secret, toleranceSeconds = 300 } = input
  const body = bytesOf(input.body)
  const secrets = typeof secret === "string" ? [secret] : secret
  if (secrets.length === 0) return refuse("INVALID_SECRET", "There is no secret: pass the one that the service showed")
  const keys = secrets.map(keyIn)

  const id = headerOf(headers, "webhook-id")
  const timestamp = headerOf(headers, "webhook-timestamp")
  const signatures = headerOf(headers, "webhook-signature")
  const legacy = headerOf(headers, "x-service-signature")
  if (id !== undefined || timestamp !== undefined || signatures !== undefined) {
    if (id === undefined || timestamp === undefined || signatures === undefined)
      return refuse(
        "SIGNATURE_MISSING",
        "webhook-id, webhook-timestamp and webhook-signature belong together: pass all"
      )
    const age = Math.abs(Date.now() / 1000 - Number(timestamp))
    if (!/^\d{1,12}$/.test(timestamp) || age > toleranceSeconds)
      return refuse(
        "WRONG_TIME",
        `This webhook is not from the last ${toleranceSeconds} seconds: check this machine's clock`
      )
    const head = utf8.encode(`${id}.${timestamp}.`)
    const signed = new Uint8Array(head.length + body.length)
    signed.set(head)
    signed.set(body, head.length)
    const ours = signatures.split(" ", mostSignatures).flatMap((each) => {
      const [version, value = ""] = each.split(",")
      return version === "v1" ? (fromBase64(value) ?? []) : []
    })
    await anySigned(keys, ours, signed)
  } else if (legacy !== undefined && input.dangerouslyAcceptWithoutTimestamp === true) {
    const signature = fromHex(legacy)
    const wholes = secrets.map((each) => utf8.encode(each))
    await anySigned(wholes, signature === undefined ? [] : [signature], body)
  } else if (legacy !== undefined) {
    return refuse(
      "SIGNATURE_MISSING",
      "This webhook comes without webhook-id, webhook-timestamp and webhook-signature, so that it may be an old one sent again: pass all headers of the request, and see that no proxy takes them off"
    )
  } else {
    return refuse("SIGNATURE_MISSING", "This webhook is not signed: pass all headers of the request")
  }

  try {
    const event: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body))
    if (isWebhookEvent(event)) return event
  } catch {
    // falls through to the same answer
  }
  return refuse("NOT_AN_EVENT", "This webhook is signed but holds no event: its sender is not a Countersign")
}
