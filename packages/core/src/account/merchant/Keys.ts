import { Clock, Context, Effect, Layer, type Redacted, Result } from "effect"
import { type InvalidField, invalidField } from "../../foundation/identity/InvalidField.ts"
import * as Problem from "../../foundation/identity/Problem.ts"
import type { Doer } from "../../foundation/outbox/AuditEntry.ts"
import * as RequestKey from "../../foundation/outbox/RequestKey.ts"
import type { Contended } from "../../foundation/storage/Contended.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { untilCommitted } from "../../foundation/storage/untilCommitted.ts"
import { hours, type Instant } from "../../foundation/time/Instant.ts"
import { changeKeys } from "./changeKeys.ts"
import type { LastDashboardKey, UnknownKey } from "./KeyError.ts"
import { KeyStore } from "./KeyStore.ts"
import { KeyUses } from "./KeyUses.ts"
import * as keyRules from "./keyRules.ts"
import { type Credential, type CredentialKind, type EnvironmentKind, type KeyScope, keyScopes } from "./Merchant.ts"
import { Merchants } from "./Merchants.ts"
import { freshId, freshSecret, hashOf, publicKey, serverKey } from "./newKeys.ts"

/** A key as its owner may see it, without secrets. */
export interface Key {
  /** The client id or the public key. */
  readonly id: string
  readonly type: CredentialKind
  readonly scopes: ReadonlyArray<KeyScope>
  readonly name: string | null
  readonly createdAt: Instant
  /** The hour of its last use. */
  readonly lastUsedAt: Instant | null
  /** When the secrets before the newest stop working; null when only the newest works. */
  readonly retiringAt: Instant | null
}

/** A key with its newest secret, which only this result shows. A public key has no secret. */
export interface KeyWithSecret {
  readonly key: Key
  readonly clientSecret: Redacted.Redacted | null
}

export interface NewKey {
  readonly type: CredentialKind
  /** All scopes by default. */
  readonly scopes?: ReadonlyArray<KeyScope> | null | undefined
  readonly name?: string | null | undefined
}

/** The environment of the keys, and the actor. Keys of other environments do not exist for it. */
export interface KeyOwner extends Doer {
  readonly environment: string
  readonly kind: EnvironmentKind
}

const longestName = 60
const longestOverlap = 168
const defaultOverlapHours = 24

const checkName = (rawName: string | null | undefined) => {
  const name = rawName?.trim() ?? ""
  return name.length > longestName || /[\p{Cc}\p{Cs}]/u.test(name)
    ? Result.fail(invalidField("name", Problem.of("LINE_TOO_LONG", { max: longestName })))
    : Result.succeed(name === "" ? null : name)
}

const checkScopes = ({ scopes, type }: NewKey) => {
  const refuse = (problem: Problem.Problem) => Result.fail(invalidField("scopes", problem))
  if (type === "PUBLIC") {
    return scopes == null || scopes.length === 0 ? Result.succeed([]) : refuse(Problem.of("SCOPES_OF_PUBLIC_KEY"))
  }
  if (scopes == null) return Result.succeed(keyScopes)
  return scopes.length === 0
    ? refuse(Problem.of("AT_LEAST_ONE_OF", { values: keyScopes.join(", ") }))
    : Result.succeed(keyScopes.filter((scope) => scopes.includes(scope)))
}

const checkOverlap = (requestedHours: number | null | undefined) => {
  const overlap = requestedHours ?? defaultOverlapHours
  return Number.isInteger(overlap) && overlap >= 0 && overlap <= longestOverlap
    ? Result.succeed(hours(overlap))
    : Result.fail(invalidField("overlapHours", Problem.of("BETWEEN", { min: 0, max: longestOverlap })))
}

/**
 * Manages the keys of an environment. This process sees a change immediately, every other process within 5 seconds.
 *
 * @example
 * ```ts
 * import { type Caller, Keys } from "@countersign/core"
 * import { Effect } from "effect"
 *
 * const replaceLeaked = (caller: Caller, id: string) =>
 *   Effect.gen(function* () {
 *     const keys = yield* Keys
 *     const { clientSecret } = yield* keys.roll(caller, id, { overlapHours: 0 })
 *     return clientSecret // shown this once; the leaked one is refused from now on
 *   })
 * ```
 */
