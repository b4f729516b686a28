import { Semaphore } from "effect"
import type { Channel } from "../../foundation/delivery/Channel.ts"
import type { TemplateFault } from "../../foundation/delivery/ChannelError.ts"
import type { MessageKind } from "../../foundation/delivery/Message.ts"
import type { SteadyInstant } from "../../foundation/time/steadyTime.ts"
import type { AccountHealth, AccountHealths } from "./AccountHealth.ts"
import { Bulk } from "./Bulk.ts"
import { Pace } from "./Pace.ts"

/** How many sends a carrier gets at once that does not say. */
export const usualAtOnce = 100

/** What this process knows of a provider, from one of its channels: a carrier. */
export interface Guard {
  /** Of the service's own account with the provider. */
  readonly account: AccountHealth
  readonly pace: Pace | null
  /** Sends that have had their turn. */
  sending: number
  readonly places: number
  readonly bulk: Bulk
  /** Of those that go in bulk one waits for its turn, and the others for it. */
  readonly queue: Semaphore.Semaphore
  /** By what is sent: links travel in another template than codes, and the one may be sound where the other is not. */
  readonly faults: Map<MessageKind, { readonly fault: TemplateFault; readonly until: SteadyInstant }>
}

/** How many more sends a carrier takes now. One that rests turns its messages away at once: they go another way. */
export const roomOf = ({ account, pace, places, sending }: Guard, now: SteadyInstant): number =>
  account.single.room(now) === 0 ? Number.POSITIVE_INFINITY : Math.min(places - sending, pace?.room(now) ?? places)

/** The guard of a channel: always the same one. `usualBulk` is how many a second go in bulk by a carrier that has no pace. */
export const makeGuardOf = (healths: AccountHealths, usualBulk: number) => {
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
