import { createHmac } from "node:crypto"
import type { HookKind } from "../../src/auth/hook/hookKinds.ts"
import type { HookRequest } from "../../src/auth/hook/HookRequest.ts"

/** The time at which all vectors were signed. */
export const signedAt = 1_795_000_000_000

export interface Vector {
  readonly kind: HookKind
  readonly secret: string
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

export const requestOf = ({ body, headers }: Pick<Vector, "body" | "headers">): HookRequest => ({
  header: (name) => headers[name],
  body: new TextEncoder().encode(body)
})

/** Signed by Supabase's and by Zitadel's own code, with invented secrets. */
export const supabase: Vector = {
  kind: "supabase-sms",
  secret: "v1,whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=",
  headers: {
    "webhook-id": "11111111-2222-4333-8444-555555555555",
    "webhook-timestamp": "1795000000",
    "webhook-signature": "v1,zHjGdghh/JEKxYEqrVigePRlzHJwmDtymJkJpwW0dFo="
  },
  body: '{"metadata":{"uuid":"11111111-2222-4333-8444-555555555555","time":"2026-11-23T21:00:00Z","name":"send-sms"},"user":{"id":"6481a5c1-3d37-4a56-9f6a-bee08c554965","phone":"+919812345678"},"sms":{"otp":"482913","phone":"+919812345678"}}'
}

export const zitadel: Vector = {
  kind: "zitadel-sms",
  secret: "zitadel_signing_key_0123",
  headers: {
    "zitadel-signature": "t=1795000000,v1=91cd694a41347bb729bf4f3c9f7ce1be866c75b0eef47a07f8e3cf94bc9f8203"
  },
  body: '{"contextInfo":{"eventType":"session.otp.sms.challenged","recipientPhoneNumber":"+919812345678"},"args":{"oTP":"48291377"}}'
}

export const kratos: Vector = {
  kind: "kratos",
  secret: "kratos-api-key-0123456789",
  headers: { authorization: "Bearer kratos-api-key-0123456789" },
  body: '{"to":"+919812345678","type":"login_code_valid","code":"482913"}'
}

const standardKey = (secret: string) => Buffer.from(secret.replace(/^.*whsec_/, ""), "base64")

/** Signs as Standard Webhooks do, with Node's own HMAC. */
export const standardHeaders = (secret: string, body: string, id = "msg_1", seconds = signedAt / 1000) => ({
  "webhook-id": id,
  "webhook-timestamp": String(seconds),
  "webhook-signature": `v1,${createHmac("sha256", standardKey(secret)).update(`${id}.${seconds}.${body}`).digest("base64")}`
})

export const zitadelHeaders = (secret: string, body: string, seconds = signedAt / 1000) => ({
  "zitadel-signature": `t=${seconds},v1=${createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex")}`
})
