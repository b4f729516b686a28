import { Clock, Effect, type Result } from "effect"
import { type AuditEntry, auditEntry, type AuditFields, type Doer } from "../../foundation/outbox/AuditEntry.ts"
import { noRecords } from "../../foundation/outbox/Change.ts"
import type { Conflict } from "../../foundation/storage/Conflict.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { type Instant, toIsoOrNull } from "../../foundation/time/Instant.ts"
import { isRevoked, type KeyChange, retiringAt } from "./keyRules.ts"
import type { KeyStore } from "./KeyStore.ts"
import type { Credential } from "./Merchant.ts"

/** The part of a key that history entries may show: neither its secrets nor their hashes. */
const known = ({ kind, name, scopes }: Credential): AuditFields => ({ type: kind, scopes, name })

const entryOf = (by: Doer, { action, from, to }: KeyChange, now: Instant): AuditEntry =>
  auditEntry(
    by,
    {
      action,
      target: { kind: "key", id: to.id },
      from:
        from === null
          ? null
          : action === "key.rolled"
            ? { retiringAt: toIsoOrNull(retiringAt(from, now)) }
            : known(from),
      to: isRevoked(to) ? null : action === "key.rolled" ? { retiringAt: toIsoOrNull(retiringAt(to, now)) } : known(to)
    },
    now
  )

/**
 * The only way to change keys, for keys, operator commands and configuration alike. Loads an environment's keys,
 * decides, and commits the result with a history entry for each key.
 *
 * A lost race is a `Conflict`: the caller decides again, with `untilCommitted`.
 */
export const changeKeys = <E>(
  store: KeyStore["Service"],
  by: Doer & { readonly environment: string },
  decide: (keys: KeyStore.EnvironmentKeys, now: Instant) => Result.Result<ReadonlyArray<KeyChange>, E>
): Effect.Effect<ReadonlyArray<KeyChange>, E | Conflict | StoreError> =>
  Effect.gen(function* () {
    const { environment } = by
    const now = yield* Clock.currentTimeMillis
    const keys = (yield* store.load(environment)) ?? { environment, version: 0, keys: [] }
    const changes = yield* Effect.fromResult(decide(keys, now))
    if (changes.length === 0) return changes
    yield* store.commit({
      ...noRecords,
      audited: changes.map((change) => entryOf(by, change, now)),
      environment,
      version: keys.version,
      added: changes.filter(({ from }) => from === null).map(({ to }) => to),
      changed: changes.filter(({ from }) => from !== null).map(({ to }) => to)
    })
    return changes
  })
