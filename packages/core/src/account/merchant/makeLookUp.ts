import { Clock, Effect } from "effect"
import { Limits, type Place } from "../../foundation/limit/Limits.ts"
import type { RateLimited } from "../../foundation/limit/RateLimited.ts"
import type { Caller } from "./Caller.ts"
import { type Holding, seesIdentities } from "./sight.ts"
import { auditEntry } from "../../foundation/outbox/AuditEntry.ts"
import { Outbox } from "../../foundation/outbox/Outbox.ts"
import type { Contended } from "../../foundation/storage/Contended.ts"
import { logStoreError } from "../../foundation/storage/logStoreError.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"

/** How often an hour somebody who sees masks asks for a whole identity that nothing is known of. */
const mostInVain = 100

const place = (key: string, most: number): Place => ({ key, most, limit: "lookUps", countedIn: "storage" })

/**
 * Makes what looks somebody up by their whole identity. A mask keeps most of a number to itself, and whoever sees masks
 * could try all numbers that fit one: those that find nothing have a limit by person. What is found has none, so that
 * people who look up their customers all day meet it only where they guess.
 */
export const makeLookUp = Effect.gen(function* () {
  const limits = yield* Limits
  const outbox = yield* Outbox

  /** Puts down, once an hour, that somebody was stopped. */
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
      StoreError: (error) => logStoreError("That somebody guesses identities was not put down", error)
    })
  )

  /** `ask` finds by a whole identity out of such a holding; `isFound` says whether it did. */
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
