import { type Effect, Schema } from "effect"

/** The provider was asked and would work, as far as asking tells. */
export interface ProviderChecked {
  /** What was found, in one line for the operator: `the account is active`. No secret, and nobody's number. */
  readonly detail: string
}

/** The provider would not work, or does not say. Both texts are one line each, and hold no secret. */
export class ProviderCheckFailed extends Schema.TaggedError<ProviderCheckFailed>()("ProviderCheckFailed", {
  /** What is wrong: `does not accept the account and its token`. */
  problem: Schema.String,
  /** What the operator can do: `compare both with those in the console`. */
  advice: Schema.String
}) {
  override get message(): string {
    return `${this.problem}; ${this.advice}`
  }
}

/**
 * Asks a provider whether it would work, and sends nothing: credentials, the account's state, what it needs to have. It
 * may take as long as the provider needs; whoever asks gives up on it and interrupts.
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
