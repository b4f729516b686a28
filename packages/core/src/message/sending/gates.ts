import { Clock, Effect } from "effect"
import type { Channel } from "../../foundation/delivery/Channel.ts"
import { isChannelName } from "../../foundation/delivery/ChannelName.ts"
import { Channels, nameable } from "../../foundation/delivery/Channels.ts"
import { carrierOf } from "../../foundation/delivery/chooseCarrier.ts"
import { type Flow, Gate } from "../../foundation/outbox/Gate.ts"
import { Jobs } from "../../foundation/outbox/Jobs.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import { onClock, type SteadyInstant, steadyMillis } from "../../foundation/time/steadyTime.ts"
import type { Traffic } from "./Bulk.ts"
import { type Guard, roomOf, usualAtOnce } from "./Guard.ts"
import type { NoTurn } from "./SendOutcome.ts"

const untilOnClock = (until: SteadyInstant | null, clock: Clock.Clock): Instant | null =>
  until === null ? null : onClock(until, clock)

/** A channel's gate and the carriers behind it. */
interface Crossing {
  readonly gate: Gate
  readonly guards: ReadonlyArray<Guard>
  /** The lanes of messages whose carriers had no turn, with those carriers. */
  readonly lanes: Map<string, ReadonlyArray<Guard>>
}

/** No other lane of a channel's gate has this name. */
export const laneOf = (carriers: ReadonlyArray<string>): string => `for ${carriers.toSorted().join(" ")}`

const sum = (numbers: ReadonlyArray<number>) => numbers.reduce((all, each) => all + each, 0)

const earliest = (instants: ReadonlyArray<Instant | null>): Instant | null =>
  instants.reduce((first, each) => (first === null || (each !== null && each < first) ? each : first), null)

/**
 * Returns what limits a channel's gate in addition to its places: the pace and health of its carriers. See `otherwise`.
 * A channel rests when all its carriers rest. Messages whose carrier had no turn wait in a lane until it has one.
 */
const flowOf = ({ gate, guards, lanes: crowded }: Crossing, clock: Clock.Clock): Flow => {
  const now = steadyMillis(clock)
  // Jobs that passed the gate but have not started their send will each take a turn.
  const entered = gate.running - sum(guards.map(({ sending }) => sending))
  // Counts only the lane's own jobs. Jobs for other carriers, which share the gate, must not use up this lane's room.
  const lanes = Array.from(crowded, ([lane, carriers]) => {
    const coming = Math.max(0, gate.runningIn(lane) - sum(carriers.map(({ sending }) => sending)))
    return { lane, room: Math.max(0, Math.max(...carriers.map((guard) => roomOf(guard, now))) - coming) }
  })
  const plain = sum(guards.map(({ account }) => account.single.room(now)))
  const working = guards.filter(({ account }) => account.single.room(now) === Number.POSITIVE_INFINITY)
  const paces = working.flatMap(({ pace }) => pace ?? [])
  if (plain !== Number.POSITIVE_INFINITY || paces.length < working.length) {
    const more = earliest(guards.map(({ account }) => untilOnClock(account.single.blockedUntil(now), clock)))
    return { room: Number.POSITIVE_INFINITY, plain, named: Number.POSITIVE_INFINITY, lanes, worth: 1, more }
  }
  const room = Math.max(0, sum(paces.map((pace) => pace.room(now))) - entered)
  const worth = Math.min(...paces.map((pace) => pace.worth))
  const more = earliest(paces.map((pace) => onClock(pace.opens(pace.worth + entered), clock)))
  return { room, plain: room, named: room, lanes, worth, more }
}

/** Puts a gate before every channel's messages, and reports how much room its carriers have. */
export const makeGates = Effect.fnUntraced(function* (guardOf: (channel: Channel) => Guard) {
  const channels = yield* Channels
  const clock = yield* Clock.Clock
  const jobs = yield* Jobs
  const crossings = new WeakMap<Guard, Crossing>()

  for (const name of nameable(channels)) {
    const guards = channels.carriersOf(name).map(guardOf)
    const places = guards.length === 0 ? usualAtOnce : sum(guards.map((guard) => guard.places))
    const gate = new Gate({
      name,
      places,
      ...(guards.length === 0 ? {} : { flow: () => flowOf(crossing, clock) })
    })
    const crossing: Crossing = { gate, guards, lanes: new Map() }
    for (const guard of guards) crossings.set(guard, crossing)
    yield* jobs.pass(gate)
  }
  // A removed channel leaves messages behind. They pass the gate so that they can fail, because no carrier sends them.
  yield* jobs.adopt((name) => (isChannelName(name) ? new Gate({ name, places: usualAtOnce }) : null))

  /**
   * Puts a message whose carriers are full into a lane of its gate. Each combination of full carriers has its own lane.
   */
  const waitFor = (full: ReadonlyArray<Channel>): NoTurn => {
    const lane = laneOf(full.map(carrierOf))
    const guards = full.map(guardOf)
    crossings.get(guards[0]!)?.lanes.set(lane, guards)
    return { _tag: "NoTurn", lane }
  }

  return {
    waitFor,

    /**
     * Returns whether a carrier has no free place or no turn. A single carrier is never full, because its gate already
     * counts its sends. A gate with several carriers can admit more messages for one of them than it takes.
     */
    isFull: (guard: Guard): boolean =>
      (crossings.get(guard)?.guards.length ?? 1) > 1 &&
      (guard.sending >= guard.places || guard.pace?.room(steadyMillis(clock)) === 0),

    /** Returns a carrier's traffic without its bulk messages. */
    trafficOf: (guard: Guard): Traffic => {
      const { gate, guards } = crossings.get(guard) ?? { gate: null, guards: [guard] }
      const { pace, places, sending } = guard
      // A job behind a shared gate may use any of its carriers, so only started sends count.
      return { pace, places, running: guards.length > 1 ? sending : Math.max(gate?.running ?? 0, sending) }
    }
  }
})

export type Gates = Effect.Success<ReturnType<typeof makeGates>>
