import { Context, Metric } from "effect"
import type { Channel } from "../../foundation/delivery/Channel.ts"
import { carrierOf } from "../../foundation/delivery/chooseCarrier.ts"
import type { SteadyInstant } from "../../foundation/time/steadyTime.ts"
import { Breaker } from "./Breaker.ts"

/**
 * The maximum number of merchants' provider accounts whose health this process keeps. Beyond it, the least recently
 * used account is dropped.
 */
const maxAccounts = 10_000

/**
 * The health of one account with a provider. `bulk` counts campaign messages, and `single` counts all others. A
 * provider that is slow for a campaign's numbers must not stop codes, least of all those of other merchants.
 */
export interface AccountHealth {
  readonly single: Breaker
  readonly bulk: Breaker
}

const newHealth = (): AccountHealth => ({ single: new Breaker(), bulk: new Breaker() })

/**
 * Returns until when a breaker blocks bulk messages; null while none does. The breaker for single messages blocks bulk
 * messages too.
 */
export const bulkBlockedUntil = ({ bulk, single }: AccountHealth, now: SteadyInstant): SteadyInstant | null =>
  single.blockedUntil(now) ?? bulk.blockedUntil(now)

const restingGauge = Metric.gauge("countersign_provider_resting", {
  description: "1 while this process pauses sends to a failing provider"
})

export const recordResting = (channel: Channel, { isOpen }: Breaker): void =>
  Metric.withAttributes(restingGauge, { provider: channel.provider, carrier: carrierOf(channel) }).updateUnsafe(
    isOpen ? 1 : 0,
    Context.empty()
  )

const keyOf = (channel: Channel, id: string) => `${carrierOf(channel)} ${id}`

/** The health of all provider accounts, as observed by this process. */
export class AccountHealthMap {
  readonly #ofCarriers = new Map<string, AccountHealth>()
  readonly #ofAccounts = new Map<string, AccountHealth>()

  /**
   * Returns the health of the service's own account with a carrier. Channels with the same carrier name share it, such
   * as SMS and RCS of one provider.
   */
  ofCarrier(channel: Channel): AccountHealth {
    const carrier = carrierOf(channel)
    const existing = this.#ofCarriers.get(carrier)
    if (existing !== undefined) return existing
    const health = newHealth()
    this.#ofCarriers.set(carrier, health)
    recordResting(channel, health.single)
    return health
  }

  /** Returns the health of a merchant's own account. Counts as a use, so call it only for a send. */
  ofAccount(channel: Channel, id: string): AccountHealth {
    const key = keyOf(channel, id)
    const health = this.#ofAccounts.get(key) ?? newHealth()
    // Keeps the map in order of last use: its first key is the least recently used account.
    this.#ofAccounts.delete(key)
    this.#ofAccounts.set(key, health)
    if (this.#ofAccounts.size > maxAccounts) this.#ofAccounts.delete(this.#ofAccounts.keys().next().value!)
    return health
  }

  /** Like `ofAccount`, but does not count as a use. Undefined for an unknown account. */
  peek(channel: Channel, id: string): AccountHealth | undefined {
    return this.#ofAccounts.get(keyOf(channel, id))
  }
}
