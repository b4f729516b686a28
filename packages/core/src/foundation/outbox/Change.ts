import type { Event } from "../event/Event.ts"
import type { AuditEntry } from "./AuditEntry.ts"
import type { Booking } from "./Booking.ts"
import type { Fact, FactId } from "./Fact.ts"
import type { Lease, NewJob } from "./Job.ts"

/**
 * The records that a change of any aggregate writes beside the aggregate's next state. A store's `Change` contains both
 * as plain data, and storage writes all of it in one step or nothing.
 *
 * A new kind of record needs a field here, a part in the Postgres commit statement, and a line in memory storage.
 */
export interface Outgoing {
  readonly events: ReadonlyArray<Event>
  readonly jobs: ReadonlyArray<NewJob>
  /** The lease of the job that this change finishes. The commit removes the job if the lease still holds. */
  readonly done: Lease | null
  /** Facts to count or to charge. */
  readonly facts: ReadonlyArray<Fact>
  /** The facts that this change adds to its sum. The commit deletes them. */
  readonly folded: ReadonlyArray<FactId>
  /** The audit entries of this change. */
  readonly audited: ReadonlyArray<AuditEntry>
  /** The money that this change books. When it is not covered, storage writes nothing and answers `Conflict`. */
  readonly booked: ReadonlyArray<Booking>
}

/**
 * Records that may be written without an aggregate. They must book no money: no version guards such a change, so a
 * repeat would charge twice.
 */
export interface Unbooked extends Outgoing {
  readonly booked: readonly []
}

/** The empty records: the base for changes that write few of them. */
export const noRecords: Unbooked = {
  events: [],
  jobs: [],
  done: null,
  facts: [],
  folded: [],
  audited: [],
  booked: []
}
