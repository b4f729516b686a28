import { Context, Metric } from "effect"
import type { Channel } from "../../foundation/delivery/Channel.ts"
import { carrierOf } from "../../foundation/delivery/chooseCarrier.ts"
import type { SteadyInstant } from "../../foundation/time/steadyTime.ts"
import { Breaker } from "./Breaker.ts"

/** The health of so many merchants' accounts is remembered; the one that was idle longest is forgotten. */
const mostAccounts = 10_000

/**
 * The health of one account with a provider. Failures of campaigns count apart: a list of numbers that the provider is
 * slow about must not stop codes, least of all those of other merchants.
 */
export interface AccountHealth {
  readonly single: Breaker
  readonly bulk: Breaker
}

const unknownHealth = (): AccountHealth => ({ single: new Breaker(), bulk: new Breaker() })

/** Until when an account takes nothing in bulk: while it rests for every message, or for campaigns alone. */
export const bulkClosedFrom = ({ bulk, single }: AccountHealth, now: SteadyInstant): SteadyInstant | null =>
  single.closedFrom(now) ?? bulk.closedFrom(now)

const resting = Metric.gauge("countersign_provider_resting", {
  description: "1 while a provider fails and is left alone, as far as this process has seen"
})

export const sayResting = (channel: Channel, { isOpen }: Breaker): void =>
  Metric.withAttributes(resting, { provider: channel.provider, carrier: carrierOf(channel) }).updateUnsafe(
    isOpen ? 1 : 0,
    Context.empty()
  )

const keyOf = (channel: Channel, id: string) => `${carrierOf(channel)} ${id}`

/** The health of every account with a provider, as far as this process has seen. */
export class AccountHealths {
  readonly #ofCarriers = new Map<string, AccountHealth>()
  readonly #ofAccounts = new Map<string, AccountHealth>()

  /**
   * Of the service's own account. Channels whose carrier has the same name fail together, such as SMS and RCS by one
   * provider.
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

  /** Of a merchant's account that a message goes out by now. */
  ofAccount(channel: Channel, id: string): AccountHealth {
    const key = keyOf(channel, id)
    const known = this.#ofAccounts.get(key) ?? unknownHealth()
    // The map keeps the order of last use.
    this.#ofAccounts.delete(key)
    this.#ofAccounts.set(key, known)
    if (this.#ofAccounts.size > mostAccounts) this.#ofAccounts.delete(this.#ofAccounts.keys().next().value!)
    return known
  }

  /** The same, without using it: undefined where nothing is known of that account. */
  known(channel: Channel, id: string): AccountHealth | undefined {
    return this.#ofAccounts.get(keyOf(channel, id))
  }
}
