import { type Callback, CallbackRefused, type Receipt } from "@countersign/core/channel"
import { field, received } from "@countersign/provider-http"
import { Effect, Redacted } from "effect"
import { compactVerify } from "jose"
import { createHash, timingSafeEqual } from "node:crypto"
import { aboutCode, codeOf } from "./errors.ts"
import { provider } from "./Options.ts"

const statuses: ReadonlyMap<unknown, Receipt["status"]> = new Map([
  ["submitted", "SENT"],
  ["delivered", "DELIVERED"],
  ["read", "READ"],
  ["rejected", "FAILED"],
  ["undeliverable", "FAILED"]
] as const)

const largestBody = 64 * 1024

const signature = "authorization"
const bearer = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/

const decoder = new TextDecoder()

const parsed = (body: Uint8Array): unknown => {
  try {
    return JSON.parse(decoder.decode(body))
  } catch {
    return null
  }
}

/** Whether the token contains the hash of the body. */
const covers = (body: Uint8Array, hash: unknown): boolean => {
  if (typeof hash !== "string" || !/^[0-9a-fA-F]{64}$/.test(hash)) return false
  return timingSafeEqual(createHash("sha256").update(body).digest(), Buffer.from(hash, "hex"))
}

/**
 * The claims of Vonage's token if its signature is valid; null otherwise. The age is not checked: Vonage repeats reports for
 * a day, and a replay is harmless, because it can only repeat the same status of the same message.
 */
const claimsOf = (secret: Redacted.Redacted, token: string): Effect.Effect<unknown> =>
  Effect.tryPromise({
    try: async (): Promise<unknown> => {
      const key = new TextEncoder().encode(Redacted.value(secret))
      const { payload } = await compactVerify(token, key, { algorithms: ["HS256"] })
      return parsed(payload)
    },
    catch: () => null
  }).pipe(Effect.orElseSucceed(() => null))

const receiptsOf = (report: unknown): ReadonlyArray<Receipt> => {
  const status = statuses.get(field(report, "status"))
  // Read the reference from the signed body, because the URL is not signed.
  const reference = field(report, "client_ref")
  if (status === undefined || typeof reference !== "string" || reference === "") return []
  const id = field(report, "message_uuid")
  const providerCode = status === "FAILED" ? codeOf(field(report, "error")) : null
  const because = aboutCode(providerCode)
  return [
    {
      reference,
      status,
      providerId: typeof id === "string" ? id : null,
      providerCode,
      ...(because === undefined ? {} : { because })
    }
  ]
}

const refused = Effect.suspend(() => Effect.fail(new CallbackRefused({ provider })))

/** Accepts Vonage's reports. Each has a token with the body's hash, signed with the account's signature secret. */
export const make = (secret: Redacted.Redacted): Callback => ({
  name: provider,
  checkHeaders: (header) => bearer.test(header(signature) ?? ""),
  largestBody,
  receive: ({ body, header, method }) =>
    Effect.suspend(() => {
      const token = bearer.exec(header(signature) ?? "")?.[1]
      if (method !== "POST" || token === undefined || body.length > largestBody) return refused
      return Effect.flatMap(claimsOf(secret, token), (claims) =>
        covers(body, field(claims, "payload_hash")) ? Effect.succeed(received(receiptsOf(parsed(body)))) : refused
      )
    })
})
