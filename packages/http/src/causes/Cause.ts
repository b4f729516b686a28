import type { ErrorCode } from "../contract/ErrorEnvelope.ts"
import type { Failure } from "../wire.ts"

/** One cause of an error code. Texts are Markdown with links relative to `docs/`. */
export interface Cause {
  readonly when: string
  /** What the caller can do. */
  readonly advice: string
  /** A failure with this cause. Its HTTP answer is the example in the docs. Null for a defect. */
  readonly failure: Failure | null
}

/** The most likely cause comes first. */
export type Causes = readonly [Cause, ...ReadonlyArray<Cause>]

export type CausesByCode = { readonly [C in ErrorCode]?: Causes }
