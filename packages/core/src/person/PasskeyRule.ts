import { Context, Effect, Layer } from "effect"
import { LinkAddress } from "../delivery/LinkAddress.ts"
import { InvalidField } from "../identity/InvalidField.ts"
import { LeadStore } from "../lead/LeadStore.ts"
import { atLeast } from "../merchant/Role.ts"
import type { Actor } from "../outbox/AuditEntry.ts"
import type { StoreError } from "../storage/StoreError.ts"
import { isActive } from "./Agent.ts"
import { opens } from "./Passkey.ts"
import { PasskeyStore } from "./PasskeyStore.ts"
import { SignInMeans } from "./SignInMeans.ts"

const refused = (problem: string) => new InvalidField({ field: "requirePasskey", problem })

/** Whether passkeys can become the rule at a merchant without locking everybody out who arranges it. */
export class PasskeyRule extends Context.Service<
  PasskeyRule,
  {
    readonly check: (merchantId: string, by: Actor) => Effect.Effect<void, InvalidField | StoreError>
  }
>()("@countersign/core/person/PasskeyRule") {
  /** Where nothing is known of passkeys: commands of the operator, and callers that never turn the rule on. */
  static readonly layerNone: Layer.Layer<PasskeyRule> = Layer.succeed(
    PasskeyRule,
    PasskeyRule.of({ check: () => Effect.fail(refused("cannot be turned on here: sign in to the dashboard")) })
  )

  static readonly layer: Layer.Layer<PasskeyRule, never, LeadStore | LinkAddress | PasskeyStore | SignInMeans> =
    Layer.effect(
      PasskeyRule,
      Effect.gen(function* () {
        const { dashboard } = yield* LinkAddress
        const { passkeys: verifier } = yield* SignInMeans
        const passkeys = yield* PasskeyStore
        const staff = yield* LeadStore

        const check = Effect.fnUntraced(function* (merchantId: string, { kind }: Actor) {
          if (verifier === null || dashboard === null) {
            return yield* refused("needs passkeys, which this service does not take: set its public URL (PUBLIC_URL)")
          }
          // What the service is configured with at its first start comes before anybody can have one.
          if (kind === "SYSTEM") return
          const { agents } = yield* staff.staff(merchantId)
          for (const agent of agents.filter((each) => isActive(each) && atLeast(each.role, "ADMIN"))) {
            const known = yield* passkeys.list(agent.canonical)
            if (known.some((passkey) => opens(passkey, agent) !== null)) return
          }
          return yield* refused("would leave nobody who may change anything: an OWNER or ADMIN adds a passkey first")
        })
        return PasskeyRule.of({ check })
      })
    )
}
