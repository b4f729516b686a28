const narrowest = 1
const widest = 64
const widthAtFirst = 8
const mostRemembered = 10_000

interface Lane {
  width: number
  running: number
  /** Whether the last poll found more jobs than room. */
  backlog: boolean
}

/**
 * Limits how many jobs of one receiver run at the same time in this process. A lane widens with every success and
 * halves with every failure. So a hanging receiver holds one place instead of all, and a recovering one is not overrun.
 */
export class Lanes {
  readonly #lanes = new Map<string, Lane>()

  #lane(name: string): Lane {
    let lane = this.#lanes.get(name)
    if (lane === undefined) {
      lane = { width: widthAtFirst, running: 0, backlog: false }
      this.#lanes.set(name, lane)
      if (this.#lanes.size > mostRemembered) this.#forgetIdle()
    }
    return lane
  }

  #forgetIdle(): void {
    for (const [name, lane] of this.#lanes) if (lane.running === 0 && !lane.backlog) this.#lanes.delete(name)
  }

  room(name: string): number {
    const lane = this.#lanes.get(name)
    return lane === undefined ? widthAtFirst : Math.max(0, lane.width - lane.running)
  }

  /**
   * The lanes whose room differs from the default. Omits idle lanes that are wider: they start with the default and get
   * the rest at the next poll. Every claim sends this list, so it must stay short.
   */
  get rooms(): ReadonlyArray<{ readonly lane: string; readonly room: number }> {
    const rooms: Array<{ readonly lane: string; readonly room: number }> = []
    for (const [lane, { running, width }] of this.#lanes) {
      const room = Math.max(0, width - running)
      if (room !== Lanes.usualRoom && (running > 0 || room < Lanes.usualRoom)) rooms.push({ lane, room })
    }
    return rooms
  }

  /** The room in every other lane. */
  static readonly usualRoom = widthAtFirst

  /** Takes a place. Returns false when the lane is full; the job then waits in storage. */
  take(name: string): boolean {
    const lane = this.#lane(name)
    if (lane.running >= lane.width) {
      lane.backlog = true
      return false
    }
    lane.running += 1
    return true
  }

  /**
   * Assigns places to the claimed jobs. A lane that gave all that was requested may have more jobs, and so may a lane
   * that was full. Returns true when such a lane already has room again, because other jobs ended in the meantime.
   */
  claimed(names: ReadonlyArray<string>, asked = this.rooms): boolean {
    const rooms = new Map(asked.map(({ lane, room }) => [lane, room]))
    const counts = new Map(asked.filter(({ room }) => room === 0).map(({ lane, room }) => [lane, room]))
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
    let more = false
    for (const [name, count] of counts) {
      const lane = this.#lane(name)
      lane.running += count
      if (count < (rooms.get(name) ?? Lanes.usualRoom)) continue
      if (lane.running < lane.width) more = true
      else lane.backlog = true
    }
    return more
  }

  /** Releases a place. Returns true when a job may be waiting for it. */
  leave(name: string, outcome: "well" | "badly" | "undone"): boolean {
    const lane = this.#lane(name)
    lane.running -= 1
    if (outcome === "well") lane.width = Math.min(widest, lane.width + 1)
    else if (outcome === "badly") lane.width = Math.max(narrowest, Math.floor(lane.width / 2))
    const waiting = lane.backlog
    if (waiting) lane.backlog = false
    return waiting
  }
}
