import { Tokens } from "@countersign/core"
import { StorageHealth } from "@countersign/core/storage"
import { Effect } from "effect"
import type { SystemApi } from "./contract.ts"
import { NotReady } from "../Fault.ts"
import type { Handlers } from "../Handlers.ts"
import type { errors } from "./errors.ts"

/** Answers health checks and the public keys of idTokens. */
export const make = Effect.gen(function* () {
  const storage = yield* StorageHealth
  const tokens = yield* Tokens
  const handlers: Handlers<typeof SystemApi, typeof errors> = {
    healthz: () => Effect.succeed({ status: "ok" }),
    readyz: () =>
      Effect.mapBoth(storage.check, { onSuccess: () => ({ status: "ok" as const }), onFailure: () => new NotReady() }),
    jwks: () => Effect.succeed(tokens.jwks)
  }
  return handlers
})
