import { Instant, type Key, Keys, type KeyWithSecret } from "@countersign/core"
import { Effect, Redacted } from "effect"
import type { Handlers } from "../Handlers.ts"
import type { errors } from "./errors.ts"
import type { KeyApi } from "./contract.ts"

const shown = ({ createdAt, id, lastUsedAt, name, retiringAt, scopes, type }: Key) => ({
  id,
  type,
  scopes,
  name,
  createdAt: Instant.toIso(createdAt),
  lastUsedAt: Instant.toIsoOrNull(lastUsedAt),
  retiringAt: Instant.toIsoOrNull(retiringAt),
  clientId: type === "SERVER" ? id : null,
  publicKey: type === "PUBLIC" ? id : null
})

const shownOnce = ({ clientSecret, key }: KeyWithSecret) => ({
  ...shown(key),
  clientSecret: clientSecret === null ? null : Redacted.value(clientSecret)
})

/** Answers `/v1/dashboard/keys`. */
export const make = Effect.gen(function* () {
  const keys = yield* Keys
  const handlers: Handlers<typeof KeyApi, typeof errors> = {
    list: ({ caller }) => Effect.map(keys.list(caller), (found) => ({ items: found.map(shown), nextCursor: null })),
    create: ({ caller, payload }) => Effect.map(keys.create(caller, payload), shownOnce),
    roll: ({ caller, params, payload }) => Effect.map(keys.roll(caller, params.id, payload), shownOnce),
    revoke: ({ caller, params }) => keys.revoke(caller, params.id)
  }
  return handlers
})
