import { Semaphore } from "effect"
import type { Channel } from "../../foundation/delivery/Channel.ts"
import type { TemplateFault } from "../../foundation/delivery/ChannelError.ts"
import type { MessageKind } from "../../foundation/delivery/Message.ts"
import type { SteadyInstant } from "../../foundation/time/steadyTime.ts"
import type { AccountHealth, AccountHealthMap } from "./AccountHealth.ts"
import { Bulk } from "./Bulk.ts"
import { Pace } from "./Pace.ts"

/** The number of concurrent sends for a carrier that states no limit. */
export const usualAtOnce = 100

/** What this process knows about one carrier. */
export interface Guard {
  /** The service's own account with the provider. */
  readonly account: AccountHealth
  readonly pace: Pace | null
  /** The number of single sends in progress, including those that wait for their turn. */
  sending: number
  readonly places: number
  readonly bulk: Bulk
  /** One bulk message at a time waits for its turn. The others queue behind it. */
  readonly queue: Semaphore.Semaphore
  /** Template faults by kind of message, because links and codes use different templates. */
  readonly faults: Map<MessageKind, { readonly fault: TemplateFault; readonly until: SteadyInstant }>
}

/**
 * Returns how many more sends a carrier takes now. A resting carrier has unlimited room: it refuses its messages
 * immediately, so they can go another way.
 */
export const roomOf = ({ account, pace, places, sending }: Guard, now: SteadyInstant): number =>
  account.single.room(now) === 0 ? Number.POSITIVE_INFINITY : Math.min(places - sending, pace?.room(now) ?? places)

/**
 * Returns a function that gives each channel its one guard. `usualBulk` is the number of bulk messages a second for a
 * carrier without its own pace.
 */
export const makeGuardOf = (healths: AccountHealthMap, usualBulk: number) => {
  const guards = new WeakMap<Channel, Guard>()
  return (channel: Channel): Guard => {
    const known = guards.get(channel)
    if (known !== undefined) return known
    const { atOnce = usualAtOnce, perSecond } = channel.limits ?? {}
    const guard: Guard = {
      account: healths.ofCarrier(channel),
      pace: perSecond === undefined ? null : new Pace(perSecond),
      sending: 0,
      places: atOnce,
      bulk: new Bulk(perSecond, usualBulk),
      queue: Semaphore.makeUnsafe(1),
      faults: new Map()
    }
    guards.set(channel, guard)
    return guard
  }
}
