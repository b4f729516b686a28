import { Result } from "effect"
import { type InvalidField, invalidField } from "../../foundation/identity/InvalidField.ts"
import * as Problem from "../../foundation/identity/Problem.ts"
import * as SecretHash from "../../foundation/secret/SecretHash.ts"
import { hours, type Instant, type Millis } from "../../foundation/time/Instant.ts"
import { LastDashboardKey, UnknownKey } from "./KeyError.ts"
import type { KeyStore } from "./KeyStore.ts"
import type { Credential } from "./Merchant.ts"

/** An action on a key, and the key's next state. */
export interface KeyChange {
  readonly action: "key.created" | "key.rolled" | "key.revoked"
  readonly from: Credential | null
  readonly to: Credential
}

/** The most active keys of an environment. */
export const mostKeys = 100
/** The most secrets of a key that work at the same time: the newest, and three earlier secrets. */
export const mostSecrets = 4
/** How many replaced secrets a key remembers, so that none of them returns. */
export const mostReplaced = 20
/** How long the previous secret works by default, and after a change of the configuration. */
export const defaultOverlap: Millis = hours(24)

/** A dummy hash to compare with when a key has none, so that the response takes as long as for a wrong secret. */
const nobody = SecretHash.hash("nobody")

export const isRevoked = ({ revokedAt }: Credential): boolean => revokedAt !== null

/** Whether the secret with this hash opens the key at this instant. */
export const secretOpens = (key: Credential | null, hash: string, now: Instant): boolean => {
  let opens = SecretHash.equals(hash, key?.secretHash ?? nobody)
  // A public key has no secret.
  if (key === null || key.secretHash === null || isRevoked(key)) return false
  for (const replaced of key.replaced) {
    if (replaced.until > now && SecretHash.equals(hash, replaced.hash)) opens = true
  }
  return opens
}

/** Whether this was ever a secret of the key, valid or not. */
export const hadSecret = ({ replaced, secretHash }: Credential, hash: string): boolean =>
  secretHash === hash || replaced.some((one) => one.hash === hash)

/** When the last of its earlier secrets stops working; null when only the newest works. */
export const retiringAt = ({ replaced }: Credential, now: Instant): Instant | null => {
  const until = Math.max(...replaced.map((one) => one.until))
  return until > now ? until : null
}

const find = ({ keys }: KeyStore.EnvironmentKeys, id: string): Result.Result<Credential, UnknownKey> => {
  const key = keys.find((one) => one.id === id)
  return key === undefined || isRevoked(key) ? Result.fail(new UnknownKey({ id })) : Result.succeed(key)
}

/** A new key, unless the environment has reached the limit. */
export const create = (keys: KeyStore.EnvironmentKeys, key: Credential): Result.Result<KeyChange, InvalidField> =>
  keys.keys.filter((one) => !isRevoked(one)).length >= mostKeys
    ? Result.fail(invalidField("type", Problem.of("KEYS_FULL", { max: mostKeys })))
    : Result.succeed({ action: "key.created", from: null, to: key })

/** Replaces a key's newest secret. No earlier secret works beyond the overlap, and at most three of them work. */
export const replaceSecret = (key: Credential, hash: string, overlap: Millis, now: Instant): Credential => ({
  ...key,
  secretHash: hash,
  replaced: [...(key.secretHash === null ? [] : [{ hash: key.secretHash, until: now + overlap }]), ...key.replaced]
    .map((one, index) => ({ ...one, until: Math.min(one.until, index < mostSecrets - 1 ? now + overlap : now) }))
    .slice(0, mostReplaced)
})

/** A new secret for a server key. The key and its client id stay. */
export const roll = (
  keys: KeyStore.EnvironmentKeys,
  id: string,
  hash: string,
  overlap: Millis,
  now: Instant
): Result.Result<KeyChange, UnknownKey | InvalidField> =>
  Result.flatMap(find(keys, id), (key) =>
    key.kind === "PUBLIC"
      ? Result.fail(invalidField("id", Problem.of("SECRET_OF_PUBLIC_KEY")))
      : Result.succeed({ action: "key.rolled", from: key, to: replaceSecret(key, hash, overlap, now) })
  )

const opensDashboard = (key: Credential) => !isRevoked(key) && key.scopes.includes("dashboard")

/**
 * Revokes a key with all its secrets. The last key that opens the dashboard is revoked only if the caller has another
 * way in. Otherwise the merchant could no longer manage its keys.
 */
export const revoke = (
  keys: KeyStore.EnvironmentKeys,
  id: string,
  now: Instant,
  { evenTheLast }: { readonly evenTheLast: boolean }
): Result.Result<KeyChange, UnknownKey | LastDashboardKey> =>
  Result.flatMap(find(keys, id), (key) =>
    !evenTheLast && opensDashboard(key) && keys.keys.filter(opensDashboard).length === 1
      ? Result.fail(new LastDashboardKey({ id }))
      : Result.succeed({ action: "key.revoked", from: key, to: ended(key, now) })
  )

/** A revoked key opens nothing and keeps no hashes. Only its id stays, and stays taken. */
export const ended = (key: Credential, now: Instant): Credential => ({
  ...key,
  secretHash: null,
  replaced: [],
  revokedAt: now
})
