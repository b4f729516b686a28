import type { Instant } from "../time/Instant.ts"
import type { Job, LeasedJob } from "./Job.ts"
import type { JobStore } from "./JobStore.ts"
import { Lanes } from "./Lanes.ts"

/** What became of a job that had a place: it bears on the width of its lane. */
export type Went = "well" | "badly" | "undone"

/** No claim asks for more than this. */
const mostPerClaim = 64

/** What limits a gate beside its places. */
export interface Flow {
  /** How many more jobs may be let in now, from all lanes together. */
  readonly room: number
  /** How many of them from those in no lane. */
  readonly plain: number
  /** How many from a lane that has a name. */
  readonly named: number
  /** Lanes that have a name and another room. */
  readonly lanes: JobStore.GateRoom["rooms"]
  /** How much room makes a claim worth its statement, while others are in the gate. */
  readonly worth: number
  /** From when on there is so much room by the passing of time alone; null when time changes nothing. */
  readonly more: Instant | null
}

export interface GateOptions {
  readonly name: string
  /** How many jobs may be in it at once, in this process. */
  readonly places: number
  /** See `GateRoom.share`. */
  readonly share?: number
  /** The width of each receiver's lane. */
  readonly lanes?: Lanes
  /** What limits it beside places. */
  readonly flow?: (now: Instant) => Flow
}

/**
 * What many jobs pass and only so many at once, in this process. What finds no place waits in storage without being
 * claimed, and is fetched when there is room again: oldest first, environments by turns.
 */
export class Gate {
  readonly name: string
  readonly #places: number
  readonly #share: number | null
  readonly #lanes: Lanes | undefined
  readonly #flow: ((now: Instant) => Flow) | undefined
  /** How many places each environment holds. */
  readonly #held = new Map<string, number>()
  /** How many places each lane with a name holds. */
  readonly #inLanes = new Map<string, number>()
  #running = 0
  /** How many jobs the claim that is on its way may bring, perhaps all of one environment. */
  #coming = 0
  /** There may be work in storage that found no room. */
  #backlog = false

  constructor({ flow, lanes, name, places, share }: GateOptions) {
    this.name = name
    this.#places = places
    this.#share = share ?? null
    this.#lanes = lanes
    this.#flow = flow
  }

  /** How many jobs are in it. */
  get running(): number {
    return this.#running
  }

  /** How many jobs of a lane are in it. */
  runningIn(lane: string): number {
    return this.#inLanes.get(lane) ?? 0
  }

  #fits(environment: string): boolean {
    const free = this.#places - this.#running - this.#coming
    const held = (this.#held.get(environment) ?? 0) + this.#coming
    return free > 0 && (this.#share === null || held < this.#share * free)
  }

  /** Takes a place for a new job, if there is one. What finds none waits in storage. */
  take(job: Job, now: Instant): boolean {
    const { environment, lane } = job
    if (!this.#fits(environment) || !this.#flows(job, now)) {
      this.#backlog = true
      return false
    }
    // What waits in a lane is flagged there, and wakes the claim when the lane has room.
    if (this.#lanes !== undefined && lane !== undefined && !this.#lanes.take(lane)) return false
    this.#enter(job)
    return true
  }

  /** Whether a new job may go. Where all compete for one provider, none goes before what waits in storage. */
  #flows({ lane }: Job, now: Instant): boolean {
    const flow = this.#flow?.(now)
    if (flow === undefined) return true
    return !this.#backlog && flow.room > 0 && (lane === undefined ? flow.plain : flow.named) > 0
  }

  #enter({ environment, lane }: Job): void {
    this.#running++
    this.#held.set(environment, (this.#held.get(environment) ?? 0) + 1)
    if (lane !== undefined) this.#inLanes.set(lane, this.runningIn(lane) + 1)
  }

  /** What to ask storage for now; null when there is no room at all. */
  ask(now: Instant): JobStore.GateRoom | null {
    const free = this.#places - this.#running
    const flow = this.#flow?.(now)
    const limit = Math.min(mostPerClaim, free, flow?.room ?? free)
    if (limit <= 0 || (flow !== undefined && flow.room < flow.worth && this.#running > 0)) return null
    return {
      gate: this.name,
      limit,
      free,
      share: this.#share,
      held: Array.from(this.#held, ([environment, held]) => ({ environment, held })),
      room: this.#lanes === undefined ? Math.min(limit, flow?.named ?? limit) : Lanes.usualRoom,
      rooms:
        this.#lanes !== undefined
          ? this.#lanes.rooms
          : flow === undefined
            ? []
            : [{ lane: "", room: flow.plain }, ...flow.lanes].filter(({ room }) => room < limit)
    }
  }

  /**
   * A claim is on its way. Where environments have a share, what it may bring has its places from now on; elsewhere new
   * jobs need not wait for it, and the two together may be a few more than there are places.
   */
  claiming({ limit }: JobStore.GateRoom): void {
    if (this.#share !== null) this.#coming = limit
  }

  /** The claim brought nothing, because it failed. */
  unclaimed(): void {
    this.#coming = 0
  }

  /** What was claimed has its places. True when there may be more for the room that is left. */
  claimed(asked: JobStore.GateRoom, jobs: ReadonlyArray<LeasedJob>): boolean {
    this.#coming = 0
    for (const job of jobs) this.#enter(job)
    const plain = asked.rooms.find(({ lane }) => lane === "")?.room ?? asked.limit
    const shared = [...this.#held.keys()].some((environment) => !this.#fits(environment))
    const lanes = jobs.flatMap(({ lane }) => (lane === undefined ? [] : [lane]))
    const gaveAll = ({ lane, room }: JobStore.GateRoom["rooms"][number]) =>
      lane !== "" && lanes.filter((one) => one === lane).length >= room
    const isCrowded = this.#lanes === undefined && asked.rooms.some(gaveAll)
    this.#backlog = jobs.length >= Math.min(asked.limit, plain) || shared || isCrowded
    const inLanes = this.#lanes?.claimed(lanes, asked.rooms) ?? false
    return inLanes || jobs.length > 0
  }

  /** Gives a place back. True when something may wait for it. */
  leave({ environment, lane }: Job, went: Went, now: Instant): boolean {
    this.#running--
    const held = (this.#held.get(environment) ?? 1) - 1
    if (held === 0) this.#held.delete(environment)
    else this.#held.set(environment, held)
    if (lane !== undefined) {
      const left = this.runningIn(lane) - 1
      if (left > 0) this.#inLanes.set(lane, left)
      else this.#inLanes.delete(lane)
    }
    const inLane = lane !== undefined && this.#lanes?.leave(lane, went) === true
    return inLane || (this.#backlog && this.ask(now) !== null)
  }

  /** From when on what waits may find room, if nothing leaves before; null when nothing is known to wait. */
  more(now: Instant): Instant | null {
    return this.#backlog ? (this.#flow?.(now).more ?? null) : null
  }
}
