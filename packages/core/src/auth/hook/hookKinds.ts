import type { ReadBody, SignatureScheme } from "./HookRequest.ts"
import * as read from "./readBodies.ts"
import { bearer, standard, zitadel } from "./signatureSchemes.ts"

/** The sign-in systems whose codes this service sends, by the name in the address of their hook. */
export const HookKind = [
  "supabase-sms",
  "supabase-email",
  "zitadel-sms",
  "zitadel-email",
  "kratos",
  "auth0",
  "generic"
] as const
export type HookKind = (typeof HookKind)[number]

/** A failure as the HTTP API would answer it. */
export interface HookFailure {
  readonly status: number
  readonly message: string
  readonly retryAfterSeconds: number | null
}

/** The answer to a sign-in system. */
export interface HookAnswer {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

/** Everything that differs between the sign-in systems. */
export interface HookRules {
  readonly signed: SignatureScheme
  readonly read: ReadBody
  /** The answer to a signed request that failed, where the sign-in system has its own form. Null is the envelope of the HTTP API. */
  readonly refusal: ((failure: HookFailure) => HookAnswer) | null
}

const answer = (status: number, value: unknown, headers: HookAnswer["headers"] = {}): HookAnswer => ({
  status,
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(value)
})

/** Every system accepts it: the messages are taken, and will be sent. */
export const accepted: HookAnswer = answer(200, {})

/** Supabase repeats an answer only if it has this header. */
const shortestWait = 1

/** The message of these statuses is about the merchant. The person who signs in reads another one. */
const merchantsBusiness: ReadonlySet<number> = new Set([402, 403])

/**
 * Supabase shows a person the message of an error in a 200, with its status. Any other status becomes a 500, except 503,
 * which it repeats within its five seconds.
 */
const supabaseRefusal = ({ message, retryAfterSeconds, status }: HookFailure): HookAnswer => {
  if (status >= 500) {
    return answer(503, {}, { "retry-after": String(Math.max(shortestWait, retryAfterSeconds ?? 0)) })
  }
  return answer(200, {
    error: {
      http_code: status === 429 ? 429 : 400,
      message: merchantsBusiness.has(status) ? "A code cannot be sent to this number or address." : message
    }
  })
}

/** One row for each sign-in system. Nothing else knows a kind by its name. */
export const hookKinds: { readonly [Kind in HookKind]: HookRules } = {
  "supabase-sms": { signed: standard("v1,whsec_"), read: read.supabaseSms, refusal: supabaseRefusal },
  "supabase-email": { signed: standard("v1,whsec_"), read: read.supabaseEmail, refusal: supabaseRefusal },
  "zitadel-sms": { signed: zitadel, read: read.zitadelSms, refusal: null },
  "zitadel-email": { signed: zitadel, read: read.zitadelEmail, refusal: null },
  kratos: { signed: bearer, read: read.kratos, refusal: null },
  auth0: { signed: standard("whsec_"), read: read.auth0, refusal: null },
  generic: { signed: standard("whsec_"), read: read.generic, refusal: null }
}

export const isHookKind = (text: string): text is HookKind => HookKind.some((kind) => kind === text)
