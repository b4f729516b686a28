import type { Instant } from "../time/Instant.ts"
import type { Job, LeasedJob } from "./Job.ts"
import type { JobStore } from "./JobStore.ts"
import { Lanes } from "./Lanes.ts"

/** What a finished job reports to its lane. It adjusts the width of the lane. */
export type LaneSignal = "well" | "badly" | "undone"

/** The most jobs that one claim requests. */
const mostPerClaim = 64

/** A limit of a gate in addition to its places. */
export interface Flow {
  /** How many more jobs may enter now, from all lanes together. */
  readonly room: number
  /** How many of them may come from outside of lanes. */
  readonly plain: number
  /** How many may come from each named lane. */
  readonly named: number
  /** Named lanes whose room differs. */
  readonly lanes: JobStore.GateRoom["rooms"]
  /** The room that justifies a claim statement while other jobs are running. */
  readonly worth: number
  /** When enough room returns without any job ending; null when time alone frees no room. */
  readonly more: Instant | null
}

export interface GateOptions {
  readonly name: string
  /** The most jobs that run in it at the same time, in this process. */
  readonly places: number
  /** See `GateRoom.share`. */
  readonly share?: number
  /** The lanes of the receivers, with their widths. */
  readonly lanes?: Lanes
  /** The limit in addition to places. */
  readonly flow?: (now: Instant) => Flow
}

/**
 * Limits how many jobs run at the same time in this process, for example against one provider. Jobs without a place
 * wait in storage unclaimed. When a place is free, the gate fetches the oldest job, and environments take turns.
 */
export class Gate {
  readonly name: string
  readonly #places: number
  readonly #share: number | null
  readonly #lanes: Lanes | undefined
  readonly #flow: ((now: Instant) => Flow) | undefined
  /** The places each environment holds. */
  readonly #held = new Map<string, number>()
  /** The places each named lane holds. */
  readonly #inLanes = new Map<string, number>()
  #running = 0
  /** How many jobs the current claim may bring, possibly all of one environment. */
  #coming = 0
  /** Whether storage may contain jobs that found no room. */
  #backlog = false

  constructor({ flow, lanes, name, places, share }: GateOptions) {
    this.name = name
    this.#places = places
    this.#share = share ?? null
    this.#lanes = lanes
    this.#flow = flow
  }

  /** The number of running jobs. */
  get running(): number {
    return this.#running
  }

  /** The number of running jobs of a lane. */
  runningIn(lane: string): number {
    return this.#inLanes.get(lane) ?? 0
  }

  #fits(environment: string): boolean {
    const free = this.#places - this.#running - this.#coming
    const placesTaken = (this.#held.get(environment) ?? 0) + this.#coming
    return free > 0 && (this.#share === null || placesTaken < this.#share * free)
  }

  /** Takes a place for a new job. Returns false when there is no room; the job then waits in storage. */
  take(job: Job, now: Instant): boolean {
    const { environment, lane } = job
    if (!this.#fits(environment) || !this.#flows(job, now)) {
      this.#backlog = true
      return false
    }
    // The lane remembers that jobs wait, and triggers a claim when it has room.
    if (this.#lanes !== undefined && lane !== undefined && !this.#lanes.take(lane)) return false
    this.#enter(job)
    return true
  }

  /**
   * Whether a new job may enter. At a gate with a flow, all jobs compete for one provider, so new jobs wait behind
   * those in storage.
   */
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

  /** The room to request from storage now; null when there is no room. */
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
      held: Array.from(this.#held, ([environment, count]) => ({ environment, held: count })),
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
   * Records that a claim has started. At gates with shares, the jobs it may bring reserve places from now on. Other
   * gates do not reserve, so new jobs need not wait, and slightly more jobs than places may run.
   */
  claiming({ limit }: JobStore.GateRoom): void {
    if (this.#share !== null) this.#coming = limit
  }

  /** Records that the claim failed and brought nothing. */
  unclaimed(): void {
    this.#coming = 0
  }

  /** Assigns places to the claimed jobs. Returns true when storage may have more jobs for the remaining room. */
  claimed(request: JobStore.GateRoom, jobs: ReadonlyArray<LeasedJob>): boolean {
    this.#coming = 0
    for (const job of jobs) this.#enter(job)
    const roomOutsideLanes = request.rooms.find(({ lane }) => lane === "")?.room ?? request.limit
    const hasFullShare = [...this.#held.keys()].some((environment) => !this.#fits(environment))
    const lanes = jobs.flatMap(({ lane }) => (lane === undefined ? [] : [lane]))
    const filledItsRoom = ({ lane, room }: JobStore.GateRoom["rooms"][number]) =>
      lane !== "" && lanes.filter((jobLane) => jobLane === lane).length >= room
    const isCrowded = this.#lanes === undefined && request.rooms.some(filledItsRoom)
    this.#backlog = jobs.length >= Math.min(request.limit, roomOutsideLanes) || hasFullShare || isCrowded
    const inLanes = this.#lanes?.claimed(lanes, request.rooms) ?? false
    return inLanes || jobs.length > 0
  }

  /** Releases a place. Returns true when a job may be waiting for it. */
  leave({ environment, lane }: Job, signal: LaneSignal, now: Instant): boolean {
    this.#running--
    const placesLeftTaken = (this.#held.get(environment) ?? 1) - 1
    if (placesLeftTaken === 0) this.#held.delete(environment)
    else this.#held.set(environment, placesLeftTaken)
    if (lane !== undefined) {
      const runningLeft = this.runningIn(lane) - 1
      if (runningLeft > 0) this.#inLanes.set(lane, runningLeft)
      else this.#inLanes.delete(lane)
    }
    const inLane = lane !== undefined && this.#lanes?.leave(lane, signal) === true
    return inLane || (this.#backlog && this.ask(now) !== null)
  }

  /** When waiting jobs may find room even if no job ends; null when no job is known to wait. */
  more(now: Instant): Instant | null {
    return this.#backlog ? (this.#flow?.(now).more ?? null) : null
  }
}
