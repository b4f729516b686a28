import { Context, type Effect, Layer, Schema } from "effect"

/** A captcha's provider could not be asked. */
export class CaptchaUnavailable extends Schema.TaggedError<CaptchaUnavailable>()("CaptchaUnavailable", {
  /** For the operator's log: a code, never part of an answer's text. */
  why: Schema.String
}) {}

/**
 * Asks a captcha's provider about the token that its widget gave an app. False: the captcha was not solved. A failure
 * means that the provider could not be asked; the app then gets a proof of work.
 */
export type CheckCaptcha = (
  token: string,
  about: {
    /** The address that the app's request came from. Null when it is unknown. */
    readonly clientIp: string | null
  }
) => Effect.Effect<boolean, unknown>

/** The captcha that challenges ask for. Null: they ask for a proof of work. */
export class CaptchaCheck extends Context.Service<CaptchaCheck, { readonly check: CheckCaptcha | null }>()(
  "@countersign/core/guard/CaptchaCheck"
) {
  static readonly layer = (check: CheckCaptcha | undefined): Layer.Layer<CaptchaCheck> =>
    Layer.succeed(CaptchaCheck, CaptchaCheck.of({ check: check ?? null }))
}
