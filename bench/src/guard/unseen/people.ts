import type { Random } from "../random.ts"
import { addressOf, byTime, type Country, numberIn, type Visit } from "../traffic.ts"
import { deviceOf, hours, type Rate, seconds, times } from "./day.ts"

export interface Person {
  readonly number: string
  readonly country: Country
  readonly address: string | null
  readonly device: string | null
}

export interface Reception {
  /** The share of messages that the carrier reports as delivered. */
  readonly delivered: number
  /** The share of delivered codes that people type. */
  readonly typed: number
  /** The median delay of the carrier, in milliseconds. */
  readonly delay?: number
}

export interface Gathering {
  readonly rate: Rate
  readonly from: number
  readonly to: number
  readonly person: (n: number, random: Random) => Person
  readonly reception?: (at: number, person: Person) => Reception
  /** How often a person requests a code at most. */
  readonly patience?: number
  /** The median time that a person waits before the next request. */
  readonly wait?: number
  /** The median time from reading a code to typing it. */
  readonly typing?: number
}

export const usual = (_: number, { country }: Person): Reception => ({ delivered: 0.98, typed: country.typed })

/** People who wait for their code, then type it or request another. A new code replaces the old one, so a late code is lost. */
export const gather = (
  {
    from,
    patience = 3,
    person: personOf,
    rate,
    reception = usual,
    to,
    typing = seconds(18),
    wait = seconds(75)
  }: Gathering,
  random: Random
): ReadonlyArray<Visit> =>
  byTime(
    times(rate, from, to, random).flatMap((start, n) => {
      const person = personOf(n, random)
      const visits: Array<Visit> = []
      let at = start
      for (let request = 1; ; request++) {
        const { delay = seconds(4), delivered, typed } = reception(at, person)
        const isDelivered = random.next() < delivered
        const typedAfter = random.logNormal(delay, 0.5) + random.logNormal(typing, 0.6)
        const waits = seconds(25) + random.logNormal(wait, 0.5)
        const isRepeated = request < patience && random.next() < 0.6
        const wouldType = isDelivered && random.next() < typed
        const isTyped = wouldType && (typedAfter < waits || !isRepeated) && typedAfter < hours(0.25)
        const { address, country, device, number } = person
        visits.push({
          number,
          address,
          device,
          at,
          isAttack: false,
          typedAfter: isTyped ? typedAfter : null,
          isDelivered,
          cost: country.cost
        })
        if (isTyped || !isRepeated) return visits
        at += waits
      }
    })
  )

/** A third of these people share the carrier's gateways, the others are at home. */
export const residents = (country: Country, random: Random, numberOf = numberIn) => {
  const gateways = Array.from({ length: 25 }, () => addressOf(random))
  return (_: number, random: Random): Person => ({
    number: numberOf(country, random),
    country,
    address: random.next() < 0.35 ? random.pick(gateways) : addressOf(random),
    device: null
  })
}

/** The same people, in an app that names their device. */
export const appUsers = (country: Country, random: Random, numberOf = numberIn) => {
  const person = residents(country, random, numberOf)
  return (n: number, random: Random): Person => ({ ...person(n, random), device: deviceOf(random) })
}

/** People of several countries, by weight. */
export const mixed =
  (parts: ReadonlyArray<readonly [weight: number, person: (n: number, random: Random) => Person]>) =>
  (n: number, random: Random): Person => {
    let left = random.next() * parts.reduce((sum, [weight]) => sum + weight, 0)
    for (const [weight, person] of parts) {
      left -= weight
      if (left < 0) return person(n, random)
    }
    return parts[0]![1](n, random)
  }

/** The same people behind these addresses. */
export const behind =
  (person: (n: number, random: Random) => Person, address: (random: Random) => string | null) =>
  (n: number, random: Random): Person => ({ ...person(n, random), address: address(random) })
