import { type Effect, Schema } from "effect"

/** The check passed: the provider appears ready to send. */
export interface ProviderChecked {
  /** The result in one line for the operator: `the account is active`. No secret and no phone number. */
  readonly detail: string
}

/** The check failed, or the provider gave no result. Both texts are one line and contain no secret. */
export class ProviderCheckFailed extends Schema.TaggedError<ProviderCheckFailed>()("ProviderCheckFailed", {
  /** The problem: `does not accept the account and its token`. */
  problem: Schema.String,
  /** The fix for the operator: `compare both with those in the console`. */
  advice: Schema.String
}) {
  override get message(): string {
    return `${this.problem}; ${this.advice}`
  }
}

/**
 * Checks whether a provider could send, without sending: credentials, the state of the account, required configuration.
 * It may take as long as the provider needs: the caller interrupts it after its own timeout.
 *
 * @example
 * ```ts
 * import { type ProviderCheck, ProviderCheckFailed } from "@countersign/core/channel"
 * import { Effect } from "effect"
 *
 * const check: ProviderCheck = Effect.tryPromise({
 *   try: (signal) => fetch("https://sms.example.com/account", { signal, redirect: "manual" }),
 *   catch: () => new ProviderCheckFailed({ problem: "cannot be reached", advice: "look at the way out of your network" })
 * }).pipe(
 *   Effect.flatMap(({ ok, status }) =>
 *     ok
 *       ? Effect.succeed({ detail: "the account is active" })
 *       : Effect.fail(new ProviderCheckFailed({ problem: `answers ${status}`, advice: "look at the key" }))
 *   )
 * )
 * ```
 */
export type ProviderCheck = Effect.Effect<ProviderChecked, ProviderCheckFailed>
