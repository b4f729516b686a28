import type { ErrorCode } from "../contract/ErrorEnvelope.ts"
import type { Failure } from "../wire.ts"

/** One way to be answered a code. The texts are Markdown, and their links are relative to `docs/`. */
export interface Cause {
  readonly when: string
  /** What whoever is answered so can do. */
  readonly advice: string
  /** One of the failures that are answered so: the page's example is what it is on the wire. Null for a defect. */
  readonly failure: Failure | null
}

/** What the likeliest cause is comes first. */
export type Causes = readonly [Cause, ...ReadonlyArray<Cause>]

export type CausesByCode = { readonly [C in ErrorCode]?: Causes }
