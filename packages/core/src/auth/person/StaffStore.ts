import { Context, type Effect } from "effect"
import type { EnvironmentKind, Merchant } from "../../account/merchant/Merchant.ts"
import { leavesNothing, type Outgoing } from "../../foundation/outbox/Change.ts"
import type { Conflict } from "../../foundation/storage/Conflict.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { Agent } from "./Agent.ts"
import type { Session } from "./Session.ts"
import type { SignInLink } from "./SignInLink.ts"
import type { Team } from "./Team.ts"

/**
 * The people who work for merchants: agents and teams, and how agents sign in (sessions and links). No other store
 * writes them. A session is always read with its agent as it is at that moment.
 */
export class StaffStore extends Context.Service<
  StaffStore,
  {
    readonly staff: (merchantId: string) => Effect.Effect<StaffStore.Staff, StoreError>
    /** The session of that hash with its membership, ended or not; null when there is none. */
    readonly session: (
      hash: string
    ) => Effect.Effect<(StaffStore.Membership & { readonly session: Session }) | null, StoreError>
    /** The sessions of an agent that were not ended, by id, which is by age. Some may have run out. */
    readonly sessions: (merchantId: string, agentId: number) => Effect.Effect<ReadonlyArray<Session>, StoreError>
    /** The link of that hash with its membership, used or not; null when there is none. */
    readonly link: (
      hash: string
    ) => Effect.Effect<(StaffStore.Membership & { readonly link: SignInLink }) | null, StoreError>
    /** The link of an agent; null when they never had one. */
    readonly linkOf: (merchantId: string, agentId: number) => Effect.Effect<SignInLink | null, StoreError>
    /** The memberships of an address at all merchants, without removed ones, by the merchant's id. */
    readonly memberships: (canonical: string) => Effect.Effect<ReadonlyArray<StaffStore.UsedMembership>, StoreError>
    /** An agent, unless they were removed. */
    readonly membership: (
      merchantId: string,
      agentId: number
    ) => Effect.Effect<StaffStore.Membership | null, StoreError>
    /** The number of a new agent or team. An unused number is skipped; none is given twice. */
    readonly next: (merchantId: string, count: "agent" | "team") => Effect.Effect<number, StoreError>
    /**
     * Writes all of it or nothing, and answers agents and teams as they are stored now. `Conflict` when a state is not
     * at the version that the change carries, or a new one shares what must be unique: a hash, an agent's address, a
     * team's name, or `takesNew`.
     */
    readonly commit: (change: StaffStore.Change) => Effect.Effect<StaffStore.Staff, Conflict | StoreError>
    /** Moves the last use of a session on; never back. */
    readonly used: (session: Pick<Session, "id" | "merchantId">, at: Instant) => Effect.Effect<void, StoreError>
  }
>()("@countersign/core/person/StaffStore") {
  /** A change, from the parts of it that are not empty. */
  static readonly change = (parts: Partial<StaffStore.Change>): StaffStore.Change => ({
    ...leavesNothing,
    agents: [],
    teams: [],
    links: [],
    sessions: [],
    ...parts
  })
}

export declare namespace StaffStore {
  /** Everybody who works for a merchant, and its teams; those removed are left out. */
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

  /** One of the memberships of a person. `lastUsedAt`: the last use of its proven sessions of this era; null without one. */
  export interface UsedMembership extends Membership {
    readonly lastUsedAt: Instant | null
  }

  /** The next states that one decision about people carries, each with the version it was read at. */
  export type Change = Outgoing &
    Staff & {
      readonly links: ReadonlyArray<SignInLink>
      /** New sessions; of known ones only `endedAt` is written. */
      readonly sessions: ReadonlyArray<Session>
    }
}
