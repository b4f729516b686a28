import { Context, type Effect } from "effect"
import type { EnvironmentKind, Merchant } from "../../account/merchant/Merchant.ts"
import { type Change, leavesNothing } from "../../foundation/outbox/Change.ts"
import type { Conflict } from "../../foundation/storage/Conflict.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { Agent } from "./Agent.ts"
import type { Session } from "./Session.ts"
import type { SignInLink } from "./SignInLink.ts"

/** Somebody with the merchant they work for. */
export interface Post {
  readonly agent: Agent
  readonly merchant: Merchant
  /** The merchant's environments, by their ids. */
  readonly environments: { readonly [K in EnvironmentKind]: string }
}

/** A post of a person who may have several. `lastUsedAt`: of its proven sessions of this era; null when none is kept. */
export interface UsedPost extends Post {
  readonly lastUsedAt: Instant | null
}

/** The next states of what one decision about people touches, each with the version it was read at. */
export type PersonChange = Change<{
  readonly agents: ReadonlyArray<Agent>
  readonly links: ReadonlyArray<SignInLink>
  /** New ones; of known ones `endedAt` alone is written. */
  readonly sessions: ReadonlyArray<Session>
}>

/** A change, from the parts of it that are not empty. */
export const personChange = (parts: Partial<PersonChange>): PersonChange => ({
  ...leavesNothing,
  agents: [],
  links: [],
  sessions: [],
  ...parts
})

/**
 * How people sign in: their sessions and links. The agents themselves are those of `LeadStore`, read and written here
 * together with what depends on them: a session is always read with its agent as it is at that moment.
 */
export class PersonStore extends Context.Service<
  PersonStore,
  {
    /** The session of that hash with whose it is, ended or not; null when there is none. */
    readonly session: (hash: string) => Effect.Effect<(Post & { readonly session: Session }) | null, StoreError>
    /** The sessions of an agent that were not ended, by id, which is by age. Some may have run out. */
    readonly sessions: (merchantId: string, agentId: number) => Effect.Effect<ReadonlyArray<Session>, StoreError>
    /** The link of that hash with whose it is, used or not; null when there is none. */
    readonly link: (hash: string) => Effect.Effect<(Post & { readonly link: SignInLink }) | null, StoreError>
    /** The link of an agent; null when they never had one. */
    readonly linkOf: (merchantId: string, agentId: number) => Effect.Effect<SignInLink | null, StoreError>
    /** Everybody with that address, removed ones left out, whichever merchant they work for: by its id. */
    readonly posts: (canonical: string) => Effect.Effect<ReadonlyArray<UsedPost>, StoreError>
    /** An agent, unless they were removed. */
    readonly post: (merchantId: string, agentId: number) => Effect.Effect<Post | null, StoreError>
    /** The number of a new agent. One that is not used is left out; none is given twice. */
    readonly nextAgent: (merchantId: string) => Effect.Effect<number, StoreError>
    /**
     * Writes all of it or nothing. `Conflict` when one of the states is not at the version that the change carries, or
     * a new one shares with another what none may share: a hash, or an agent's address.
     */
    readonly commit: (change: PersonChange) => Effect.Effect<void, Conflict | StoreError>
    /** Moves the last use of a session on; never back. */
    readonly used: (session: Pick<Session, "id" | "merchantId">, at: Instant) => Effect.Effect<void, StoreError>
  }
>()("@countersign/core/person/PersonStore") {}
