const narrowest = 1
const widest = 32
const widthAtFirst = 8
const mostRemembered = 10_000

interface Lane {
  width: number
  running: number
  /** The last look found more work than there was room for. */
  backlog: boolean
}

/**
 * How much work for one receiver may run side by side in this process. A lane widens with every success and halves
 * with every failure: a receiver that hangs holds one place and not all of them, and one that comes back is not run
 * over.
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
   * The room in every lane where it is not the usual one. An idle lane that is wider is left out: it begins with the usual
   * room and gets the rest at the next look, and every claim sends this list.
   */
  get rooms(): ReadonlyArray<{ readonly lane: string; readonly room: number }> {
    const rooms: Array<{ readonly lane: string; readonly room: number }> = []
    for (const [lane, { running, width }] of this.#lanes) {
      const room = Math.max(0, width - running)
      if (room !== Lanes.usualRoom && (running > 0 || room < Lanes.usualRoom)) rooms.push({ lane, room })
    }
    return rooms
  }

  /** The room in any other lane. */
  static readonly usualRoom = widthAtFirst

  /** Takes a place, if there is one. What finds none waits in storage. */
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
   * Work that was claimed from storage has its place. A lane that gave as much as it was asked for may have more, and
   * so may one that was too full to be asked: true when there is room for it already, because other work ended
   * meanwhile.
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

  /** Gives a place back; true when work may be waiting for it. */
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
