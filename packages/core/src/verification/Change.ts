import type { Event } from "../event/Event.ts"
import type { Lease, NewJob } from "../job/Job.ts"
import type { Subject } from "./Subject.ts"
import type { Verification } from "./Verification.ts"

/** What a decision wants written: plain data, all of it or nothing. */
export interface Change {
  /** The person's next state, carrying the version that was loaded. */
  readonly subject: Subject
  /** A verification's next state, new or known; null when only the subject changes. */
  readonly verification: Verification | null
  /** From now on this merchant reference means `verification`. */
  readonly orderId: string | null
  readonly events: ReadonlyArray<Event>
  readonly jobs: ReadonlyArray<NewJob>
  /** The job whose work this change is: it ends with the commit, if the lease still holds. */
  readonly done: Lease | null
}
