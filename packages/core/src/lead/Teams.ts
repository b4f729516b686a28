import { Context, type Effect } from "effect"
import type { InvalidField } from "../identity/InvalidField.ts"
import type { Caller } from "../merchant/Caller.ts"
import type { Contended } from "../storage/Contended.ts"
import type { StoreError } from "../storage/StoreError.ts"
import type { UnknownTeam } from "./LeadError.ts"
import type { Team } from "./Team.ts"

/** What of a team can be given. What a change leaves out stays. */
export interface TeamFields {
  readonly name?: string | null | undefined
  /** OFF, ROUND_ROBIN or LEAST_OPEN. */
  readonly assignment?: string | null | undefined
  /** Ids of agents, in the order in which turns go round. */
  readonly members?: ReadonlyArray<number> | null | undefined
  readonly takesNew?: boolean | null | undefined
}

/**
 * A merchant's teams: the same in all of its environments.
 *
 * @example
 * ```ts
 * import { type Caller, Teams } from "@countersign/core"
 * import { Effect } from "effect"
 *
 * const arrange = Effect.fn(function* (caller: Caller, members: ReadonlyArray<number>) {
 *   const teams = yield* Teams
 *   return yield* teams.create(caller, { name: "Sales", assignment: "ROUND_ROBIN", members, takesNew: true })
 * })
 * ```
 */
export class Teams extends Context.Service<
  Teams,
  {
    /** By id, which is by age. Removed ones are left out. */
    readonly list: (caller: Caller) => Effect.Effect<ReadonlyArray<Team>, StoreError>
    readonly create: (caller: Caller, fields: TeamFields) => Effect.Effect<Team, InvalidField | Contended | StoreError>
    /** `takesNew` at one team takes it from the one that had it. */
    readonly change: (
      caller: Caller,
      id: number,
      fields: TeamFields
    ) => Effect.Effect<Team, InvalidField | UnknownTeam | Contended | StoreError>
    /** Its leads are of no team any more. */
    readonly remove: (caller: Caller, id: number) => Effect.Effect<void, UnknownTeam | Contended | StoreError>
  }
>()("@countersign/core/lead/Teams") {}
