import { Clock, Context, Effect, Layer } from "effect"
import type { Caller, SignedIn } from "../../account/merchant/Caller.ts"
import { atLeast } from "../../account/merchant/Role.ts"
import type { Agent } from "../../auth/staff/Agent.ts"
import type { Device } from "../../auth/staff/Device.ts"
import { devicesOf, withDevice, withoutDevices } from "../../auth/staff/deviceRules.ts"
import { UnknownAgent } from "../../auth/staff/StaffError.ts"
import { StaffStore } from "../../auth/staff/StaffStore.ts"
import { type InvalidField, invalidField } from "../../foundation/identity/InvalidField.ts"
import * as Problem from "../../foundation/identity/Problem.ts"
import { Outbox } from "../../foundation/outbox/Outbox.ts"
import { Keyring } from "../../foundation/secret/Keyring.ts"
import * as SecretHash from "../../foundation/secret/SecretHash.ts"
import type { Contended } from "../../foundation/storage/Contended.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { untilCommitted } from "../../foundation/storage/untilCommitted.ts"
import { makePushKeys } from "./pushKeys.ts"
import { PushSender } from "./PushSender.ts"
import { staffDeed } from "./staffDeeds.ts"

const longestEndpoint = 1_024
const idLength = 32

/** A browser's push subscription. */
export interface DeviceFields {
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
  /** The deployment's public key that the browser subscribed with. */
  readonly key: string
}

export const PushRefusal = ["NOT_OFFERED", "ROLE"] as const
export type PushRefusal = (typeof PushRefusal)[number]

/** An agent's devices, and what a browser needs to become one. */
export interface OwnDevices {
  /** The most recently seen first. */
  readonly devices: ReadonlyArray<Device>
  /** The deployment's public key; null when this session may add no device. */
  readonly key: string | null
  readonly refusal: PushRefusal | null
}

type Person = Caller & { readonly person: SignedIn }

/** 65 bytes that begin with 4, in base64url. */
const isPoint = (text: string) => /^B[A-Za-z0-9_-]{86}$/.test(text)
/** 16 bytes in base64url. */
const isSecret = (text: string) => /^[A-Za-z0-9_-]{22}$/.test(text)

/**
 * The browsers that show push notifications to an agent.
 *
 * @example
 * ```ts
 * import { type Caller, Devices, type SignedIn } from "@countersign/core"
 * import { Effect } from "effect"
 *
 * const turnAllOff = Effect.fn(function* (caller: Caller & { readonly person: SignedIn }) {
 *   const devices = yield* Devices
 *   for (const { id } of (yield* devices.list(caller)).devices) yield* devices.remove(caller, id)
 * })
 * ```
 */
export class Devices extends Context.Service<
  Devices,
  {
    readonly list: (caller: Person) => Effect.Effect<OwnDevices, UnknownAgent | StoreError>
    /**
     * Adds a browser, or refreshes it. Above ten, the ones that were not seen for the longest time are removed. A
     * browser belongs to one agent of a merchant: it is removed from all others.
     */
    readonly add: (
      caller: Person,
      fields: DeviceFields,
      userAgent: string | null
    ) => Effect.Effect<Device, InvalidField | UnknownAgent | Contended | StoreError>
    /** Removes one of the agent's own devices. An unknown id changes nothing. */
    readonly remove: (caller: Person, id: string) => Effect.Effect<void, UnknownAgent | Contended | StoreError>
  }
>()("@countersign/core/lead/Devices") {
  static readonly layerNoDeps: Layer.Layer<Devices, never, Keyring | Outbox | PushSender | StaffStore> = Layer.effect(
    Devices,
    Effect.gen(function* () {
      const keyring = yield* Keyring
      const pushKeys = yield* makePushKeys
      const sender = yield* PushSender
      const store = yield* StaffStore
      const commit = yield* Outbox.committer(StaffStore)

      const find = (agents: ReadonlyArray<Agent>, { person }: Person) =>
        Effect.suspend(() => {
          const agent = agents.find(({ id }) => id === person.agentId)
          return agent === undefined ? Effect.fail(new UnknownAgent()) : Effect.succeed(agent)
        })

      /** A session below the passkey rule acts as a VIEWER. */
      const refusalOf = ({ person }: Person): PushRefusal | null =>
        !sender.isOffered ? "NOT_OFFERED" : atLeast(person.role, "AGENT") ? null : "ROLE"

      const currentKey = Effect.map(pushKeys, (keys) => keys.get(keyring.current.id)?.point ?? null)

      const list = Effect.fnUntraced(function* (caller: Person) {
        const { agents } = yield* store.staff(caller.merchantId)
        const agent = yield* find(agents, caller)
        const refusal = refusalOf(caller)
        const devices = devicesOf(agent, yield* Clock.currentTimeMillis).toSorted((a, b) => b.seenAt - a.seenAt)
        return { devices, refusal, key: refusal === null ? yield* currentKey : null }
      })

      const check = Effect.fnUntraced(function* (caller: Person, { auth, endpoint, key, p256dh }: DeviceFields) {
        const refusal = refusalOf(caller)
        if (refusal !== null) return yield* invalidField("endpoint", Problem.of(`PUSH_${refusal}`))
        if (key !== (yield* currentKey)) return yield* invalidField("key", Problem.of("PUSH_SERVER_KEY"))
        if (!isPoint(p256dh)) return yield* invalidField("p256dh", Problem.of("PUSH_KEY"))
        if (!isSecret(auth)) return yield* invalidField("auth", Problem.of("PUSH_KEY"))
        if (endpoint.length > longestEndpoint)
          return yield* invalidField("endpoint", Problem.of("TOO_LONG", { max: longestEndpoint }))
        yield* sender.check(endpoint)
      })

      const add = Effect.fnUntraced(function* (caller: Person, fields: DeviceFields, userAgent: string | null) {
        yield* check(caller, fields)
        const { auth, endpoint, p256dh } = fields
        const id = SecretHash.hash(endpoint).slice(0, idLength)
        return yield* untilCommitted(
          Effect.gen(function* () {
            const { agents } = yield* store.staff(caller.merchantId)
            const before = yield* find(agents, caller)
            const now = yield* Clock.currentTimeMillis
            const { sessionId } = caller.person
            const device: Device = {
              id,
              endpoint,
              p256dh,
              auth,
              keyId: keyring.current.id,
              sessionId,
              userAgent,
              addedAt: now,
              seenAt: now
            }
            const devices = withDevice(before.devices ?? [], device, now)
            const others = agents.flatMap((agent) => {
              const without = withoutDevices(agent, (other) => other.id === id)
              return agent.id === before.id || without === agent ? [] : [without]
            })
            const stored = devices.find((one) => one.id === id) ?? device
            if (devices === before.devices && others.length === 0) return stored
            const after: Agent = { ...before, devices }
            const audited = staffDeed(caller, before, after, now)
            yield* commit(StaffStore.change({ agents: [after, ...others], audited }))
            return stored
          })
        )
      })

      const remove = (caller: Person, id: string) =>
        untilCommitted(
          Effect.gen(function* () {
            const { agents } = yield* store.staff(caller.merchantId)
            const before = yield* find(agents, caller)
            const after = withoutDevices(before, (device) => device.id === id)
            if (after === before) return
            const audited = staffDeed(caller, before, after, yield* Clock.currentTimeMillis)
            yield* commit(StaffStore.change({ agents: [after], audited }))
          })
        )

      return Devices.of({ list, add, remove })
    })
  )
}
