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

/** Whether these very bytes were signed: the token names their hash. */
const covers = (body: Uint8Array, hash: unknown): boolean => {
  if (typeof hash !== "string" || !/^[0-9a-fA-F]{64}$/.test(hash)) return false
  return timingSafeEqual(createHash("sha256").update(body).digest(), Buffer.from(hash, "hex"))
}

/**
 * Vonage's token, when its signature is right; null otherwise. Its age is not looked at: Vonage repeats a report for a
 * day, and an old one is harmless, because it can only say again what it said of this message.
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
  // Of what is signed: the address that was called is not.
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

/** Takes Vonage's reports, each with a token that is signed with the account's signature secret and names the body's hash. */
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
