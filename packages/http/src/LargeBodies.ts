import { Effect } from "effect"
import { usualBody } from "./contract/PublicLimits.ts"
import { LargeBodiesBusy } from "./Fault.ts"
import type { WireRequest } from "./WireRequest.ts"

/** So many large bodies are in a process's memory at once, each up to the end of its request. */
const mostAtOnce = 4
/** Of these one merchant has half at most, so that two are left for others. */
const mostOfOne = 2

/** Whether a body may be of more than the usual size: it says so, or says nothing. */
export const mayBeLarge = ({ header }: WireRequest): boolean =>
  !(Number(header("content-length") ?? Number.NaN) <= usualBody)

/** The places for bodies that are larger than usual, in one process. */
export class LargeBodies {
  readonly #held = new Map<string, number>()
  #all = 0

  #take(owner: string): boolean {
    const own = this.#held.get(owner) ?? 0
    if (this.#all >= mostAtOnce || own >= mostOfOne) return false
    this.#held.set(owner, own + 1)
    this.#all++
    return true
  }

  #leave(owner: string): void {
    const own = (this.#held.get(owner) ?? 0) - 1
    if (own > 0) this.#held.set(owner, own)
    else this.#held.delete(owner)
    this.#all--
  }

  /** Does what reads a large body, and all that is done with it, in one of the places; fails at once where there is none. */
  within<A, E>(owner: string, effect: Effect.Effect<A, E>): Effect.Effect<A, E | LargeBodiesBusy> {
    return Effect.acquireUseRelease(
      Effect.suspend(() => (this.#take(owner) ? Effect.void : Effect.fail(new LargeBodiesBusy()))),
      () => effect,
      () => Effect.sync(() => this.#leave(owner))
    )
  }
}
