import { Clock, Context, Effect, Layer, Schema } from "effect"
import { type Device, revoke, trustEndsAt, trustedNow } from "./Device.ts"
import { trustLife } from "./trustLife.ts"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import * as Identity from "../../foundation/identity/Identity.ts"
import type { InvalidField } from "../../foundation/identity/InvalidField.ts"
import type { Caller } from "../../account/merchant/Caller.ts"
import { auditEntry } from "../../foundation/outbox/AuditEntry.ts"
import type { Limits } from "../../foundation/limit/Limits.ts"
import type { RateLimited } from "../../foundation/limit/RateLimited.ts"
import { makeLookUp } from "../../account/merchant/makeLookUp.ts"
import { Outbox } from "../../foundation/outbox/Outbox.ts"
import type { Contended } from "../../foundation/storage/Contended.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { untilCommitted } from "../../foundation/storage/untilCommitted.ts"
import { type Instant, toIso } from "../../foundation/time/Instant.ts"
import { changeOf } from "./VerificationChange.ts"
import { withDevices } from "./Subject.ts"
import { VerificationStore } from "./VerificationStore.ts"

/** No trusted device has this id in this environment. */
export class UnknownDevice extends Schema.TaggedError<UnknownDevice>()("UnknownDevice", {}) {}

/** A device that lets a person skip the code. */
export interface TrustedDevice extends Device {
  /** When its trust ends if it is not used before then. */
  readonly trustEndsAt: Instant
}

/**
 * Lists the devices that OneTap trusts, and ends the trust in a device.
 *
 * @example
 * ```ts
 * import { type Caller, TrustedDevices } from "@countersign/core"
 * import { Effect } from "effect"
 *
 * const forgetAll = Effect.fn(function* (caller: Caller, identity: string) {
 *   const devices = yield* TrustedDevices
 *   for (const { id } of yield* devices.list(caller, identity)) yield* devices.revoke(caller, id)
 * })
 * ```
 */
export class TrustedDevices extends Context.Service<
  TrustedDevices,
  {
    /** Returns the person's trusted devices, most recently used first. Accepts any spelling of the identity. */
    readonly list: (
      caller: Caller,
      identity: string
    ) => Effect.Effect<ReadonlyArray<TrustedDevice>, InvalidField | RateLimited | Contended | StoreError>
    /** Ends the trust in a device: its next login needs a code. */
    readonly revoke: (caller: Caller, id: string) => Effect.Effect<void, UnknownDevice | Contended | StoreError>
  }
>()("@countersign/core/verification/TrustedDevices") {
  static readonly layerNoDeps: Layer.Layer<TrustedDevices, never, VerificationStore | Limits | Outbox> = Layer.effect(
    TrustedDevices,
    Effect.gen(function* () {
      const store = yield* VerificationStore
      const commit = yield* Outbox.committer(VerificationStore)
      const lookUp = yield* makeLookUp

      const decideRevoke = Effect.fnUntraced(function* (caller: Caller, canonical: string, id: string) {
        const subject = yield* store.subject(caller.environment, canonical)
        const now = yield* Clock.currentTimeMillis
        const trusted = trustedNow(subject.devices, trustLife(caller.settings), now)
        const device = trusted.find((device) => device.id === id)
        if (device === undefined) return yield* new UnknownDevice()
        const from = {
          identity: Identity.mask(Identity.typeOf(canonical), canonical),
          label: device.label,
          trustedAt: toIso(device.trustedAt)
        }
        const entry = auditEntry(caller, { action: "device.revoked", target: { kind: "device", id }, from }, now)
        yield* commit(
          changeOf(null, withDevices(subject, revoke(subject.devices, id, now)), null, null, { audited: [entry] })
        )
      })

      return TrustedDevices.of({
        list: Effect.fnUntraced(function* (caller, given) {
          const { canonical } = yield* Effect.fromResult(
            Identity.parse(Identity.typeOf(given), given, caller.settings.defaultCountry)
          )
          const life = trustLife(caller.settings)
          const ask = Effect.gen(function* () {
            const { devices } = yield* store.subject(caller.environment, canonical)
            return trustedNow(devices, life, yield* Clock.currentTimeMillis)
          })
          const trusted = yield* lookUp(caller, "RECORDS", ask, (devices) => devices.length > 0)
          return trusted
            .map((device) => ({ ...device, trustEndsAt: trustEndsAt(device, life) }))
            .sort((a, b) => b.usedAt - a.usedAt)
        }),

        revoke: Effect.fnUntraced(function* (caller, id) {
          const canonical = Identifier.is("dvc", id) ? yield* store.findByDevice(caller.environment, id) : null
          if (canonical === null) return yield* new UnknownDevice()
          return yield* untilCommitted(decideRevoke(caller, canonical, id))
        })
      })
    })
  )
}
