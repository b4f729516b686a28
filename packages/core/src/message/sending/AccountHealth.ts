import { Context, Metric } from "effect"
import type { Channel } from "../../foundation/delivery/Channel.ts"
import { carrierOf } from "../../foundation/delivery/chooseCarrier.ts"
import type { SteadyInstant } from "../../foundation/time/steadyTime.ts"
import { Breaker } from "./Breaker.ts"

/**
 * Limits how many merchants' accounts this process keeps health for. Beyond it, the least recently used account is
 * dropped.
 */
const mostAccounts = 10_000

/**
 * The health of one account with a provider. Campaign failures count separately: a provider that is slow for a
 * campaign's numbers must not stop codes, least of all those of other merchants.
 */
export interface AccountHealth {
  readonly single: Breaker
  readonly bulk: Breaker
}

const unknownHealth = (): AccountHealth => ({ single: new Breaker(), bulk: new Breaker() })

/** Until when an account accepts no bulk messages: while it rests for all messages, or only for campaigns. */
export const bulkClosedFrom = ({ bulk, single }: AccountHealth, now: SteadyInstant): SteadyInstant | null =>
  single.closedFrom(now) ?? bulk.closedFrom(now)

const resting = Metric.gauge("countersign_provider_resting", {
  description: "1 while this process pauses sends to a failing provider"
})

export const sayResting = (channel: Channel, { isOpen }: Breaker): void =>
  Metric.withAttributes(resting, { provider: channel.provider, carrier: carrierOf(channel) }).updateUnsafe(
    isOpen ? 1 : 0,
    Context.empty()
  )

const keyOf = (channel: Channel, id: string) => `${carrierOf(channel)} ${id}`

/** The health of every account with a provider, as observed by this process. */
export class AccountHealths {
  readonly #ofCarriers = new Map<string, AccountHealth>()
  readonly #ofAccounts = new Map<string, AccountHealth>()

  /**
   * Returns the health of the service's own account. Channels whose carriers have the same name share it, such as SMS
   * and RCS of one provider.
   */
  ofCarrier(channel: Channel): AccountHealth {
    const carrier = carrierOf(channel)
    const known = this.#ofCarriers.get(carrier)
    if (known !== undefined) return known
    const made = unknownHealth()
    this.#ofCarriers.set(carrier, made)
    sayResting(channel, made.single)
    return made
  }

  /** Returns the health of the merchant's account that is about to send. */
  ofAccount(channel: Channel, id: string): AccountHealth {
    const key = keyOf(channel, id)
    const known = this.#ofAccounts.get(key) ?? unknownHealth()
    // The map keeps the order of last use.
    this.#ofAccounts.delete(key)
    this.#ofAccounts.set(key, known)
    if (this.#ofAccounts.size > mostAccounts) this.#ofAccounts.delete(this.#ofAccounts.keys().next().value!)
    return known
  }

  /** Like `ofAccount`, but does not count as use. Undefined for an unknown account. */
  known(channel: Channel, id: string): AccountHealth | undefined {
    return this.#ofAccounts.get(keyOf(channel, id))
  }
}
