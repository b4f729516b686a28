import { IpAddress } from "@countersign/core"
import { type ClientAddress, LocalRequest } from "@countersign/http"

/** Why a connection is refused: there are no more at all, or none for its address. */
export type Full = "ALL" | "ADDRESS"

/**
 * Whether many people may connect from one address: it is of a proxy that is named, of this machine, or of a private
 * network, as proxies and backends are.
 */
export const isSharedBy =
  (trustedProxies: ClientAddress.TrustedProxies) =>
  (address: string): boolean =>
    LocalRequest.isFromPrivateNetwork({ remoteAddress: address }) ||
    trustedProxies.some((range) => range.holds(address))

/** Of all connections, one public address holds at most a quarter: many phones of one mobile network have one. */
const shareOfAddress = 4

/** The connections there may be. A stranger, with one IPv4 address or one IPv6 /48, leaves most of them to others. */
export class ConnectionPlaces {
  readonly #most: number
  readonly #mostOfAddress: number
  readonly #isShared: (address: string) => boolean
  readonly #byNetwork = new Map<string, number>()
  #open = 0

  constructor(most: number, isShared: (address: string) => boolean) {
    this.#most = most
    this.#mostOfAddress = Math.ceil(most / shareOfAddress)
    this.#isShared = isShared
  }

  /** Takes a place; answers how to leave it, or why there is none. */
  take(address: string): (() => void) | Full {
    if (this.#open >= this.#most) return "ALL"
    const networks = this.#isShared(address) ? null : IpAddress.networksOf(address)
    const network = networks === null ? null : (networks.wider ?? networks.own)
    if (network !== null) {
      const open = this.#byNetwork.get(network) ?? 0
      if (open >= this.#mostOfAddress) return "ADDRESS"
      this.#byNetwork.set(network, open + 1)
    }
    this.#open++
    return () => {
      this.#open--
      if (network === null) return
      const left = this.#byNetwork.get(network)! - 1
      if (left > 0) this.#byNetwork.set(network, left)
      else this.#byNetwork.delete(network)
    }
  }
}
