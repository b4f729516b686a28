import * as Identifier from "../../foundation/identity/Identifier.ts"
import { minutes, type Instant } from "../../foundation/time/Instant.ts"
import { refused } from "../../account/stat/statFacts.ts"
import type { Fact } from "../../foundation/outbox/Fact.ts"
import type { Refusal } from "./Refusal.ts"

/** Refusals collected until the next write, at most once a second. */
export interface Gathered {
  readonly refusals: ReadonlyArray<Refusal>
  readonly facts: ReadonlyArray<Fact>
}

/** The limit for requests with the public key, which every app user has. */
const mostOfApps = 1
const mostOfBackends = 100
/** Beyond this many combinations, refusals are counted without channel and country. */
const mostSums = 200
const quarter = minutes(15)

interface Sum extends Pick<Refusal, "channel" | "country" | "environment" | "path" | "reason"> {
  readonly at: Instant
  n: number
}

/**
 * Refused initiates in this process's memory, until they are written together. Under a flood all are counted and only a
 * few are stored: one a second from apps, a hundred from backends. The counts are exact.
 */
export class Gathering {
  #refusals: Array<Refusal> = []
  #sums = new Map<string, Sum>()
  readonly #kept = { SDK: 0, SERVER: 0 }

  /** Whether another refusal of this path would be stored, and not only counted. */
  keeps(path: Refusal["path"]): boolean {
    return this.#kept[path] < (path === "SDK" ? mostOfApps : mostOfBackends)
  }

  add(refusal: Refusal): void {
    const { environment, path, reason } = refusal
    const { channel, country } = this.#sums.size < mostSums ? refusal : { channel: null, country: null }
    const at = Math.floor(refusal.at / quarter) * quarter
    const key = JSON.stringify([environment, path, reason, channel, country, at])
    const sum = this.#sums.get(key)
    if (sum === undefined) this.#sums.set(key, { environment, path, reason, channel, country, at, n: 1 })
    else sum.n++
    if (!this.keeps(path)) return
    this.#kept[path]++
    this.#refusals.push(refusal)
  }

  /** Returns the collected refusals, or null without any. Starts the next second. */
  take(now: Instant): Gathered | null {
    if (this.#sums.size === 0) return null
    const facts = Array.from(this.#sums.values(), ({ at, environment, ...value }) =>
      refused.fact({ environment, at, key: Identifier.make("rfs", now), value })
    )
    const refusals = this.#refusals
    this.#sums = new Map()
    this.#refusals = []
    this.#kept.SDK = 0
    this.#kept.SERVER = 0
    return { refusals, facts }
  }
}
