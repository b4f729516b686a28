import { byItself, Invitations, Merchants, type NewMerchantKeys, printedLinkLife, redeemUrl } from "@countersign/core"
import { Effect, Redacted } from "effect"
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
  const first = yield* merchants.first
  if (databaseUrl !== undefined || first !== null) return null
  const made: NewMerchantKeys = yield* merchants.create(name)
  yield* merchants.first
  return made
})

/** Nobody has said who the owner is. They change it when they have signed in. */
const ownerEmail = "owner@localhost"

/** The link by which the first owner signs in, where the service is reached. */
export const ownerLink = Effect.fnUntraced(function* (merchantId: string, url: string) {
  const { inviteOwner } = yield* Invitations
  const { token } = yield* inviteOwner({ merchantId, email: ownerEmail, by: byItself, life: printedLinkLife })
  return redeemUrl(`${url}/dashboard`, Redacted.value(token))
})
