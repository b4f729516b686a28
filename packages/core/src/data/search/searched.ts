import { Effect } from "effect"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { stopwatch } from "../../foundation/time/steadyTime.ts"
import type { Verification } from "../../auth/verification/Verification.ts"
import type { Searched, SearchPage } from "../../auth/verification/VerificationSearch.ts"
import type { VerificationStore } from "../../auth/verification/VerificationStore.ts"

/** How many verifications a statement reads. */
const atOnce = 500
/**
 * How long, in milliseconds, a search continues for a page that is not full. Old rows come from disk, which makes a
 * statement twenty times slower. A partial page with a cursor serves the caller better then.
 */
const patience = 25

/**
 * Searches in steps until the page is full, everything or `most` was read, or time is up. The next page continues from
 * there. `keep` decides what storage cannot.
 */
export const searched = Effect.fnUntraced(function* (
  { search }: Pick<VerificationStore["Service"], "search">,
  page: SearchPage,
  keep: (verification: Verification) => boolean = () => true
): Effect.fn.Return<Searched, StoreError> {
  const elapsed = yield* stopwatch
  const matching: Array<Verification> = []
  let before = page.before
  for (let looked = 0; ; ) {
    const most = Math.min(atOnce, page.most - looked)
    const step: Searched = yield* search({ ...page, before, limit: page.limit - matching.length, most })
    matching.push(...step.found.filter(keep))
    looked += most
    const isOver = step.after === null || matching.length >= page.limit || looked >= page.most
    if (isOver || elapsed() >= patience) return { found: matching, after: step.after }
    before = step.after
  }
})
