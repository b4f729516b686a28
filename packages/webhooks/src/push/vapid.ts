import type { PushRequest } from "@countersign/core"
import { toBase64Url } from "./base64Url.ts"

/** How long a push service accepts the header. RFC 8292 allows 24 hours; clocks may differ. */
const lifeSeconds = 12 * 60 * 60

const encoder = new TextEncoder()
const part = (value: object) => toBase64Url(encoder.encode(JSON.stringify(value)))

/** The `Authorization` header that names the sender to a push service (RFC 8292). */
export const authorization = async (
  { endpoint, key, subject }: Pick<PushRequest, "endpoint" | "key" | "subject">,
  now: number
): Promise<string> => {
  const claims = {
    aud: new URL(endpoint).origin,
    exp: Math.floor(now / 1000) + lifeSeconds,
    ...(subject === null ? {} : { sub: subject })
  }
  const signed = `${part({ typ: "JWT", alg: "ES256" })}.${part(claims)}`
  const signature = await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, key.privateKey, encoder.encode(signed))
  return `vapid t=${signed}.${toBase64Url(new Uint8Array(signature))}, k=${key.point}`
}
