import { Clock, Context, Effect, Layer } from "effect"
import type { Caller, SignedIn } from "../../account/merchant/Caller.ts"
import { logStoreError } from "../../foundation/storage/logStoreError.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { minutes } from "../../foundation/time/Instant.ts"
import type { UnknownLead } from "./LeadError.ts"
import { Leads } from "./Leads.ts"
import { LeadStore } from "./LeadStore.ts"
import { type Presence, PresenceStore, present, renewed } from "./Presence.ts"

const purgeEvery = minutes(10)
/** Longer than any presence lasts, because clocks differ. */
const keptFor = minutes(10)

/** A page's report about a lead. */
export interface Looking {
  readonly typing?: boolean | null | undefined
  /** Whether the agent has closed the lead. */
  readonly gone?: boolean | null | undefined
}

/**
 * Shows which other agents have a lead open, so that two agents do not reply to the same customer. Each page reports
 * every 15 seconds, and its presence expires 40 seconds after the last report.
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
    /** Reports that an agent opened or closed a lead. Returns the other agents who have it open. */
    readonly look: (
      caller: Caller & { readonly person: SignedIn },
      leadId: number,
      looking: Looking
    ) => Effect.Effect<ReadonlyArray<Presence>, UnknownLead | StoreError>
  }
>()("@countersign/core/lead/Presences") {
  static readonly layerNoDeps: Layer.Layer<Presences, never, Leads | LeadStore | PresenceStore> = Layer.effect(
    Presences,
    Effect.gen(function* () {
      const leads = yield* Leads
      const leadStore = yield* LeadStore
      const store = yield* PresenceStore

      yield* Clock.currentTimeMillis.pipe(
        Effect.flatMap((now) => store.purge(now - keptFor)),
        Effect.andThen(leadStore.purgeChanges),
        Effect.catch((error) => logStoreError("Old presences and changes of leads were not deleted", error)),
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
        // A lead of another environment is unknown here, and so are the agents who have it open.
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
