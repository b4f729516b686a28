import { Clock, Context, Effect, Layer } from "effect"
import type { Caller, SignedIn } from "../../account/merchant/Caller.ts"
import { logStoreError } from "../../foundation/storage/logStoreError.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { minutes } from "../../foundation/time/Instant.ts"
import type { UnknownLead } from "./LeadError.ts"
import { Leads } from "./Leads.ts"
import { type Presence, PresenceStore, present, renewed } from "./Presence.ts"

const purgeEvery = minutes(10)
/** Longer than anybody's presence lasts, so that no clock is too far behind. */
const keptFor = minutes(10)

/** What somebody's page says of a lead. */
export interface Looking {
  readonly typing?: boolean | null | undefined
  /** They have closed it. */
  readonly gone?: boolean | null | undefined
}

/**
 * Who has a lead open besides: so that no two people answer one customer at once. Each page says it every 15 seconds, and
 * is forgotten 40 seconds after the last time.
 *
 * @example
 * ```ts
 * import { type Caller, Presences } from "@countersign/core"
 * import { Effect } from "effect"
 *
 * const open = Effect.fn(function* (caller: Caller, leadId: number) {
 *   const { person } = caller
 *   if (person === null) return []
 *   const presences = yield* Presences
 *   const others = yield* presences.look({ ...caller, person }, leadId, { typing: true })
 *   return others.map(({ email }) => email)
 * })
 * ```
 */
export class Presences extends Context.Service<
  Presences,
  {
    /** Says that somebody looks at a lead, or has gone, and answers who else does: by agent. */
    readonly look: (
      caller: Caller & { readonly person: SignedIn },
      leadId: number,
      looking: Looking
    ) => Effect.Effect<ReadonlyArray<Presence>, UnknownLead | StoreError>
  }
>()("@countersign/core/lead/Presences") {
  static readonly layerNoDeps: Layer.Layer<Presences, never, Leads | PresenceStore> = Layer.effect(
    Presences,
    Effect.gen(function* () {
      const leads = yield* Leads
      const store = yield* PresenceStore

      yield* Clock.currentTimeMillis.pipe(
        Effect.flatMap((now) => store.purge(now - keptFor)),
        Effect.catch((error) => logStoreError("Who looked at leads was not forgotten", error)),
        Effect.delay(purgeEvery),
        Effect.forever,
        Effect.forkScoped
      )

      const look = Effect.fnUntraced(function* (
        caller: Caller & { readonly person: SignedIn },
        leadId: number,
        { gone, typing }: Looking
      ) {
        const { environment, person } = caller
        const { agentId, email } = person
        // What belongs to another environment does not exist, and neither does who looks at it.
        yield* leads.get(caller, leadId)
        const all = yield* store.list(environment, leadId)
        const now = yield* Clock.currentTimeMillis
        yield* gone === true
          ? store.remove(environment, leadId, agentId)
          : store.save(renewed(all, { environment, leadId, agentId, email, typing: typing === true }, now))
        return present(all, now).filter((one) => one.agentId !== agentId)
      })

      return Presences.of({ look })
    })
  )
}
