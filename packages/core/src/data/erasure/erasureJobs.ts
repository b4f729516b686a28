import { Schema } from "effect"
import type { Job } from "../../foundation/outbox/Job.ts"
import * as JobKind from "../../foundation/outbox/JobKind.ts"
import { type Instant, seconds } from "../../foundation/time/Instant.ts"
import type { Erasure } from "./Erasure.ts"

/** The gate that erasures share, so that a merchant's thousands of erasures run one after another. */
export const erasureGate = "erasure"
export const erasurePlaces = 2

/** Erases a person's data step by step. The job is never given up, because nothing else would finish it. */
export const eraseKind = JobKind.make("erase", Schema.Struct({ erasureId: Schema.String }), {
  mostFailures: null,
  lease: seconds(30),
  backoff: { first: seconds(1), most: seconds(60), spread: 0.2 },
  quiet: true
})

export const eraseJob = ({ environment, id }: Pick<Erasure, "environment" | "id">, runAt: Instant): Job =>
  eraseKind.job({ key: `erase:${id}`, environment, gate: erasureGate, payload: { erasureId: id }, runAt })
