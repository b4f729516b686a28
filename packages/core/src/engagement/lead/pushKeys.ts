import { Effect } from "effect"
import { Keyring } from "../../foundation/secret/Keyring.ts"
import * as SigningKey from "../../foundation/secret/SigningKey.ts"

/**
 * The deployment's push keys by the ids of their master keys, derived at the first use. A browser accepts messages of
 * the key that it subscribed with only, so a previous secret still reaches its browsers while it is configured.
 */
export const makePushKeys: Effect.Effect<
  Effect.Effect<ReadonlyMap<string, SigningKey.SigningKey>>,
  never,
  Keyring
> = Effect.gen(function* () {
  const { all } = yield* Keyring
  const derived = Effect.forEach(all, (key) => SigningKey.derive(key, "push"))
  return yield* Effect.cached(Effect.map(derived, (keys) => new Map(keys.map((key) => [key.kid, key]))))
})
