import { Schema } from "effect"
import type { Job } from "../../foundation/outbox/Job.ts"
import * as JobKind from "../../foundation/outbox/JobKind.ts"
import { type Instant, minutes, seconds } from "../../foundation/time/Instant.ts"

/** The gate of example days: each process plays one part at a time. */
export const exampleGate = "example"

const Payload = Schema.Struct({
  seed: Schema.Number,
  /** When the day was requested: its end. */
  ends: Schema.Number,
  /** How many scenes have run. */
  played: Schema.Number
})
export type ExamplePayload = typeof Payload.Type

/** Plays an example day part by part. Its handler ends the day on repeated failure, so that another day can start. */
export const exampleKind = JobKind.make("example", Payload, {
  mostFailures: null,
  lease: minutes(2),
  backoff: { first: seconds(2), most: seconds(30), spread: 0.2 },
  quiet: true
})

/** One at a time in an environment. */
export const exampleKey = (environment: string): string => `example:${environment}`

export const exampleJob = (environment: string, seed: number, now: Instant): Job =>
  exampleKind.job({
    key: exampleKey(environment),
    environment,
    gate: exampleGate,
    payload: { seed, ends: now, played: 0 },
    runAt: now
  })
