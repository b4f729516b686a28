import { Result } from "effect"
import * as Identifier from "../identity/Identifier.ts"
import { InvalidField } from "../identity/InvalidField.ts"
import type { Instant } from "../time/Instant.ts"
import type { Credential, Environment, EnvironmentKind, Merchant } from "./Merchant.ts"
import type { NewMerchant } from "./MerchantStore.ts"

export const environmentKinds = ["live", "test"] as const

/** What a merchant may be called, without the space around it. */
export const checkMerchantName = (given: string): Result.Result<string, InvalidField> => {
  const name = given.trim()
  return name === "" || name.length > 60 || /[\p{Cc}\p{Cs}]/u.test(name)
    ? Result.fail(new InvalidField({ field: "name", problem: "must be 1 to 60 characters" }))
    : Result.succeed(name)
}

/** A merchant with both environments, and in each the keys that are made for it. */
export const newMerchant = (
  name: string,
  now: Instant,
  keysFor: (environment: string, kind: EnvironmentKind) => ReadonlyArray<Credential>
): NewMerchant => {
  const merchant: Merchant = { id: Identifier.make("mer", now), name, status: "ACTIVE", createdAt: now }
  const environments = environmentKinds.map(
    (kind): Environment => ({
      id: `${kind}_${Identifier.randomText(12)}`,
      merchantId: merchant.id,
      kind,
      settings: { brand: name },
      settingsVersion: 1
    })
  )
  return { merchant, environments, credentials: environments.flatMap(({ id, kind }) => keysFor(id, kind)) }
}
