import { Result, Schema } from "effect"
import { type Millis, seconds } from "../time/Instant.ts"
import type { Job, JobPayload } from "./Job.ts"

/** How long to wait after a failure: doubling from `first` up to `most`, and by chance up to `spread` of that longer. */
export interface Backoff {
  readonly first: Millis
  readonly most: Millis
  readonly spread: number
}

/** The wait after this many earlier failures. `chance` is from 0 to 1. */
export const backoff = ({ first, most, spread }: Backoff, failures: number, chance: number): Millis =>
  Math.ceil(Math.min(most, first * 2 ** Math.min(failures, 30)) * (1 + spread * chance))

/** What is done with the jobs of a kind, whatever their handler makes of them. */
export interface JobPolicy {
  /** How long nobody else takes a job that somebody works on. It is longer than any work takes. */
  readonly lease: Millis
  /** When a job runs again whose handler failed in a way that it did not foresee. */
  readonly backoff: Backoff
  /** A job that failed so often, and then failed unforeseen, is put aside; null for one that never is. */
  readonly mostFailures: number | null
  /** Nobody else is told of a job that could not start at once: what it waits for is as busy for them. */
  readonly quiet: boolean
  /**
   * A job of this kind is always due within seconds. One that is due later was written by a process whose clock was
   * ahead, and is moved after the clock was set back.
   */
  readonly alwaysSoon: boolean
}

const usual: JobPolicy = {
  lease: seconds(15),
  backoff: { first: seconds(2), most: seconds(60), spread: 0.2 },
  mostFailures: 20,
  quiet: false,
  alwaysSoon: false
}

/** A kind of work for later, declared beside the work it names. */
export interface JobKind<A> {
  /** How storage knows it. A name that was released keeps its meaning, and what it is given keeps its form. */
  readonly name: string
  readonly policy: JobPolicy
  /** A job of this kind. */
  readonly job: (job: Omit<Job, "kind" | "payload"> & { readonly payload: A }) => Job
  /** The payload as another process wrote it, perhaps in another version; or what is wrong with it. */
  readonly read: (payload: JobPayload) => Result.Result<A, string>
}

/**
 * Declares a kind of work: its name, the form of its payload, and what differs from the usual policy. A payload holds
 * ids, never a code, and what somebody wrote only sealed.
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
