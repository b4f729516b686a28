import { Clock, Context, Effect, Layer } from "effect"
import * as RequestKey from "../../foundation/outbox/RequestKey.ts"
import { AuditStore } from "../../account/audit/AuditStore.ts"
import { doneBefore } from "../../account/audit/doneBefore.ts"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import * as Identity from "../../foundation/identity/Identity.ts"
import type { InvalidField } from "../../foundation/identity/InvalidField.ts"
import type { Caller } from "../../account/merchant/Caller.ts"
import { auditEntry } from "../../foundation/outbox/AuditEntry.ts"
import { Outbox } from "../../foundation/outbox/Outbox.ts"
import { Keyring } from "../../foundation/secret/Keyring.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { Contended } from "../../foundation/storage/Contended.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { untilCommitted } from "../../foundation/storage/untilCommitted.ts"
import { findLimits } from "./keptLimits.ts"
import {
  failuresInARow,
  guessedRight,
  linksPausedUntil,
  lockedUntil,
  type Subject,
  withoutWrongNumbers
} from "./Subject.ts"
import { ifCheckable, type Verification } from "./Verification.ts"
import { UnknownVerification } from "./VerificationError.ts"
import { changeOf } from "./VerificationChange.ts"
import { VerificationStore } from "./VerificationStore.ts"

/** What locks a person out: wrong codes in a row, or wrong numbers on the pages of links, which refuses only links. */
export type LockReason = "WRONG_CODES" | "WRONG_NUMBERS"

/** Whether a person may request codes. */
export interface Lock {
  /** Consecutive wrong codes that count now, on the path of the given verification. */
  readonly wrongCodes: number
  /** Until when new requests are refused. Null while they are allowed. */
  readonly lockedUntil: Instant | null
  /** Why requests are refused until then. Null while they are allowed. */
  readonly reason: LockReason | null
}

/** Returns whether the person of a verification is locked out on its path. */
export const lockOn = (
  subject: Subject,
  { mode, path }: Pick<Verification, "mode" | "path">,
  maxConsecutiveFailures: number,
  now: Instant
): Lock =>
  lockOf(failuresInARow(subject, path, now), {
    WRONG_CODES: lockedUntil(subject, path, maxConsecutiveFailures, now),
    WRONG_NUMBERS: mode === "OTP" ? null : linksPausedUntil(subject, now)
  })

/** Both locks as one, until the later end. Wrong codes refuse everything, so they are the reason of both together. */
const lockOf = (wrongCodes: number, ends: { readonly [R in LockReason]: Instant | null }): Lock => {
  const { WRONG_CODES: codes, WRONG_NUMBERS: numbers } = ends
  if (codes === null && numbers === null) return { wrongCodes, lockedUntil: null, reason: null }
  const lockedUntil = Math.max(codes ?? 0, numbers ?? 0)
  return { wrongCodes, lockedUntil, reason: codes === null ? "WRONG_NUMBERS" : "WRONG_CODES" }
}

/**
 * Resets the wrong codes of a person whom `maxConsecutiveFailures` locks out.
 *
 * @example
 * ```ts
 * import { type Caller, Unlocks } from "@countersign/core"
 * import { Effect } from "effect"
 *
 * const help = Effect.fn(function* (caller: Caller, identity: string) {
 *   return yield* (yield* Unlocks).unlock(caller, identity) // false: there was nothing to reset
 * })
 * ```
 */
export class Unlocks extends Context.Service<
  Unlocks,
  {
    /**
     * Lets a person request codes again, from apps and backends, by resetting their consecutive wrong codes. Accepts
     * any spelling of the identity. Returns false if there was nothing to reset. The hourly limit still applies.
     */
    readonly unlock: (
      caller: Caller,
      identity: string,
      type?: Identity.IdentityType
    ) => Effect.Effect<boolean, InvalidField | Contended | StoreError>
    /**
     * Returns whether the person of a verification is locked out on its path, by wrong codes or by wrong numbers on
     * links.
     */
    readonly lockOf: (caller: Caller, requestId: string) => Effect.Effect<Lock, UnknownVerification | StoreError>
    /** `unlock` for a person whose canonical identity is known. */
    readonly unlockPerson: (
      caller: Caller,
      person: Pick<Identity.Identity, "canonical" | "type">
    ) => Effect.Effect<boolean, Contended | StoreError>
    /** `unlock` for the person of a verification, without showing who it is. */
    readonly unlockPersonOf: (
      caller: Caller,
      requestId: string
    ) => Effect.Effect<boolean, UnknownVerification | Contended | StoreError>
  }
>()("@countersign/core/verification/Unlocks") {
  static readonly layerNoDeps: Layer.Layer<Unlocks, never, AuditStore | Keyring | VerificationStore | Outbox> =
    Layer.effect(
      Unlocks,
      Effect.gen(function* () {
        const audit = yield* AuditStore
        const keyring = yield* Keyring
        const store = yield* VerificationStore
        const commit = yield* Outbox.committer(VerificationStore)

        const verificationOf = Effect.fnUntraced(function* ({ environment }: Caller, requestId: string) {
          const verification = Identifier.is("ver", requestId)
            ? ifCheckable(yield* store.find(environment, requestId))
            : null
          return verification ?? (yield* new UnknownVerification())
        })

        const decide = Effect.fnUntraced(function* (
          caller: Caller,
          { canonical, type }: Pick<Identity.Identity, "canonical" | "type">
        ) {
          if ((yield* doneBefore(audit, caller.merchantId)) !== null) return true
          const subject = yield* findLimits(store, keyring, caller.environment, canonical)
          const now = yield* Clock.currentTimeMillis
          const from = { server: failuresInARow(subject, "SERVER", now), apps: failuresInARow(subject, "SDK", now) }
          if (from.server === 0 && from.apps === 0 && linksPausedUntil(subject, now) === null) return false
          const target = { kind: "identity", id: Identity.mask(type, canonical) }
          const deed = { action: "identity.unlocked", target, from, to: { server: 0, apps: 0 } }
          // Resets both paths, like a successful login of the backend.
          yield* commit(
            changeOf(null, withoutWrongNumbers(guessedRight(subject, "SERVER")), null, null, {
              audited: yield* RequestKey.marked([auditEntry(caller, deed, now)])
            })
          )
          return true
        })

        return Unlocks.of({
          unlock: Effect.fnUntraced(function* (caller, given, type = Identity.typeOf(given)) {
            const identity = yield* Effect.fromResult(Identity.parse(type, given, caller.settings.defaultCountry))
            return yield* untilCommitted(decide(caller, identity))
          }),
          lockOf: Effect.fnUntraced(function* (caller, requestId) {
            const verification = yield* verificationOf(caller, requestId)
            const subject = yield* store.subject(caller.environment, verification.identity.canonical)
            const now = yield* Clock.currentTimeMillis
            return lockOn(subject, verification, caller.settings.maxConsecutiveFailures, now)
          }),
          unlockPerson: (caller, person) => untilCommitted(decide(caller, person)),
          unlockPersonOf: Effect.fnUntraced(function* (caller, requestId) {
            const { identity } = yield* verificationOf(caller, requestId)
            return yield* untilCommitted(decide(caller, identity))
          })
        })
      })
    )
}
