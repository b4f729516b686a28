import { Context, type Effect } from "effect"
import type { InvalidField } from "../identity/InvalidField.ts"
import type { Caller } from "../merchant/Caller.ts"
import type { Agent } from "../person/Agent.ts"
import type { Contended } from "../storage/Contended.ts"
import type { StoreError } from "../storage/StoreError.ts"
import type { UnknownAgent } from "./LeadError.ts"

/** What of an agent can be given. What a change leaves out stays. */
export interface AgentFields {
  readonly email?: string | null | undefined
  /** OWNER, ADMIN, AGENT or VIEWER. */
  readonly role?: string | null | undefined
  /** INVITED, ACTIVE or SUSPENDED. */
  readonly status?: string | null | undefined
}

/**
 * The people who work for a merchant: the same in all of its environments.
 *
 * @example
 * ```ts
 * import { Agents, type Caller } from "@countersign/core"
 * import { Effect } from "effect"
 *
 * const hire = Effect.fn(function* (caller: Caller) {
 *   const agents = yield* Agents
 *   return yield* agents.create(caller, { email: "asha@example.com", role: "AGENT", status: "ACTIVE" })
 * })
 * ```
 */
export class Agents extends Context.Service<
  Agents,
  {
    /** By id, which is by age. Removed ones are left out. */
    readonly list: (caller: Caller) => Effect.Effect<ReadonlyArray<Agent>, StoreError>
    /** A new one is ACTIVE and an AGENT unless it says otherwise. */
    readonly create: (
      caller: Caller,
      fields: AgentFields
    ) => Effect.Effect<Agent, InvalidField | Contended | StoreError>
    /** Who is no longer ACTIVE gives all leads back. */
    readonly change: (
      caller: Caller,
      id: number,
      fields: AgentFields
    ) => Effect.Effect<Agent, InvalidField | UnknownAgent | Contended | StoreError>
    /** Whom nobody needs any more: hidden, out of all teams, without leads. The address is free. */
    readonly remove: (
      caller: Caller,
      id: number
    ) => Effect.Effect<void, InvalidField | UnknownAgent | Contended | StoreError>
  }
>()("@countersign/core/lead/Agents") {}
