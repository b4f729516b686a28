import { fromBase64, fromHex } from "./base64.ts"
import { isWebhookEvent, type WebhookEvent } from "./WebhookEvent.ts"
import { type WebhookErrorCode, WebhookVerificationError } from "./WebhookVerificationError.ts"

/** `Headers`, or a record such as Node's `request.headers`. Names are case-insensitive. */
export type WebhookHeaders =
  | { readonly get: (name: string) => string | null }
  | { readonly [name: string]: string | ReadonlyArray<string> | undefined }

export interface VerifyWebhookInput {
  /** The raw body, before any parser. */
  readonly body: string | Uint8Array | ArrayBuffer
  readonly headers: WebhookHeaders
  /** `whsec_…`. During a rotation pass both the old and the new secret. */
  readonly secret: string | ReadonlyArray<string>
  /** How old a webhook may be. Default 300 seconds. */
  readonly toleranceSeconds?: number | undefined
  /**
   * Accepts a webhook with only `X-Service-Signature`, which does not sign the time. Anyone who has seen such a webhook can
   * replay it years later. Use it only if a proxy removes the other headers, and if you refuse every `id` that you have
   * already handled. Default false.
   */
  readonly dangerouslyAcceptWithoutTimestamp?: boolean | undefined
}

/** A rotation needs two signatures, and a sender may add a few. Refuse more, because checking them costs time. */
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
  return refuse("BODY_NOT_RAW", "The body was already parsed: pass the raw body as text or bytes")
}

/** Uses Web Crypto, because its comparison takes constant time. */
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
  refuse("WRONG_SIGNATURE", "None of your secrets signed this webhook: check the secret, and pass the body unchanged")
}

const prefix = "whsec_"

const keyIn = (secret: string) =>
  (secret.startsWith(prefix) ? fromBase64(secret.slice(prefix.length)) : undefined) ??
  refuse(
    "INVALID_SECRET",
    "The secret is not a Countersign webhook secret: pass the whole secret, starting with whsec_"
  )

/**
 * Verifies that a webhook comes from the service and is recent, and returns its event. Otherwise rejects with
 * `WebhookVerificationError`: then answer 400 and do nothing.
 *
 * It checks the headers of Standard Webhooks, which sign the time. One valid signature is enough. An event may arrive more
 * than once: store the `id` of the events that you have handled.
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
  if (secrets.length === 0)
    return refuse("INVALID_SECRET", "There is no secret: pass the secret that the service returned")
  const keys = secrets.map(keyIn)

  const id = headerOf(headers, "webhook-id")
  const timestamp = headerOf(headers, "webhook-timestamp")
  const signatures = headerOf(headers, "webhook-signature")
  const legacy = headerOf(headers, "x-service-signature")
  if (id !== undefined || timestamp !== undefined || signatures !== undefined) {
    if (id === undefined || timestamp === undefined || signatures === undefined)
      return refuse(
        "SIGNATURE_MISSING",
        "webhook-id, webhook-timestamp and webhook-signature belong together: pass all three"
      )
    const age = Math.abs(Date.now() / 1000 - Number(timestamp))
    if (!/^\d{1,12}$/.test(timestamp) || age > toleranceSeconds)
      return refuse(
        "WRONG_TIME",
        `This webhook is older than ${toleranceSeconds} seconds or from the future: check this machine's clock`
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
      "webhook-id, webhook-timestamp and webhook-signature are missing, so the webhook may be a replay: pass all headers of the request, and check that no proxy removes them"
    )
  } else {
    return refuse("SIGNATURE_MISSING", "This webhook has no signature: pass all headers of the request")
  }

  try {
    const event: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body))
    if (isWebhookEvent(event)) return event
  } catch {
    // falls through to the same answer
  }
  return refuse("NOT_AN_EVENT", "This webhook is signed but is not an event of Countersign: check its sender")
}
