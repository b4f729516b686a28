import { Effect, Layer } from "effect"
import { LinkAddress } from "../../foundation/delivery/LinkAddress.ts"
import { PasskeyRule, ruleRefused } from "../../account/merchant/PasskeyRule.ts"
import * as Problem from "../../foundation/identity/Problem.ts"
import { atLeast } from "../../account/merchant/Role.ts"
import type { Actor } from "../../foundation/outbox/AuditEntry.ts"
import { isActive } from "../../auth/staff/Agent.ts"
import { opens } from "../../auth/staff/Passkey.ts"
import { PasskeyStore } from "../../auth/staff/PasskeyStore.ts"
import { StaffStore } from "../../auth/staff/StaffStore.ts"
import { SignInMeans } from "../../auth/staff/SignInMeans.ts"

/** Decides from the passkeys that the server supports, and those of the merchant's owners and admins. */
export const passkeyRule: Layer.Layer<PasskeyRule, never, StaffStore | LinkAddress | PasskeyStore | SignInMeans> =
  Layer.effect(
    PasskeyRule,
    Effect.gen(function* () {
      const { dashboard } = yield* LinkAddress
      const { passkeys: verifier } = yield* SignInMeans
      const passkeys = yield* PasskeyStore
      const staff = yield* StaffStore

      const check = Effect.fnUntraced(function* (merchantId: string, { kind }: Actor) {
        if (verifier === null || dashboard === null) {
          return yield* ruleRefused(Problem.of("PASSKEY_RULE_ADDRESS"))
        }
        // The configuration of the first start applies before anyone can have a passkey.
        if (kind === "SYSTEM") return
        const { agents } = yield* staff.staff(merchantId)
        for (const agent of agents.filter((each) => isActive(each) && atLeast(each.role, "ADMIN"))) {
          const known = yield* passkeys.list(agent.canonical)
          if (known.some((passkey) => opens(passkey, agent) !== null)) return
        }
        return yield* ruleRefused(Problem.of("PASSKEY_RULE_LOCKOUT"))
      })
      return PasskeyRule.of({ check })
    })
  )
