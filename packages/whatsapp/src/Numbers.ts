import type { SenderTrouble } from "./ErrorTable.ts"

/** The health of a number, as reported by Meta. */
export type Health =
  /** It can send, without complaints. */
  | "good"
  /** It can send, but recipients complain about it. */
  | "poor"
  /** It is not connected, or Meta blocks it. */
  | "blocked"

/** What a send revealed about its number. */
export type Lesson =
  /** Meta's answer says nothing against the number. */
  | "fine"
  /** No usable answer. */
  | "stumbled"
  | SenderTrouble

interface State {
  readonly id: string
  health: Health
  /** The end of the rest. */
  restsUntil: number
  /** Why it rests. A health check may end the rest of a broken number, but not that of a rate limit. */
  restsFor: Lesson
  /** The number of rests in a row. Each is longer than the one before. */
  rests: number
  stumbles: number
  lastUsed: number
}

interface Rest {
  readonly firstMillis: number
  readonly longestMillis: number
}

const minute = 60_000

const rests: { readonly [lesson in Exclude<Lesson, "fine">]: Rest } = {
  stumbled: { firstMillis: 5_000, longestMillis: minute },
  rate: { firstMillis: 1_000, longestMillis: minute / 2 },
  spam: { firstMillis: 5 * minute, longestMillis: 60 * minute },
  down: { firstMillis: 10 * minute, longestMillis: 10 * minute },
  token: { firstMillis: 10 * minute, longestMillis: 10 * minute }
}

/** A number rests after this many sends in a row without a usable answer. */
const stumblesToRest = 3

/** The most numbers of merchants to track. Beyond it, the longest idle number is dropped. */
const mostMet = 10_000

const unknown = (id: string): State => ({
  id,
  health: "good",
  restsUntil: 0,
  restsFor: "fine",
  rests: 0,
  stumbles: 0,
  lastUsed: 0
})

/**
 * The numbers to send from, and this process's observations of each. Health only orders them: when none is healthy, the
 * least bad one is used, so a wrong guess never stops all sending.
 */
export class Numbers {
  readonly #states: Map<string, State>
  #uses = 0

  constructor(ids: ReadonlyArray<string>) {
    this.#states = new Map(ids.map((id) => [id, unknown(id)]))
  }

  get ids(): ReadonlyArray<string> {
    return [...this.#states.keys()]
  }

  has(id: string): boolean {
    return this.#states.has(id)
  }

  /** The healthy number that has been idle longest, or the least bad one. */
  choose(now: number): string {
    const [best] = [...this.#states.values()].sort(
      (a, b) => rank(a, now) - rank(b, now) || restLeft(a, now) - restLeft(b, now) || a.lastUsed - b.lastUsed
    )
    return this.use(best!.id)
  }

  /** Records a send from this number. */
  use(id: string): string {
    const state = this.#states.get(id)
    if (state !== undefined) state.lastUsed = ++this.#uses
    return id
  }

  /** Records a send from this number, which may be new. */
  meet(id: string): string {
    const state = this.#states.get(id) ?? unknown(id)
    // Deleting and adding keeps the map in the order of last use.
    this.#states.delete(id)
    this.#states.set(id, state)
    if (this.#states.size > mostMet) this.#states.delete(this.#states.keys().next().value!)
    return this.use(id)
  }

  /** Whether a number other than this one is healthy. */
  elsewhere(id: string, now: number): boolean {
    return [...this.#states.values()].some((state) => state.id !== id && rank(state, now) === 0)
  }

  isHealthy(id: string, now: number): boolean {
    const state = this.#states.get(id)
    return state !== undefined && rank(state, now) === 0
  }

  /** How long a number still rests, in whole seconds. */
  restsForSeconds(id: string, now: number): number {
    const state = this.#states.get(id)
    return state === undefined ? 0 : Math.ceil(restLeft(state, now) / 1_000)
  }

  learn(id: string, lesson: Lesson, now: number): void {
    const state = this.#states.get(id)
    if (state === undefined) return
    if (lesson === "fine") {
      state.stumbles = 0
      // A success of a send that started before the rest proves nothing.
      if (now >= state.restsUntil || state.restsFor === "stumbled" || state.restsFor === "rate") recover(state)
      return
    }
    if (lesson === "stumbled" && ++state.stumbles < stumblesToRest) return
    // Sends that started before the rest fail too, and reveal nothing new.
    if (now < state.restsUntil && state.restsFor === lesson) return
    const { firstMillis, longestMillis } = rests[lesson]
    const until = now + Math.min(firstMillis * 2 ** state.rests, longestMillis)
    state.rests++
    if (until <= state.restsUntil) return
    state.restsUntil = until
    state.restsFor = lesson
  }

  /** Records a health check. It ends the rest of a broken number, but not other rests. */
  checked(id: string, health: Health): void {
    const state = this.#states.get(id)
    if (state === undefined) return
    state.health = health
    if (state.restsFor === "down" || state.restsFor === "token") recover(state)
  }
}

const recover = (state: State) => {
  state.stumbles = 0
  state.rests = 0
  state.restsUntil = 0
  state.restsFor = "fine"
}

const restLeft = (state: State, now: number) => Math.max(0, state.restsUntil - now)

/** 0 is healthy; higher is worse. */
const rank = (state: State, now: number): number => {
  if (state.health === "blocked") return 3
  if (restLeft(state, now) > 0) return 2
  return state.health === "poor" ? 1 : 0
}
