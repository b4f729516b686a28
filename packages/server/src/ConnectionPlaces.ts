import { IpAddress } from "@countersign/core"
import { type ClientAddress, LocalRequest } from "@countersign/http"

/** Why a connection is refused: the limit of the server (`ALL`) or of the client's network (`ADDRESS`) is reached. */
export type Full = "ALL" | "ADDRESS"

/**
 * Whether many clients share this address: a trusted proxy, this machine, or a private network, as proxies and backends
 * have. Such an address has no limit of its own.
 */
export const isSharedBy =
  (trustedProxies: ClientAddress.TrustedProxies) =>
  (address: string): boolean =>
    LocalRequest.isFromPrivateNetwork({ remoteAddress: address }) ||
    trustedProxies.some((range) => range.holds(address))

/** One public address may hold a quarter of all connections, because many phones of a mobile network share one. */
const shareOfAddress = 4

/** Limits open connections, in total and per network, so that one IPv4 address or IPv6 /48 cannot take all of them. */
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

  /** Reserves a connection. Returns the function that releases it, or why it is refused. */
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
