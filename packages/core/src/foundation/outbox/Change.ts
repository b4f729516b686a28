import type { Event } from "../event/Event.ts"
import type { AuditEntry } from "./AuditEntry.ts"
import type { Booking } from "./Booking.ts"
import type { Fact, FactId } from "./Fact.ts"
import type { Lease, NewJob } from "./Job.ts"

/**
 * What a change leaves behind beside the next state of its aggregate, whichever aggregate that is. A store's `Change` is
 * both, and plain data; storage writes all of it in one step, or nothing. A new kind of thing to leave is a field here, a
 * part of the one statement that Postgres composes into every commit, and a line in memory.
 */
export interface Outgoing {
  readonly events: ReadonlyArray<Event>
  readonly jobs: ReadonlyArray<NewJob>
  /** The job whose work this change is: it ends with the commit, if the lease still holds. */
  readonly done: Lease | null
  /** What is to be counted or charged of this change. */
  readonly facts: ReadonlyArray<Fact>
  /** The facts that this change has taken into its sum: they are gone with the commit. */
  readonly folded: ReadonlyArray<FactId>
  /** What is to be known of who did this. */
  readonly audited: ReadonlyArray<AuditEntry>
  /** The money that it moves. Where there is not enough, nothing of the change is written, and it is a `Conflict`. */
  readonly booked: ReadonlyArray<Booking>
}

/**
 * What may leave without money alone: nothing guards such a change, so it may be written twice, and nobody would notice
 * that it was paid twice.
 */
export interface Unbooked extends Outgoing {
  readonly booked: readonly []
}

/** No event, no job, none done, no fact, no deed, no money: what a change is made from that leaves little. */
export const leavesNothing: Unbooked = {
  events: [],
  jobs: [],
  done: null,
  facts: [],
  folded: [],
  audited: [],
  booked: []
}
