import { Context, type Effect } from "effect"
import type { EnvironmentKind, Merchant } from "../../account/merchant/Merchant.ts"
import { noRecords, type Outgoing } from "../../foundation/outbox/Change.ts"
import type { Conflict } from "../../foundation/storage/Conflict.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { Agent } from "./Agent.ts"
import type { Session } from "./Session.ts"
import type { SignInLink } from "./SignInLink.ts"
import type { Team } from "./Team.ts"

/**
 * Stores team members: agents, teams, sessions and links. No other store writes them. It always reads a session
 * together with its agent, at the same moment.
 */
export class StaffStore extends Context.Service<
  StaffStore,
  {
    readonly staff: (merchantId: string) => Effect.Effect<StaffStore.Staff, StoreError>
    /** Returns the session with this hash and its membership, ended or not; null for an unknown hash. */
    readonly session: (
      hash: string
    ) => Effect.Effect<(StaffStore.Membership & { readonly session: Session }) | null, StoreError>
    /** Returns an agent's sessions that were not ended, by id, and so by age. Some may have expired. */
    readonly sessions: (merchantId: string, agentId: number) => Effect.Effect<ReadonlyArray<Session>, StoreError>
    /** Returns the link with this hash and its membership, used or not; null for an unknown hash. */
    readonly link: (
      hash: string
    ) => Effect.Effect<(StaffStore.Membership & { readonly link: SignInLink }) | null, StoreError>
    /** Returns the link of an agent; null when the agent never had a link. */
    readonly linkOf: (merchantId: string, agentId: number) => Effect.Effect<SignInLink | null, StoreError>
    /** Returns the memberships of an address at all merchants, without removed ones, by the merchant's id. */
    readonly memberships: (canonical: string) => Effect.Effect<ReadonlyArray<StaffStore.UsedMembership>, StoreError>
    /** Returns an agent, unless it was removed. */
    readonly membership: (
      merchantId: string,
      agentId: number
    ) => Effect.Effect<StaffStore.Membership | null, StoreError>
    /** Returns the number for a new agent or team. Numbers are never reused; unused ones are skipped. */
    readonly next: (merchantId: string, count: "agent" | "team") => Effect.Effect<number, StoreError>
    /**
     * Writes all of it or nothing, and returns agents and teams as stored. Fails with `Conflict` when a state is not at
     * the version that the change carries. Also fails when a new state repeats a unique value: a hash, an agent's
     * address, a team's name, or `takesNew`.
     */
    readonly commit: (change: StaffStore.Change) => Effect.Effect<StaffStore.Staff, Conflict | StoreError>
    /** Updates the last use of a session, never backwards, and its version: an end decided on before is a `Conflict`. */
    readonly used: (session: Pick<Session, "id" | "merchantId">, at: Instant) => Effect.Effect<void, StoreError>
  }
>()("@countersign/core/person/StaffStore") {
  /** A change, from its parts that are not empty. */
  static readonly change = (parts: Partial<StaffStore.Change>): StaffStore.Change => ({
    ...noRecords,
    agents: [],
    teams: [],
    links: [],
    sessions: [],
    ...parts
  })
}

export declare namespace StaffStore {
  /** All agents and teams of a merchant, without removed ones. */
  export interface Staff {
    readonly agents: ReadonlyArray<Agent>
    readonly teams: ReadonlyArray<Team>
  }

  /** An agent with the merchant they work for. */
  export interface Membership {
    readonly agent: Agent
    readonly merchant: Merchant
    /** The merchant's environments, by their ids. */
    readonly environments: { readonly [K in EnvironmentKind]: string }
  }

  /** A membership of a person. `lastUsedAt` is the last use of its proven sessions of this era; null without any. */
  export interface UsedMembership extends Membership {
    readonly lastUsedAt: Instant | null
  }

  /** The next states that a decision about people carries, each with the version it was read at. */
  export type Change = Outgoing &
    Staff & {
      readonly links: ReadonlyArray<SignInLink>
      /** New sessions. For existing sessions only `endedAt` is written. */
      readonly sessions: ReadonlyArray<Session>
    }
}
