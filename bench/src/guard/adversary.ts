import { addressOf, attack, byTime, type Country, countries, numberIn, rented, type Visit } from "./traffic.ts"
import { usual } from "./days.ts"
import { play } from "./play.ts"
import { random, type Random } from "./random.ts"
import type { Judge } from "./judges.ts"

const hour = 3_600_000
/** The guard has seen a day before the attack begins. */
const begin = 30 * hour
const end = begin + 4 * hour
/** 3,600 codes an hour. */
const perMinute = 60

const of = (name: string): Country => countries[name]!

/** An attack by somebody who has read the guard's source. */
interface Adversary {
  readonly name: string
  /** The country whose people are counted. */
  readonly place: string
  readonly visits: (random: Random) => ReadonlyArray<Visit>
}

const blocks =
  (name: string, typed: number, from = begin, to = end) =>
  (r: Random) =>
    attack({ from, to, perMinute, typed, number: rented(of(name), 100, r) }, r)

const anywhere = (names: ReadonlyArray<string>, typed: number) => (r: Random) =>
  attack(
    {
      from: begin,
      to: end,
      perMinute,
      typed,
      number: (n, each) => {
        const country = of(names[n % names.length]!)
        return { country, number: numberIn(country, each) }
      }
    },
    r
  )

/** Numbers that signed in once, the day before, and then only request codes: five an hour each. */
const ownNumbers = (name: string, count: number) => (r: Random) => {
  const numbers = Array.from({ length: count }, () => ({ country: of(name), number: numberIn(of(name), r) }))
  const number = (n: number) => numbers[n % count]!
  const first = attack({ from: begin - 8 * hour, to: begin - 2 * hour, perMinute: count / 120, typed: 1, number }, r)
  return [...first, ...attack({ from: begin, to: end, perMinute: (count * 5) / 60, number }, r)]
}

const strangers = ["KZ", "UZ", "TJ", "AZ", "LK", "NG", "ID", "PH", "BR"]

const adversaries: ReadonlyArray<Adversary> = [
  { name: "100 blocks of a country without customers, none entered", place: "UZ", visits: blocks("UZ", 0) },
  { name: "the same, 20 % entered", place: "UZ", visits: blocks("UZ", 0.2) },
  { name: "the same, 30 % entered", place: "UZ", visits: blocks("UZ", 0.3) },
  {
    name: "the same, 30 % entered for two hours, then none",
    place: "UZ",
    visits: (r) => {
      const number = rented(of("UZ"), 100, r)
      const half = begin + 2 * hour
      return [
        ...attack({ from: begin, to: half, perMinute, typed: 0.3, number }, r),
        ...attack({ from: half, to: end, perMinute, number }, r)
      ]
    }
  },
  { name: "100 blocks of a country with customers, none entered", place: "GB", visits: blocks("GB", 0) },
  { name: "the same, 20 % entered", place: "GB", visits: blocks("GB", 0.2) },
  {
    name: "random numbers of nine countries without customers, none entered",
    place: "KZ",
    visits: anywhere(strangers, 0)
  },
  { name: "random numbers of a country with customers, none entered", place: "GB", visits: anywhere(["GB"], 0) },
  { name: "the same, 15 % entered", place: "GB", visits: anywhere(["GB"], 0.15) },
  { name: "the same, 25 % entered", place: "GB", visits: anywhere(["GB"], 0.25) },
  { name: "random numbers of the home country, none entered", place: "IN", visits: anywhere(["IN"], 0) },
  { name: "the same, 15 % entered", place: "IN", visits: anywhere(["IN"], 0.15) },
  {
    name: "random numbers of the home country from its people's gateways, none entered",
    place: "IN",
    visits: (r) => {
      const own = Array.from({ length: 40 }, () => addressOf(r))
      return anywhere(["IN"], 0)(r).map((visit) => ({ ...visit, address: r.pick(own) }))
    }
  },
  { name: "300 numbers that signed in once, then five codes an hour each", place: "GB", visits: ownNumbers("GB", 300) }
]

/** Eight in ten of the merchant's people signed in before these days. */
const isOld = ({ number }: Visit) => Number(number.slice(-3)) % 10 < 8

const percent = (part: number, whole: number) => (whole === 0 ? "–" : `${((100 * part) / whole).toFixed(1)} %`)

/** What each attack gets through, and what it does to the people of the attacked place while it lasts. */
export const adversaryRows = (judge: () => Judge): ReadonlyArray<string> =>
  adversaries.map(({ name, place, visits }) => {
    const r = random(7)
    const own = usual(r, 20, end)
    const attacking = visits(r)
    const signedIn = new Set(own.filter(isOld).map(({ number }) => number))
    const { attackSent, attackTyped, delayed, known, knownHurt, people, refused } = play(
      byTime([...own, ...attacking]),
      judge(),
      {
        hasSignedIn: (number) => signedIn.has(number),
        counts: ({ at, number }) => at >= begin && number.startsWith(of(place).code)
      }
    )
    const an = Math.round(attackSent / 4)
    const each = attackTyped === 0 ? "" : `, ${(attackSent / attackTyped).toFixed(1)} for each entered`
    const hurt = delayed + refused
    return `${name.padEnd(76)} ${an} an hour${each}; hurt: known ${percent(knownHurt, known)}, new ${percent(
      hurt - knownHurt,
      people - known
    )} (refused ${percent(refused, people - known)})`
  })
