import type { Instant } from "../time/Instant.ts"

/** Work that survives the process that requested it. It contains ids, never a code, and message text only encrypted. */
export interface Job {
  /** Unique: adding a job with an existing key has no effect. `send:dlv_…` */
  readonly key: string
  readonly environment: string
  /** The name of its `JobKind`. */
  readonly kind: string
  /**
   * The gate that limits how many jobs run at the same time, for example against one provider. Environments take turns
   * at a gate, and a job is claimed only when the gate has room. A job without a gate is not limited.
   */
  readonly gate?: string
  /** A part of the gate with its own width, for example one receiver, so that a slow receiver delays no other. */
  readonly lane?: string
  readonly payload: JobPayload
  readonly runAt: Instant
  /** Storage does not notify other processes of this job; they find it at their next poll. This flag is not stored. */
  readonly quiet?: boolean
}

export type JobPayload = { readonly [name: string]: string | number | null }

/** A job that a process works on. No other process gets it before `leasedUntil`. */
export interface LeasedJob extends Job {
  readonly leasedUntil: Instant
  /** How often the job was claimed, including this claim. A holder with an older number cannot change the job. */
  readonly fence: number
  /** How often its handler failed before. Claims that ended without work, or whose process died, do not count. */
  readonly failures: number
}

/** A job inside a change: open for any process, or already leased to the process that commits it. */
export type NewJob = Job | LeasedJob

export const isLeased = (job: NewJob): job is LeasedJob => "leasedUntil" in job

/** The right to finish one claim of a job. */
export type Lease = Pick<LeasedJob, "key" | "fence">
