import {
  type Caller,
  envelope,
  Instant,
  Merchants,
  seenEvent,
  type Settings,
  SettingsAdvice,
  type TrustedDevice,
  TrustedDevices
} from "@countersign/core"
import { EventStore } from "@countersign/core/storage"
import { Effect } from "effect"
import type { DevicesApi, EventsApi, SettingsApi } from "./contract.ts"
import type { Handlers } from "../Handlers.ts"
import type { errors as auth } from "../auth/errors.ts"
import type { errors as billing } from "../billing/errors.ts"
import type { errors } from "./errors.ts"
import { page } from "../page.ts"

const pageSize = 50

const shownDevice = ({ id, label, trustEndsAt, trustedAt, usedAt }: TrustedDevice) => ({
  id,
  label,
  trustedAt: Instant.toIso(trustedAt),
  lastUsedAt: Instant.toIso(usedAt),
  expiresAt: Instant.toIso(trustEndsAt)
})

/** Answers settings, events and devices of `/v1/dashboard`. */
export const make = Effect.gen(function* () {
  const merchants = yield* Merchants
  const events = yield* EventStore
  const devices = yield* TrustedDevices
  const advice = yield* SettingsAdvice
  const advised = (caller: Caller) => (settings: Settings) => ({
    ...settings,
    warnings: advice.warnings(caller, settings)
  })
  const settings: Handlers<typeof SettingsApi, typeof errors | typeof billing> = {
    get: ({ caller }) => Effect.map(merchants.settings(caller), advised(caller)),
    // A client may send back a whole answer, so ignore its warnings.
    update: ({ caller, payload: { warnings: _, ...patch } }) =>
      Effect.map(merchants.changeSettings(caller, patch), advised(caller))
  }
  const eventHandlers: Handlers<typeof EventsApi> = {
    list: ({ caller, query }) => {
      const limit = query.limit ?? pageSize
      return Effect.map(
        events.list({
          environment: caller.environment,
          type: query.type ?? null,
          after: query.cursor ?? null,
          limit: limit + 1
        }),
        (found) => page(found, limit, (event) => envelope(seenEvent(caller, event), caller.kind))
      )
    }
  }
  const deviceHandlers: Handlers<typeof DevicesApi, typeof errors | typeof auth> = {
    list: ({ caller, query }) =>
      Effect.map(devices.list(caller, query.identity), (found) => ({
        items: found.map(shownDevice),
        nextCursor: null
      })),
    revoke: ({ caller, params }) => devices.revoke(caller, params.id)
  }
  return { settings, events: eventHandlers, devices: deviceHandlers }
})
