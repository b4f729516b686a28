import { Effect } from "effect"
import type { Settings } from "../../account/merchant/Settings.ts"
import type { ScoredReason } from "../../foundation/guard/GuardReason.ts"
import { hours, type Instant, seconds } from "../../foundation/time/Instant.ts"
import { LineLookups, LineLookupsPerHour } from "./LineLookups.ts"
import { lineReasons, lineRequestOf } from "./lineReasons.ts"

/** How long an initiate waits for facts. Without an answer by then, there is no reason. */
const patience = seconds(1)

/** The lookups of each environment in the current hour. */
class HourlyCount {
  #hour = 0
  readonly #counts = new Map<string, number>()

  /** Counts one more, unless that would exceed `most`. */
  take(environment: string, most: number, now: Instant): boolean {
    const hour = Math.floor(now / hours(1))
    if (hour !== this.#hour) {
      this.#hour = hour
      this.#counts.clear()
    }
    const count = this.#counts.get(environment) ?? 0
    if (count >= most) return false
    this.#counts.set(environment, count + 1)
    return true
  }
}

/**
 * Finds the guard's reasons against a line, at the providers of line facts. A provider that fails, is slow, or does not
 * know gives no reason. An attacker who changes numbers causes one paid lookup for each of them, so each process asks
 * for at most `LineLookupsPerHour` numbers of an environment in an hour, and judges the others without facts.
 */
export const makeLineGuard = Effect.gen(function* () {
  const lookups = yield* LineLookups
  const most = yield* LineLookupsPerHour
  const spent = new HourlyCount()
  return Effect.fnUntraced(function* (
    environment: string,
    canonical: string,
    settings: Settings,
    now: Instant
  ): Effect.fn.Return<ReadonlyArray<ScoredReason>> {
    if (lookups.facts.size === 0) return []
    const request = lineRequestOf(canonical, settings, now)
    const { facts } = yield* lookups.lookUp(environment, request, patience, () => spent.take(environment, most, now))
    return lineReasons(facts, settings)
  })
})
