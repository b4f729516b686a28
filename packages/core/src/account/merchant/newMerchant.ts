import { Effect, Result } from "effect"
import { type InvalidField, invalidField } from "../../foundation/identity/InvalidField.ts"
import * as Problem from "../../foundation/identity/Problem.ts"
import * as RequestKey from "../../foundation/outbox/RequestKey.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { Credential, Environment, EnvironmentKind, Merchant } from "./Merchant.ts"
import type { MerchantStore } from "./MerchantStore.ts"

export const environmentKinds = ["live", "test"] as const

/** A valid merchant name, without surrounding space. */
export const checkMerchantName = (given: string): Result.Result<string, InvalidField> => {
  const name = given.trim()
  return name === "" || name.length > 60 || /[\p{Cc}\p{Cs}]/u.test(name)
    ? Result.fail(invalidField("name", Problem.of("LENGTH", { min: 1, max: 60 })))
    : Result.succeed(name)
}

/** A merchant with both environments, and the keys made for each. */
export const newMerchant = (
  name: string,
  now: Instant,
  keysFor: (environment: string, kind: EnvironmentKind) => ReadonlyArray<Credential>
): Effect.Effect<MerchantStore.Record> =>
  Effect.gen(function* () {
    const merchant: Merchant = { id: yield* RequestKey.idFor("mer", now), name, status: "ACTIVE", createdAt: now }
    const environments = yield* Effect.forEach(environmentKinds, (kind) =>
      Effect.map(
        RequestKey.textFor(`environment ${kind}`, 12),
        (text): Environment => ({
          id: `${kind}_${text}`,
          merchantId: merchant.id,
          kind,
          settings: { brand: name },
          settingsVersion: 1
        })
      )
    )
    return { merchant, environments, credentials: environments.flatMap(({ id, kind }) => keysFor(id, kind)) }
  })
