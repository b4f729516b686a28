import { Clock, Context, Effect, Layer, Redacted, Result } from "effect"
import type { Caller } from "../../account/merchant/Caller.ts"
import { LinkAddress } from "../../foundation/delivery/LinkAddress.ts"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import { type InvalidField, invalidField } from "../../foundation/identity/InvalidField.ts"
import * as Problem from "../../foundation/identity/Problem.ts"
import { auditEntry, type Doer } from "../../foundation/outbox/AuditEntry.ts"
import * as RequestKey from "../../foundation/outbox/RequestKey.ts"
import { Keyring } from "../../foundation/secret/Keyring.ts"
import { mostSecrets, rotated, rotationOverlap } from "../../foundation/secret/rotation.ts"
import * as Seal from "../../foundation/secret/Seal.ts"
import * as SecretHash from "../../foundation/secret/SecretHash.ts"
import type { Contended } from "../../foundation/storage/Contended.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { untilCommitted } from "../../foundation/storage/untilCommitted.ts"
import { toIso } from "../../foundation/time/Instant.ts"
import { auditActionOf, auditFieldsOf, type Hook, UnknownHook } from "./Hook.ts"
import { HookCache, type OpenHook } from "./HookCache.ts"
import { HookKind, hookKinds, isHookKind } from "./hookKinds.ts"
import { HookStore } from "./HookStore.ts"

const mostPerEnvironment = 50
const longestName = 80
const checkKind = (kind: string): Effect.Effect<HookKind, InvalidField> =>
  isHookKind(kind)
    ? Effect.succeed(kind)
    : Effect.fail(invalidField("kind", Problem.of("ONE_OF", { values: HookKind.join(", ") })))

const checkName = (name: string): Effect.Effect<string, InvalidField> => {
  const trimmed = name.trim()
  return trimmed.length >= 1 && trimmed.length <= longestName && !/[\p{Cc}\p{Cs}]/u.test(trimmed)
    ? Effect.succeed(trimmed)
    : Effect.fail(invalidField("name", Problem.of("LINE", { min: 1, max: longestName })))
}

/**
 * Manages the hooks of an environment. A hook receives the requests of one sign-in system that makes its own codes, such
 * as Supabase, Zitadel or Kratos. The settings of the environment choose the channel, the fallback and the limits.
 *
 * @example
 * ```ts
 * import { type Caller, Hooks } from "@countersign/core"
 * import { Effect } from "effect"
 *
 * const connect = Effect.fn(function* (caller: Caller, secret: string) {
 *   const hooks = yield* Hooks
 *   const { hook } = yield* hooks.create(caller, { kind: "supabase-sms", name: "Sign-in", secret })
 *   return hooks.addressOf(hook)
 * })
 * ```
 */
export class Hooks extends Context.Service<
  Hooks,
  {
    readonly list: (caller: Pick<Caller, "environment">) => Effect.Effect<ReadonlyArray<Hook>, StoreError>
    /** Creates a hook. Makes its secret, unless the sign-in system made one. The secret is shown only in this result. */
    readonly create: (
      caller: Hooks.Owner,
      fields: Hooks.Fields
    ) => Effect.Effect<Hooks.WithSecret, InvalidField | StoreError>
    /**
     * Replaces the secret: by a new one, or by one that the sign-in system made. The old secret is valid beside it for a
     * day, at most four at the same time. With `endOthers` only the new secret is valid from now on.
     */
    readonly rotateSecret: (
      caller: Hooks.Owner,
      id: string,
      options?: { readonly secret?: string | null | undefined; readonly endOthers?: boolean | undefined }
    ) => Effect.Effect<Hooks.WithSecret, InvalidField | UnknownHook | Contended | StoreError>
    /** Deletes a hook. Its address is unknown from then on, within 3 seconds in every process. */
    readonly remove: (caller: Hooks.Owner, id: string) => Effect.Effect<void, UnknownHook | Contended | StoreError>
    /** Where its sign-in system sends requests. Without a public URL it is a path of this service. */
    readonly addressOf: (hook: Pick<Hook, "id" | "kind">) => string
  }
