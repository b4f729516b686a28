import type { Random } from "../random.ts"
import { addressOf, type Country, numberIn, type Visit } from "../traffic.ts"
import { deviceOf, type Rate, seconds, times } from "./day.ts"

export interface Target {
  readonly number: string
  readonly country: Country
  /** The attackers hold this SIM card, so they type nearly all of its codes. */
  readonly isOwn?: boolean
}

export interface Source {
  readonly address: string | null
  readonly device: string | null
}

export interface Pumping {
  readonly rate: Rate
  readonly from: number
  readonly to: number
  readonly target: (n: number, random: Random) => Target
  readonly source?: (n: number, random: Random) => Source
  /** The share of codes that the attackers type, for example because the range's owner forwards them. */
  readonly typed?: number | ((at: number) => number)
  readonly delivered?: number
  /** The median time until the attackers type a code. */
  readonly typing?: number
}

/** A fresh residential address for each request. */
export const proxies = (_: number, random: Random): Source => ({ address: addressOf(random), device: null })

export const pump = (
  { delivered = 0.96, from, rate, source = proxies, target, to, typed = 0, typing = seconds(9) }: Pumping,
  random: Random
): ReadonlyArray<Visit> =>
  times(rate, from, to, random).map((at, n) => {
    const { country, isOwn = false, number } = target(n, random)
    const isDelivered = random.next() < delivered
    const share = isOwn ? 0.95 : typeof typed === "number" ? typed : typed(at)
    return {
      number,
      ...source(n, random),
      at,
      isAttack: true,
      typedAfter: isDelivered && random.next() < share ? random.logNormal(typing, 0.5) : null,
      isDelivered,
      cost: country.cost
    }
  })

/** A proxy pool of this size. The attackers use each address several times. */
export const proxyPool = (size: number, random: Random) => {
  const pool = Array.from({ length: size }, () => addressOf(random))
  return (_: number, random: Random): Source => ({ address: random.pick(pool), device: null })
}

/** Infected phones: each keeps its address and its device. */
export const botnet = (size: number, random: Random) => {
  const bots = Array.from({ length: size }, () => ({ address: addressOf(random), device: deviceOf(random) }))
  return (_: number, random: Random): Source => random.pick(bots)
}

/** Phones on a shelf: each keeps its device, and all share a carrier's few gateways. */
export const phoneFarm = (phones: number, gateways: number, random: Random) => {
  const devices = Array.from({ length: phones }, () => deviceOf(random))
  const addresses = Array.from({ length: gateways }, () => addressOf(random))
  return (_: number, random: Random): Source => ({ address: random.pick(addresses), device: random.pick(devices) })
}

export const fixed =
  (address: (random: Random) => string | null) =>
  (_: number, random: Random): Source => ({ address: address(random), device: null })

/** A list of numbers that the attackers use again and again. */
export const list = (country: Country, size: number, random: Random) => {
  const prefixes = Array.from({ length: Math.ceil(size / 20) }, () => numberIn(country, random).slice(0, -3))
  const numbers = Array.from(
    { length: size },
    () => `${random.pick(prefixes)}${String(random.below(1000)).padStart(3, "0")}`
  )
  return (_: number, random: Random): Target => ({ country, number: random.pick(numbers) })
}

/** Numbers with a constant distance, block after block. */
export const strided = (country: Country, stride: number, random: Random) => {
  const first = numberIn(country, random)
  const length = first.length
  const start = Number(first.slice(0, -5)) * 100_000
  return (n: number): Target => ({
    country,
    number: String(start + ((n * stride) % 100_000)).padStart(length, "0")
  })
}

/** Any number of the country's mobile ranges. */
export const anywhere =
  (country: Country) =>
  (_: number, random: Random): Target => ({ country, number: numberIn(country, random) })

export const among =
  (targets: ReadonlyArray<(n: number, random: Random) => Target>) =>
  (n: number, random: Random): Target =>
    random.pick(targets)(n, random)
