import { CaptchaUnavailable, type CheckCaptcha } from "@countersign/core/channel"
import { Effect, Redacted } from "effect"
import { ask, field, json, type Reply } from "./ask.ts"

export interface SiteverifyOptions {
  /** The provider's address, such as `https://challenges.cloudflare.com/turnstile/v0/siteverify`. */
  readonly url: string
  readonly secret: Redacted.Redacted
}

/** Codes that say nothing about the person: the secret is wrong, or the provider has trouble. */
const isTrouble = (code: unknown): boolean => typeof code === "string" && /secret|internal-error/.test(code)

const unavailable = (why: string) => Effect.fail(new CaptchaUnavailable({ why }))

const judged = (reply: Reply): Effect.Effect<boolean, CaptchaUnavailable> => {
  if (reply._tag !== "Answered") return unavailable(reply.why)
  const answer = json(reply)
  const success = field(answer, "success")
  const codes = field(answer, "error-codes")
  if (Array.isArray(codes) && codes.some(isTrouble)) return unavailable("the provider does not accept the secret")
  // A refused token has status 200 or 400, depending on the provider.
  if (success === true && reply.status === 200) return Effect.succeed(true)
  return success === false && reply.status < 500 ? Effect.succeed(false) : unavailable(`http_${reply.status}`)
}

/**
 * Checks captchas by `siteverify`, whose format Turnstile, hCaptcha and reCAPTCHA share. Fails when the provider gives no
 * verdict on the person: it is unreachable, has trouble, or does not accept the secret.
 *
 * @example
 * ```ts
 * import { siteverify } from "@countersign/provider-http"
 * import { Redacted } from "effect"
 *
 * const checkCaptcha = siteverify({
 *   url: "https://api.hcaptcha.com/siteverify",
 *   secret: Redacted.make("0x…")
 * })
 * ```
 */
export const siteverify =
  ({ secret, url }: SiteverifyOptions): CheckCaptcha =>
  (token, { clientIp }) =>
    Effect.suspend(() =>
      ask({
        url,
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({
          secret: Redacted.value(secret),
          response: token,
          ...(clientIp === null ? {} : { remoteip: clientIp })
        }).toString()
      })
    ).pipe(Effect.flatMap(judged))