>()("@countersign/core/hook/Hooks") {
  static readonly layerNoDeps: Layer.Layer<Hooks, never, HookCache | HookStore | Keyring | LinkAddress> = Layer.effect(
    Hooks,
    Effect.gen(function* () {
      const keyring = yield* Keyring
      const cache = yield* HookCache
      const { hooks } = yield* LinkAddress
      const store = yield* HookStore

      const get = Effect.fnUntraced(function* ({ environment }: Pick<Caller, "environment">, id: string) {
        const hook = Identifier.is("hok", id) ? yield* store.get(id) : null
        return hook !== null && hook.environment === environment ? hook : yield* new UnknownHook()
      })

      /** The secret to keep: one that the sign-in system made, or a new one. */
      const secretFor = Effect.fnUntraced(function* (kind: HookKind, given: string | null | undefined) {
        const { signed } = hookKinds[kind]
        const text =
          given == null
            ? signed.makeSecret(yield* RequestKey.bytesFor("hook secret"))
            : yield* Effect.fromResult(
                Result.mapError(signed.checkSecret(given.trim()), (problem) => invalidField("secret", problem))
              )
        return { secret: Redacted.make(text), sealed: yield* Seal.seal(keyring, "hook-secret", text) }
      })

      const hasSecret = (known: OpenHook | null, secret: Redacted.Redacted): boolean =>
        known?.secrets.some(({ text }) => SecretHash.equals(Redacted.value(text), Redacted.value(secret))) ?? false

      /** The current state of the hook to which an earlier try of this request gave this secret. */
      const givenBefore = (id: string, secret: Redacted.Redacted) =>
        Effect.map(cache.load(id), (known) =>
          known !== null && hasSecret(known, secret) ? { hook: known.hook, secret } : null
        )

      const create = Effect.fnUntraced(function* (
        caller: Hooks.Owner,
        { kind: asked, name, secret: given }: Hooks.Fields
      ) {
        const kind = yield* checkKind(asked)
        const { sealed, secret } = yield* secretFor(kind, given)
        const checkedName = yield* checkName(name)
        const { environment } = caller
        const now = yield* Clock.currentTimeMillis
        const id = yield* RequestKey.idFor("hok", now)
        const add = Effect.gen(function* () {
          if ((yield* store.list(environment)).length >= mostPerEnvironment) {
            return yield* invalidField(
              "kind",
              Problem.of("FULL", { holder: "environment", max: mostPerEnvironment, things: "hooks" })
            )
          }
          const hook: Hook = {
            id,
            environment,
            version: 0,
            kind,
            name: checkedName,
            sealed,
            previous: [],
            createdAt: now
          }
          const deed = { ...auditActionOf("hook.created", hook), to: auditFieldsOf(hook) }
          // The id is new, so nothing conflicts but an earlier try of this request.
          const stored = yield* Effect.catchTag(
            store.commit(HookStore.change(hook, { audited: [auditEntry(caller, deed, now)] })),
            "Conflict",
            () => store.get(id)
          )
          return { hook: stored ?? hook, secret }
        })
        return yield* RequestKey.once(givenBefore(id, secret), add)
      })

      const decideRotate = Effect.fnUntraced(function* (
        caller: Hooks.Owner,
        id: string,
        endOthers: boolean,
        given: string | null | undefined
      ) {
        const hook = yield* get(caller, id)
        const { sealed, secret } = yield* secretFor(hook.kind, given)
        const now = yield* Clock.currentTimeMillis
        const rotate = Effect.gen(function* () {
          const outcome = rotated(hook, sealed, now, endOthers)
          if (outcome._tag === "Full") {
            return yield* invalidField(
              "secret",
              Problem.of("SECRETS_FULL", { max: mostSecrets, until: toIso(outcome.until) })
            )
          }
          const to = { retiringAt: endOthers ? toIso(now) : toIso(now + rotationOverlap) }
          const entry = auditEntry(caller, { ...auditActionOf("hook.secret_rotated", hook), to }, now)
          const stored = yield* store.commit(HookStore.change(outcome.next, { audited: [entry] }))
          yield* cache.forget(id)
          return { hook: stored, secret }
        })
        return yield* RequestKey.once(givenBefore(id, secret), rotate)
      })

      const decideRemove = Effect.fnUntraced(function* (caller: Hooks.Owner, id: string) {
        const hook = yield* get(caller, id)
        const now = yield* Clock.currentTimeMillis
        const deed = { ...auditActionOf("hook.deleted", hook), from: auditFieldsOf(hook) }
        yield* store.remove(HookStore.change(hook, { audited: [auditEntry(caller, deed, now)] }))
        yield* cache.forget(id)
      })

      const addressOf = ({ id, kind }: Pick<Hook, "id" | "kind">) => `${hooks}/${kind}/${id}`

      return Hooks.of({
        list: ({ environment }) => store.list(environment),
        addressOf,
        create,
        rotateSecret: (caller, id, { endOthers = false, secret } = {}) =>
          untilCommitted(decideRotate(caller, id, endOthers, secret)),
        remove: (caller, id) => untilCommitted(decideRemove(caller, id))
      })
    })
  )
}

export declare namespace Hooks {
  /** Whose hooks are changed, and who changes them. */
  export type Owner = Doer & Pick<Caller, "environment">

  export interface Fields {
    readonly kind: string
    readonly name: string
    /** The secret that the sign-in system made. */
    readonly secret?: string | null | undefined
  }

  export interface WithSecret {
    readonly hook: Hook
    /** Shown only in this result. */
    readonly secret: Redacted.Redacted
  }
}
