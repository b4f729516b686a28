import { Schema } from "effect"
import type { Job } from "../../foundation/outbox/Job.ts"
import * as JobKind from "../../foundation/outbox/JobKind.ts"
import { type Instant, seconds } from "../../foundation/time/Instant.ts"
import type { Erasure } from "./Erasure.ts"

/** What erasures pass, so that those of a merchant who erases thousands go one after another. */
export const erasureGate = "erasure"
export const erasurePlaces = 2

/** Removes a person's data, step by step. Nobody else would, so it is never put aside. */
export const eraseKind = JobKind.make("erase", Schema.Struct({ erasureId: Schema.String }), {
  mostFailures: null,
  lease: seconds(30),
  backoff: { first: seconds(1), most: seconds(60), spread: 0.2 },
  quiet: true
})

export const eraseJob = ({ environment, id }: Pick<Erasure, "environment" | "id">, runAt: Instant): Job =>
  eraseKind.job({ key: `erase:${id}`, environment, gate: erasureGate, payload: { erasureId: id }, runAt })
