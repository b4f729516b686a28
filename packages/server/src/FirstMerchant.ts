import { byItself, Invitations, Merchants, type NewMerchantKeys, printedLinkLife, redeemUrl } from "@countersign/core"
import { Effect, Redacted } from "effect"
import type { Configuration } from "./Configuration.ts"

const name = "Countersign"

/**
 * Ensures that a merchant exists. Creates the keys that the operator configured, if they are new. In an embedded
 * database without merchants, creates one and returns its keys, to be printed. Otherwise returns null.
 */
export const ensure = Effect.fnUntraced(function* (configuration: Configuration) {
  const merchants = yield* Merchants
  const { databaseUrl, liveKeys, testKeys } = configuration
  if (liveKeys !== undefined) {
    yield* merchants.ensure(name, { live: liveKeys, test: testKeys ?? null })
    return null
  }
  const first = yield* merchants.first
  if (databaseUrl !== undefined || first !== null) return null
  const made: NewMerchantKeys = yield* merchants.create(name)
  yield* merchants.first
  return made
})

/** A placeholder: the owner changes it after signing in. */
const ownerEmail = "owner@localhost"

/** Creates the sign-in link of the first owner. `url` is the address of the service. */
export const ownerLink = Effect.fnUntraced(function* (merchantId: string, url: string) {
  const { inviteOwner } = yield* Invitations
  const { token } = yield* inviteOwner({ merchantId, email: ownerEmail, by: byItself, life: printedLinkLife })
  return redeemUrl(`${url}/dashboard`, Redacted.value(token))
})
