import { Clock, Effect } from "effect"
import { Limits, type Place } from "../../foundation/limit/Limits.ts"
import type { RateLimited } from "../../foundation/limit/RateLimited.ts"
import type { Caller } from "./Caller.ts"
import { type Holding, seesIdentities } from "./seesIdentities.ts"
import { auditEntry } from "../../foundation/outbox/AuditEntry.ts"
import { Outbox } from "../../foundation/outbox/Outbox.ts"
import type { Contended } from "../../foundation/storage/Contended.ts"
import { logStoreError } from "../../foundation/storage/logStoreError.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"

/** How many searches per hour without a result a person who sees only masked identities may make. */
const mostInVain = 100

const place = (key: string, most: number): Place => ({ key, most, limit: "lookUps", countedIn: "storage" })

/**
 * Makes the lookup by whole identity. A mask hides most of a number, so a person who sees masks could try all numbers
 * that match one. So searches without a result are limited per person. Successful searches are not, so normal work with
 * customers does not reach the limit.
 */
export const makeLookUp = Effect.gen(function* () {
  const limits = yield* Limits
  const outbox = yield* Outbox

  /** Records, once an hour, that a person reached the limit. */
  const putDown = Effect.fnUntraced(
    function* (caller: Caller, agentId: number) {
      const target = { kind: "agent", id: String(agentId) }
      const deed = { action: "identity.guessed", target, to: { inVain: mostInVain } }
      const entry = auditEntry(caller, deed, yield* Clock.currentTimeMillis)
      const seen = yield* limits.look(caller.environment, [place(`look-up.told:${agentId}`, 1)])
      yield* seen.during(outbox.append({ audited: [entry] }))
    },
    Effect.catchTags({
      RateLimited: () => Effect.void,
      Contended: () => Effect.void,
      StoreError: (error) => logStoreError("The audit entry about guessed identities was not recorded", error)
    })
  )

  /** `ask` searches by whole identity; `isFound` says whether the search had a result. */
  const lookUp = <A, E, R>(
    caller: Caller,
    holding: Holding,
    ask: Effect.Effect<A, E, R>,
    isFound: (answer: A) => boolean
  ): Effect.Effect<A, E | RateLimited | Contended | StoreError, R> => {
    const { environment, person } = caller
    if (person === null || seesIdentities(caller, holding)) return ask
    return Effect.gen(function* () {
      const seen = yield* limits
        .look(environment, [place(`look-up:${person.agentId}`, mostInVain)])
        .pipe(
          Effect.tapError((error) => (error._tag === "RateLimited" ? putDown(caller, person.agentId) : Effect.void))
        )
      return yield* seen.during(ask, (answer) => !isFound(answer))
    })
  }
  return lookUp
})

export type LookUp = Effect.Success<typeof makeLookUp>
