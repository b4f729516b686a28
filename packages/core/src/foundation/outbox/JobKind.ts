import { Result, Schema } from "effect"
import { type Millis, seconds } from "../time/Instant.ts"
import type { Job, JobPayload } from "./Job.ts"

/**
 * The delay after a failure. It doubles from `first` up to `most`, plus a random part of up to `spread` times the
 * delay.
 */
export interface Backoff {
  readonly first: Millis
  readonly most: Millis
  readonly spread: number
}

/** The delay after this number of earlier failures. `chance` is a random number from 0 to 1. */
export const backoff = ({ first, most, spread }: Backoff, failures: number, chance: number): Millis =>
  Math.ceil(Math.min(most, first * 2 ** Math.min(failures, 30)) * (1 + spread * chance))

/** The rules for all jobs of a kind, independent of the handler's outcome. */
export interface JobPolicy {
  /** How long a claim excludes other processes. Must be longer than any run of the handler. */
  readonly lease: Millis
  /** The retry delay after an unexpected failure of the handler. */
  readonly backoff: Backoff
  /** The number of failures after which an unexpected failure parks the job for good; null to retry without limit. */
  readonly mostFailures: number | null
  /**
   * Storage does not notify other processes of a job that could not start immediately, because the receiver is as busy
   * for them.
   */
  readonly quiet: boolean
  /**
   * Whether jobs of this kind are always due within seconds. A job due later was written by a process whose clock was
   * ahead, so storage moves it after the clock was set back.
   */
  readonly alwaysSoon: boolean
  /**
   * Whether a commit adds a job that may exist already. Such a job never starts with its commit, because the stored job
   * may have another payload, or may be running.
   */
  readonly joins: boolean
}

const usual: JobPolicy = {
  lease: seconds(15),
  backoff: { first: seconds(2), most: seconds(60), spread: 0.2 },
  mostFailures: 20,
  quiet: false,
  alwaysSoon: false,
  joins: false
}

/** A kind of background work, declared next to the work. */
export interface JobKind<A> {
  /** The name in storage. A released name keeps its meaning, and its payload keeps its format. */
  readonly name: string
  readonly policy: JobPolicy
  /** Creates a job of this kind. */
  readonly job: (job: Omit<Job, "kind" | "payload"> & { readonly payload: A }) => Job
  /**
   * Parses a payload that another process wrote, possibly in another version. Fails with a description of the problem.
   */
  readonly read: (payload: JobPayload) => Result.Result<A, string>
}

/**
 * Declares a kind of job: its name, its payload schema, and the changes to the default policy. A payload contains ids,
 * never a code, and text that people wrote only encrypted.
 *
 * @example
 * ```ts
 * import { JobKind, Jobs } from "@countersign/core/storage"
 * import { Effect, Schema } from "effect"
 *
 * const poke = JobKind.make("poke", Schema.Struct({ leadId: Schema.String }), { mostFailures: 3 })
 *
 * // Where a change is decided:
 * const job = poke.job({ key: "poke:1", environment: "env_1", payload: { leadId: "1" }, runAt: 0 })
 *
 * // Where the work is done:
 * const program = Effect.gen(function* () {
 *   const jobs = yield* Jobs
 *   yield* jobs.handle(poke, ({ payload }) => Effect.as(Effect.log(payload.leadId), { _tag: "Completed" as const }))
 *   return job
 * })
 * ```
 */
export const make = <A extends JobPayload>(
  name: string,
  payload: Schema.Codec<A, JobPayload>,
  policy: Partial<JobPolicy> = {}
): JobKind<A> => {
  const all = { ...usual, ...policy }
  const decode = Schema.decodeUnknownResult(payload)
  return {
    name,
    policy: all,
    job: (job) => ({ ...job, kind: name, ...(all.quiet ? { quiet: true } : {}) }),
    read: (text) => Result.mapError(decode(text), String)
  }
}
