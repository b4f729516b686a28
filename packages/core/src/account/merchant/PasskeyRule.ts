import { Context, Effect, Layer } from "effect"
import { type InvalidField, invalidField } from "../../foundation/identity/InvalidField.ts"
import * as Problem from "../../foundation/identity/Problem.ts"
import type { Actor } from "../../foundation/outbox/AuditEntry.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"

/** Why `requirePasskey` cannot be turned on. */
export const ruleRefused = (problem: Problem.Problem) => invalidField("requirePasskey", problem)

/** Whether passkeys can become required at a merchant without locking out everyone who manages it. */
export class PasskeyRule extends Context.Service<
  PasskeyRule,
  {
    readonly check: (merchantId: string, by: Actor) => Effect.Effect<void, InvalidField | StoreError>
  }
>()("@countersign/core/merchant/PasskeyRule") {
  /** For callers without passkey data: operator commands, and callers that never turn the rule on. */
  static readonly layerNone: Layer.Layer<PasskeyRule> = Layer.succeed(
    PasskeyRule,
    PasskeyRule.of({ check: () => Effect.fail(ruleRefused(Problem.of("PASSKEY_RULE_ELSEWHERE"))) })
  )
}
