import { Effect, Result } from "effect"
import { byItself, type Doer } from "../../foundation/outbox/AuditEntry.ts"
import * as SecretHash from "../../foundation/secret/SecretHash.ts"
import type { Conflict } from "../../foundation/storage/Conflict.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { type Instant, toIso } from "../../foundation/time/Instant.ts"
import { changeKeys } from "./changeKeys.ts"
import { isWellKnown } from "./inProcess.ts"
import { defaultOverlap, isRevoked, type KeyChange, replaceSecret } from "./keyRules.ts"
import type { KeyStore } from "./KeyStore.ts"
import { type Environment, keyScopes } from "./Merchant.ts"
import { KeysTaken } from "./MerchantError.ts"
import type { MerchantStore } from "./MerchantStore.ts"
import { hashOf, type KeySet, publicKey, serverKey } from "./newKeys.ts"

/** A finding for the operator about a key in the configuration. */
export interface Finding {
  readonly id: string
  /** `WORKS_UNTIL` and `REPLACED`: the configuration names a replaced secret, which still works, or no longer works. */
  readonly found: "ROLLED" | "WORKS_UNTIL" | "REPLACED" | "REVOKED"
  readonly until: Instant | null
}

/**
 * The next state of an environment's keys when the configuration names these keys.
 *
 * A secret only moves forward. A new secret replaces the previous secret, which works for a day more. A replaced or
 * revoked secret never returns. So processes with an old and a new configuration may start in any order, and both
 * secrets work for that day. A leaked secret that was rolled stays invalid, even if the configuration still names it.
 */
export const configure = (
  { environment, keys }: KeyStore.EnvironmentKeys,
  chosen: { readonly clientId: string; readonly secretHash: string; readonly publicKey: string },
  now: Instant
): { readonly changes: ReadonlyArray<KeyChange>; readonly findings: ReadonlyArray<Finding> } => {
  const changes: Array<KeyChange> = []
  const findings: Array<Finding> = []
  const fields = { environment, name: null, createdAt: now }
  const { clientId, secretHash } = chosen

  const server = keys.find(({ id }) => id === clientId)
  if (server === undefined) {
    changes.push({ action: "key.created", from: null, to: serverKey(clientId, secretHash, keyScopes, fields) })
  } else if (isRevoked(server)) {
    findings.push({ id: clientId, found: "REVOKED", until: server.revokedAt })
  } else if (!SecretHash.equals(secretHash, server.secretHash ?? "")) {
    const before = server.replaced.find(({ hash }) => SecretHash.equals(secretHash, hash))
    if (before !== undefined) {
      findings.push({ id: clientId, found: before.until > now ? "WORKS_UNTIL" : "REPLACED", until: before.until })
    } else {
      changes.push({ action: "key.rolled", from: server, to: replaceSecret(server, secretHash, defaultOverlap, now) })
      findings.push({ id: clientId, found: "ROLLED", until: now + defaultOverlap })
    }
  }

  const app = keys.find(({ id }) => id === chosen.publicKey)
  if (app === undefined) changes.push({ action: "key.created", from: null, to: publicKey(chosen.publicKey, fields) })
  else if (isRevoked(app)) findings.push({ id: app.id, found: "REVOKED", until: app.revokedAt })
  return { changes, findings }
}

const sentences: { readonly [F in Finding["found"]]: string } = {
  ROLLED: "The configuration has a new client secret; the previous secret works for one more day",
  WORKS_UNTIL: "The configured client secret was replaced and stops working soon; configure the newer secret",
  REPLACED: "The configured client secret was replaced and no longer works; configure the newer secret",
  REVOKED: "A configured key was revoked and no longer works; configure another id, or remove it"
}

const tell = ({ found: state, id, until }: Finding) => {
  const details = { key: id, ...(until === null ? {} : { [state === "REVOKED" ? "since" : "until"]: toIso(until) }) }
  return state === "ROLLED" ? Effect.logInfo(sentences[state], details) : Effect.logWarning(sentences[state], details)
}

/** The service itself, as the actor in an environment. */
export const serviceIn = ({ id, merchantId }: Environment): Doer & { readonly environment: string } => ({
  ...byItself,
  merchantId,
  environment: id
})

/** Ensures that an environment has the keys in the configuration, and logs the findings. */
export const ensureKeys = Effect.fnUntraced(function* (
  stores: { readonly merchants: MerchantStore["Service"]; readonly keys: KeyStore["Service"] },
  environment: Environment,
  chosen: KeySet
): Effect.fn.Return<void, KeysTaken | Conflict | StoreError> {
  for (const id of [chosen.clientId, chosen.publicKey]) {
    const access = yield* stores.merchants.access(id)
    if (access !== null && access.environment.id !== environment.id) {
      return yield* new KeysTaken({ clientId: id, why: "FOREIGN" })
    }
  }
  let findings: ReadonlyArray<Finding> = []
  const named = { clientId: chosen.clientId, secretHash: hashOf(chosen.clientSecret), publicKey: chosen.publicKey }
  yield* changeKeys(stores.keys, serviceIn(environment), (keys, now) => {
    const configured = configure(keys, named, now)
    findings = configured.findings
    return Result.succeed(configured.changes)
  })
  yield* Effect.forEach(findings, tell, { discard: true })
})

/** A publicly known name cannot be a key. */
export const checkChosen = ({ clientId, publicKey }: KeySet): Result.Result<void, KeysTaken> => {
  const wellKnownId = [clientId, publicKey].find(isWellKnown)
  return wellKnownId === undefined
    ? Result.void
    : Result.fail(new KeysTaken({ clientId: wellKnownId, why: "WELL_KNOWN" }))
}
