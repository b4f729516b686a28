import { Clock, Effect, type Result } from "effect"
import type { Conflict } from "../storage/Conflict.ts"
import type { StoreError } from "../storage/StoreError.ts"
import type { Instant } from "../time/Instant.ts"
import type { KeyChange } from "./keyRules.ts"
import type { EnvironmentKeys, KeyStore } from "./KeyStore.ts"

/**
 * The one door through which keys change, whoever asks: a key, the operator's command, the configuration. It loads an
 * environment's keys, decides, and commits what was decided. Whatever is to be recorded of a change (who, when, from,
 * to) is recorded here, in the same commit.
 *
 * A commit that lost against another is a `Conflict`: the caller decides anew, with `untilCommitted`.
 */
export const changeKeys = <E>(
  store: KeyStore["Service"],
  environment: string,
  decide: (keys: EnvironmentKeys, now: Instant) => Result.Result<ReadonlyArray<KeyChange>, E>
): Effect.Effect<ReadonlyArray<KeyChange>, E | Conflict | StoreError> =>
  Effect.gen(function* () {
    const keys = (yield* store.load(environment)) ?? { environment, version: 0, keys: [] }
    const changes = yield* Effect.fromResult(decide(keys, yield* Clock.currentTimeMillis))
    if (changes.length === 0) return changes
    yield* store.commit({
      environment,
      version: keys.version,
      added: changes.filter(({ from }) => from === null).map(({ to }) => to),
      changed: changes.filter(({ from }) => from !== null).map(({ to }) => to)
    })
    return changes
  })
