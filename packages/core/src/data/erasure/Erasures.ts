import { Clock, Context, Effect, Layer } from "effect"
import * as RequestKey from "../../foundation/outbox/RequestKey.ts"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import type { IdentityType } from "../../foundation/identity/Identity.ts"
import type { InvalidField } from "../../foundation/identity/InvalidField.ts"
import type { Caller } from "../../account/merchant/Caller.ts"
import { auditEntry } from "../../foundation/outbox/AuditEntry.ts"
import { Outbox } from "../../foundation/outbox/Outbox.ts"
import { Keyring } from "../../foundation/secret/Keyring.ts"
import type { Contended } from "../../foundation/storage/Contended.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { untilCommitted } from "../../foundation/storage/untilCommitted.ts"
import { type Erasure, nothingRemoved, personOf, UnknownErasure } from "./Erasure.ts"
import { eraseJob } from "./erasureJobs.ts"
import { ErasureStore } from "./ErasureStore.ts"
import { sealedPerson } from "./Erasing.ts"
import { personQuery } from "./PersonQuery.ts"

export interface EraseRequest {
  /** A phone number or an e-mail address, in any spelling. */
  readonly identity: string
  /** Its type; by default, a text with `@` is an e-mail address. */
  readonly identityType?: IdentityType | null | undefined
}

/**
 * Erases a person's data in an environment, in every spelling of their identity.
 *
 * @example
 * ```ts
 * import { type Caller, Erasures } from "@countersign/core"
 * import { Effect } from "effect"
 *
 * const forget = Effect.fn(function* (caller: Caller, identity: string) {
 *   const erasures = yield* Erasures
 *   const { id } = yield* erasures.begin(caller, { identity })
 *   // A little later:
 *   const { finishedAt, removed } = yield* erasures.get(caller, id)
 *   return finishedAt === null ? null : removed
 * })
 * ```
 */
export class Erasures extends Context.Service<
  Erasures,
  {
    /**
     * Starts an erasure of the data that exists now; later data stays. It runs in the background, in any process, until
     * it is done.
     */
    readonly begin: (
      caller: Caller,
      request: EraseRequest
    ) => Effect.Effect<Erasure, InvalidField | Contended | StoreError>
    /** The progress of an erasure. It never reveals the person. */
    readonly get: (caller: Caller, id: string) => Effect.Effect<Erasure, UnknownErasure | StoreError>
  }
>()("@countersign/core/erasure/Erasures") {
  static readonly layerNoDeps: Layer.Layer<Erasures, never, ErasureStore | Keyring | Outbox> = Layer.effect(
    Erasures,
    Effect.gen(function* () {
      const store = yield* ErasureStore
      const keyring = yield* Keyring
      const commit = yield* Outbox.committer(ErasureStore)

      return Erasures.of({
        begin: Effect.fnUntraced(function* (caller, { identity, identityType = null }) {
          const { environment } = caller
          const { country: _, ...person } = yield* Effect.fromResult(
            personQuery(identity, identityType, caller.settings.defaultCountry)
          )
          const now = yield* Clock.currentTimeMillis
          const id = yield* RequestKey.idFor("ers", now)
          const erasure: Erasure = {
            environment,
            id,
            version: 0,
            person: personOf(keyring.current, environment, person.canonical),
            startedAt: now,
            finishedAt: null,
            removed: nothingRemoved,
            phase: "VERIFICATIONS",
            cursor: null,
            sealed: yield* sealedPerson(keyring, { ...person, recent: [] })
          }
          const audited = auditEntry(
            caller,
            { action: "person.erased", target: { kind: "person", id: erasure.person }, to: { erasureId: id } },
            now
          )
          const change = ErasureStore.change(environment, {
            erasure,
            jobs: [eraseJob(erasure, now)],
            audited: [audited]
          })
          const write = Effect.as(commit(change), { ...erasure, version: 1 })
          return yield* untilCommitted(RequestKey.once(store.get(environment, id), write))
        }),

        get: Effect.fnUntraced(function* (caller, id) {
          const erasure = Identifier.is("ers", id) ? yield* store.get(caller.environment, id) : null
          return erasure ?? (yield* new UnknownErasure())
        })
      })
    })
  )
}
