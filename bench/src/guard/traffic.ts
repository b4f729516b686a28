import type { GuardedRequest } from "@countersign/core"
import type { Random } from "./random.ts"

/** A request of a played day, and what its sender will do. */
export interface Visit extends GuardedRequest {
  /** Milliseconds since the beginning. */
  readonly at: number
  readonly isAttack: boolean
  /** Whether the person used the latest code before it. */
  readonly isTrusted?: boolean
  /** When the code is typed, in milliseconds after the message; null when nobody types it. */
  readonly typedAfter: number | null
  readonly isDelivered: boolean
  /** The price of the message, in hundredths of a cent. */
  readonly cost: number
}

export interface Country {
  readonly name: string
  readonly code: string
  /** How many digits follow the calling code. */
  readonly digits: number
  /** The first digits of its mobile ranges, each a number without its last six digits, without the calling code. */
  readonly ranges: ReadonlyArray<string>
  readonly cost: number
  /** The share of codes that people type. */
  readonly typed: number
}

const ranges = (first: string, count: number, length: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, n) => `${first}${String(n * 7 + 1).padStart(length - first.length, "0")}`)

/** Made up: the shape of numbering plans, not their facts. */
export const countries: { readonly [name: string]: Country } = {
  IN: { name: "IN", code: "91", digits: 10, ranges: ranges("9", 140, 4), cost: 20, typed: 0.84 },
  GB: { name: "GB", code: "44", digits: 10, ranges: ranges("7", 90, 4), cost: 400, typed: 0.88 },
  US: { name: "US", code: "1", digits: 10, ranges: ranges("4", 120, 4), cost: 80, typed: 0.86 },
  AE: { name: "AE", code: "971", digits: 9, ranges: ranges("5", 12, 3), cost: 350, typed: 0.8 },
  SG: { name: "SG", code: "65", digits: 8, ranges: ["81", "82", "90", "91", "96", "97"], cost: 300, typed: 0.9 },
  EE: { name: "EE", code: "372", digits: 8, ranges: ["51", "52", "53", "55", "56", "58"], cost: 600, typed: 0.87 },
  BR: { name: "BR", code: "55", digits: 11, ranges: ranges("11", 60, 5), cost: 150, typed: 0.72 },
  EG: { name: "EG", code: "20", digits: 10, ranges: ranges("1", 30, 4), cost: 900, typed: 0.5 },
  KZ: { name: "KZ", code: "7", digits: 10, ranges: ranges("70", 9, 4), cost: 1_800, typed: 0.7 },
  UZ: { name: "UZ", code: "998", digits: 9, ranges: ranges("9", 9, 3), cost: 2_400, typed: 0.7 },
  TJ: { name: "TJ", code: "992", digits: 9, ranges: ranges("9", 9, 3), cost: 2_700, typed: 0.7 },
  AZ: { name: "AZ", code: "994", digits: 9, ranges: ranges("5", 9, 3), cost: 3_000, typed: 0.7 },
  LK: { name: "LK", code: "94", digits: 9, ranges: ranges("7", 9, 3), cost: 1_900, typed: 0.8 },
  NG: { name: "NG", code: "234", digits: 10, ranges: ranges("8", 30, 4), cost: 1_500, typed: 0.75 },
  ID: { name: "ID", code: "62", digits: 11, ranges: ranges("81", 40, 5), cost: 2_100, typed: 0.78 },
  PH: { name: "PH", code: "63", digits: 10, ranges: ranges("9", 40, 4), cost: 1_300, typed: 0.78 }
}

export const numberIn = ({ code, digits, ranges }: Country, random: Random): string => {
  const range = random.pick(ranges)
  const rest = digits - range.length
  return `${code}${range}${String(random.below(10 ** rest)).padStart(rest, "0")}`
}

export const addressOf = (random: Random): string =>
  `${1 + random.below(220)}.${random.below(256)}.${random.below(256)}.${random.below(256)}`

export interface Crowd {
  readonly country: Country
  /** People a minute at this time of the day. */
  readonly perMinute: (at: number) => number
  readonly from: number
  readonly to: number
  /** The size of the crowd: a small one returns often. */
  readonly people: number
  readonly typed?: number | ((at: number, number: string) => number)
  readonly delivered?: (at: number, number: string) => number
  readonly address?: (random: Random) => string | null
}

/** Real people: most type their code after some twenty seconds, and half of the others try again. */
export const crowd = (
  { address, country, delivered = () => 0.98, from, people, perMinute, to, typed = country.typed }: Crowd,
  random: Random
): ReadonlyArray<Visit> => {
  const numbers = Array.from({ length: people }, () => numberIn(country, random))
  const gateways = Array.from({ length: 40 }, () => addressOf(random))
  const visits: Array<Visit> = []
  let at = from
  for (;;) {
    const rate = perMinute(at)
    at += rate <= 0.01 ? 60_000 : random.exponential(60_000 / rate)
    if (at >= to) return visits
    if (rate <= 0.01) continue
    const number = random.pick(numbers)
    const from_ = address?.(random) ?? (random.next() < 0.3 ? random.pick(gateways) : addressOf(random))
    for (let again = 0, start = at; again < 3; again++) {
      const isDelivered = random.next() < delivered(start, number)
      const share = typeof typed === "number" ? typed : typed(start, number)
      const isTyped = isDelivered && random.next() < share
      visits.push({
        number,
        address: from_,
        device: null,
        at: start,
        isAttack: false,
        typedAfter: isTyped ? random.logNormal(22_000, 0.7) : null,
        isDelivered,
        cost: country.cost
      })
      if (isTyped || random.next() < 0.5) break
      start += 45_000 + random.exponential(60_000)
    }
  }
}

/** Busy in the evening, quiet at night. */
export const dayCurve = (perMinute: number) => (at: number) =>
  perMinute * (1 + 0.85 * Math.sin(((at / 3_600_000 - 9) / 24) * 2 * Math.PI))

export interface Attack {
  readonly from: number
  readonly to: number
  readonly perMinute: number
  readonly number: (n: number, random: Random) => { readonly number: string; readonly country: Country }
  readonly address?: (n: number, random: Random) => string | null
  readonly device?: (n: number, random: Random) => string | null
  /** The share of codes that the attackers type themselves. */
  readonly typed?: number
  readonly delivered?: number
}

export const attack = (
  {
    address = (_, random) => addressOf(random),
    delivered = 0.97,
    device = () => null,
    from,
    number,
    perMinute,
    to,
    typed = 0
  }: Attack,
  random: Random
): ReadonlyArray<Visit> => {
  const visits: Array<Visit> = []
  let at = from
  for (let n = 0; ; n++) {
    at += random.exponential(60_000 / perMinute)
    if (at >= to) return visits
    const { country, number: to_ } = number(n, random)
    const isDelivered = random.next() < delivered
    visits.push({
      number: to_,
      address: address(n, random),
      device: device(n, random),
      at,
      isAttack: true,
      typedAfter: isDelivered && random.next() < typed ? random.logNormal(6_000, 0.5) : null,
      isDelivered,
      cost: country.cost
    })
  }
}

/** Numbers of blocks of ten thousand that the attackers are paid for. */
export const rented = (country: Country, blocks: number, random: Random) => {
  const prefixes = Array.from({ length: blocks }, () => numberIn(country, random).slice(0, -4))
  return (_: number, random: Random) => ({
    country,
    number: `${random.pick(prefixes)}${String(random.below(10_000)).padStart(4, "0")}`
  })
}

export const byTime = (visits: ReadonlyArray<Visit>): ReadonlyArray<Visit> => visits.toSorted((a, b) => a.at - b.at)
