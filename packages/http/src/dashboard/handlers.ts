import {
  type Caller,
  envelope,
  Merchants,
  seenEvent,
  type Settings,
  SettingsAdvice,
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
import { shownDevice } from "./shownDevice.ts"

const pageSize = 50

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
