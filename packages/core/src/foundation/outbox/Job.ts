import type { Instant } from "../time/Instant.ts"

/** Work that outlives the process which asked for it. It carries ids, never a code, and a message only sealed. */
export interface Job {
  /** Unique; asking twice for the same key is asking once. `send:dlv_…` */
  readonly key: string
  readonly environment: string
  /** The name of its `JobKind`. */
  readonly kind: string
  /**
   * What many jobs pass and only so many at once, such as a provider. There, environments are served by turns, and a
   * job is not claimed before there is room for it. One without a gate passes freely.
   */
  readonly gate?: string
  /** A part of the gate with a width of its own, such as one receiver: a slow one holds up no other. */
  readonly lane?: string
  readonly payload: JobPayload
  readonly runAt: Instant
  /** No other process is told that it waits; they find it when they look. It is not kept. */
  readonly quiet?: boolean
}

export type JobPayload = { readonly [name: string]: string | number | null }

/** A job somebody works on. Nobody else gets it before `leasedUntil`. */
export interface LeasedJob extends Job {
  readonly leasedUntil: Instant
  /** How often the job was claimed, this time included: a holder of an older number changes nothing. */
  readonly fence: number
  /** How often its work failed before. A claim that came to nothing, or whose process died, is not among them. */
  readonly failures: number
}

/** A job inside a change: to be claimed by anybody, or already leased to the process that commits it. */
export type NewJob = Job | LeasedJob

export const isLeased = (job: NewJob): job is LeasedJob => "leasedUntil" in job

/** The right to finish one claim of a job. */
export type Lease = Pick<LeasedJob, "key" | "fence">
