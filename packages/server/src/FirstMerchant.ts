import { Merchants, type NewMerchantKeys } from "@countersign/core"
import { Effect } from "effect"
import type { Configuration } from "./Configuration.ts"

const name = "Countersign"

/**
 * Sees to it that somebody can call. Keys that the operator chose are made if they do not exist yet; an embedded
 * database without any merchant gets one, whose keys are answered so that they can be shown.
 */
export const ensure = Effect.fnUntraced(function* (configuration: Configuration) {
  const merchants = yield* Merchants
  const { databaseUrl, liveKeys, testKeys } = configuration
  if (liveKeys !== undefined) {
    yield* merchants.ensure(name, { live: liveKeys, test: testKeys ?? null })
    return null
  }
  if (databaseUrl !== undefined) return null
  const existing = yield* merchants.list({ after: null, limit: 1 })
  const made: NewMerchantKeys | null = existing.length > 0 ? null : yield* merchants.create(name)
  return made
})