export class Keys extends Context.Service<
  Keys,
  {
    /** The active keys, oldest first. */
    readonly list: (owner: Pick<KeyOwner, "environment">) => Effect.Effect<ReadonlyArray<Key>, StoreError>
    readonly create: (
      owner: KeyOwner,
      key: NewKey
    ) => Effect.Effect<KeyWithSecret, InvalidField | Contended | StoreError>
    /** Gives a server key another secret. The earlier secrets work for `overlapHours` more. */
    readonly roll: (
      owner: KeyOwner,
      id: string,
      options?: { readonly overlapHours?: number | null | undefined }
    ) => Effect.Effect<KeyWithSecret, UnknownKey | InvalidField | Contended | StoreError>
    /**
     * Revokes a key. Only a caller with another way in (`evenTheLast`) may revoke the last key that opens the
     * dashboard.
     */
    readonly revoke: (
      owner: KeyOwner,
      id: string,
      options?: { readonly evenTheLast?: boolean }
    ) => Effect.Effect<void, UnknownKey | LastDashboardKey | Contended | StoreError>
  }
>()("@countersign/core/merchant/Keys") {
  static readonly layer: Layer.Layer<Keys, never, KeyStore | KeyUses | Merchants> = Layer.effect(
    Keys,
    Effect.gen(function* () {
      const store = yield* KeyStore
      const uses = yield* KeyUses
      const merchants = yield* Merchants

      const viewOf = (key: Credential, now: Instant): Key => {
        const used = Math.max(key.lastUsedAt ?? 0, uses.unwritten(key.id) ?? 0)
        return {
          id: key.id,
          type: key.kind,
          scopes: key.scopes,
          name: key.name,
          createdAt: key.createdAt,
          lastUsedAt: used === 0 ? null : used,
          retiringAt: keyRules.retiringAt(key, now)
        }
      }

      const change = <E>(
        owner: KeyOwner,
        decide: (keys: Parameters<typeof keyRules.create>[0], now: Instant) => Result.Result<keyRules.KeyChange, E>
      ) =>
        untilCommitted(
          changeKeys(store, owner, (keys, now) => Result.map(decide(keys, now), (change) => [change]))
        ).pipe(
          Effect.tap(() => merchants.forget),
          Effect.map(([change]) => change!.to)
        )

      /** The current state of the key that an earlier try of this request made or rolled. */
      const changedBefore = Effect.fnUntraced(function* ({ environment }: KeyOwner, id: string, hash: string | null) {
        const key = (yield* store.load(environment))?.keys.find((key) => key.id === id)
        return key !== undefined && (hash === null || keyRules.hadSecret(key, hash)) ? key : null
      })

      return Keys.of({
        list: Effect.fnUntraced(function* ({ environment }) {
          const now = yield* Clock.currentTimeMillis
          return ((yield* store.load(environment))?.keys ?? [])
            .filter((key) => !keyRules.isRevoked(key))
            .toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
            .map((key) => viewOf(key, now))
        }),

        create: Effect.fnUntraced(function* (owner, request) {
          const { kind, environment } = owner
          const { type } = request
          const scopes = yield* Effect.fromResult(checkScopes(request))
          const name = yield* Effect.fromResult(checkName(request.name))
          const clientSecret = type === "SERVER" ? yield* freshSecret(kind) : null
          const id = yield* freshId(type, kind)
          const createdAt = yield* Clock.currentTimeMillis
          const fields = { environment, name, createdAt }
          const key =
            clientSecret === null ? publicKey(id, fields) : serverKey(id, hashOf(clientSecret), scopes, fields)
          const created = yield* RequestKey.once(
            changedBefore(owner, id, null),
            change(owner, (keys) => keyRules.create(keys, key))
          )
          return { key: viewOf(created, createdAt), clientSecret }
        }),

        roll: Effect.fnUntraced(function* (owner, id, options = {}) {
          const overlap = yield* Effect.fromResult(checkOverlap(options.overlapHours))
          const clientSecret = yield* freshSecret(owner.kind)
          const hash = hashOf(clientSecret)
          const key = yield* RequestKey.once(
            changedBefore(owner, id, hash),
            change(owner, (keys, now) => keyRules.roll(keys, id, hash, overlap, now))
          )
          return { key: viewOf(key, yield* Clock.currentTimeMillis), clientSecret }
        }),

        revoke: (owner, id, { evenTheLast = false } = {}) =>
          Effect.asVoid(change(owner, (keys, now) => keyRules.revoke(keys, id, now, { evenTheLast })))
      })
    })
  )
}
