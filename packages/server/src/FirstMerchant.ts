import { Identifier, type Keys, Merchants, type NewMerchantKeys } from "@countersign/core"
import { Effect, Redacted } from "effect"
import type { ChosenKeys, Configuration } from "./Configuration.ts"

const name = "Countersign"

/** Keys that nobody knows: the environment exists, and more keys can be made for it. */
const unknownKeys: ChosenKeys = {
  clientId: `cs_test_${Identifier.randomText(24)}`,
  clientSecret: Redacted.make(Identifier.randomText(40)),
  publicKey: `pk_test_${Identifier.randomText(24)}`
}

/**
 * Sees to it that somebody can call. Keys that the operator chose are made if they do not exist yet; an embedded
 * database without any merchant gets one, whose keys are answered so that they can be shown.
 */
export const ensure = Effect.fnUntraced(function* (configuration: Configuration) {
  const merchants = yield* Merchants
  const { databaseUrl, liveKeys, testKeys } = configuration
  if (liveKeys !== undefined) {
    const live: Keys = liveKeys
    yield* merchants.ensure(name, { live, test: testKeys ?? unknownKeys })
    return null
  }
  if (databaseUrl !== undefined) return null
  const existing = yield* merchants.list({ after: null, limit: 1 })
  const made: NewMerchantKeys | null = existing.length > 0 ? null : yield* merchants.create(name)
  return made
})
