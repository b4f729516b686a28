import { Effect } from "effect"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { stopwatch } from "../../foundation/time/steadyTime.ts"
import type { Verification } from "../../auth/verification/Verification.ts"
import type { Searched, SearchPage } from "../../auth/verification/VerificationSearch.ts"
import type { VerificationStore } from "../../auth/verification/VerificationStore.ts"

/** How many verifications one statement looks at. */
const atOnce = 500
/**
 * A page that is not full looks on for so long, in milliseconds. What was not looked at for weeks is read from a disk: a
 * statement then takes twenty times what it takes otherwise, and whoever waits is better served with a part and a cursor.
 */
const patience = 25

/**
 * Looks for a page in steps, until it is full, everything or `most` was looked at, or it took too long. Where it stopped,
 * the next page goes on.
 */
export const searched = Effect.fnUntraced(function* (
  { search }: Pick<VerificationStore["Service"], "search">,
  page: SearchPage
): Effect.fn.Return<Searched, StoreError> {
  const elapsed = yield* stopwatch
  const found: Array<Verification> = []
  let before = page.before
  for (let looked = 0; ; ) {
    const most = Math.min(atOnce, page.most - looked)
    const step: Searched = yield* search({ ...page, before, limit: page.limit - found.length, most })
    found.push(...step.found)
    looked += most
    const isOver = step.after === null || found.length >= page.limit || looked >= page.most
    if (isOver || elapsed() >= patience) return { found, after: step.after }
    before = step.after
  }
})
