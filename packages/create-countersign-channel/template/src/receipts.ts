import { type Callback, CallbackRefused, type Receipt } from "@countersign/core/channel"
import { field } from "@countersign/provider-http"
import { Effect, Redacted } from "effect"
import { createHmac, timingSafeEqual } from "node:crypto"

/** 6. The signature that the provider puts on a report. Here: HMAC-SHA256 of the raw body, sent as hex. */
export const sign = (secret: Redacted.Redacted, body: Uint8Array): Buffer =>
  createHmac("sha256", Redacted.value(secret)).update(body).digest()

/** 7. The provider's statuses, and the receipt status for each. Leave out statuses that say nothing about delivery. */
const statuses: ReadonlyMap<unknown, Receipt["status"]> = new Map([
  ["sent", "SENT"],
  ["delivered", "DELIVERED"],
  ["failed", "FAILED"]
] as const)

const parsed = (body: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return null
  }
}

const receiptsOf = (report: unknown): ReadonlyArray<Receipt> => {
  const status = statuses.get(field(report, "status"))
  const reference = field(report, "reference")
  const id = field(report, "id")
  if (status === undefined || typeof reference !== "string") return []
  return [{ reference, status, providerId: typeof id === "string" ? id : null, providerCode: null }]
}

/** Receives the provider's reports at `/v1/callbacks/{{provider}}`. Checks the signature before it reads a report. */
export const receipts = (secret: Redacted.Redacted): Callback => ({
  name: "{{provider}}",
  checkHeaders: (header) => /^[0-9a-f]{64}$/.test(header("x-{{provider}}-signature") ?? ""),
  receive: ({ body, header, method }) =>
    Effect.suspend(() => {
      const given = Buffer.from(header("x-{{provider}}-signature") ?? "", "hex")
      const right = sign(secret, body)
      if (method !== "POST" || given.length !== right.length || !timingSafeEqual(given, right)) {
        return Effect.fail(new CallbackRefused({ provider: "{{provider}}" }))
      }
      const found = receiptsOf(parsed(body))
      return Effect.succeed({ status: 200, contentType: "text/plain", body: "", receipts: found, inbound: [] })
    })
})
