import { createHmac, timingSafeEqual } from "node:crypto"

const same = (given, expected) => {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/**
 * Returns the event, or null if the signature is wrong or older than five minutes: then answer 400. `headers` are
 * Node's `request.headers`, `body` is the raw body, text or bytes.
 */
export const verifyWebhook = (secret, headers, body, now = Date.now() / 1000) => {
  const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures } = headers
  if (!id || !signatures || !/^\d{1,12}$/.test(timestamp ?? "") || Math.abs(now - Number(timestamp)) > 300) return null
  const key = Buffer.from(secret.slice("whsec_".length), "base64")
  const mac = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest("base64")
  return signatures.split(" ").some((signature) => same(signature, `v1,${mac}`)) ? JSON.parse(body) : null
}

/** The same with only the older header, which does not sign the time. */
export const verifyServiceSignature = (secret, headers, body) => {
  const mac = createHmac("sha256", secret).update(body).digest("hex")
  return same(headers["x-service-signature"] ?? "", mac) ? JSON.parse(body) : null
}
