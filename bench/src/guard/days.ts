import { addressOf, attack, byTime, countries, crowd, dayCurve, numberIn, rented, type Visit } from "./traffic.ts"
import { random, type Random } from "./random.ts"

const hour = 3_600_000
const C = countries as { readonly [name: string]: (typeof countries)[string] } & Record<
  string,
  (typeof countries)[string]
>
const of = (name: string) => C[name]!

/** Two usual days of a merchant at home in India with people in six more countries. */
export const usual = (random: Random, perMinute = 60, until = 48 * hour): ReadonlyArray<Visit> =>
  (
    [
      ["IN", 0.6],
      ["GB", 0.13],
      ["US", 0.1],
      ["AE", 0.07],
      ["SG", 0.05],
      ["EE", 0.02],
      ["EG", 0.03]
    ] as const
  ).flatMap(([name, share]) =>
    crowd(
      {
        country: of(name),
        perMinute: dayCurve(perMinute * share),
        from: 0,
        to: until,
        people: Math.ceil(60_000 * share)
      },
      random
    )
  )

export interface Day {
  readonly name: string
  readonly visits: (random: Random) => ReadonlyArray<Visit>
}

/** The guard has seen a day before the attack begins. */
const begin = 30 * hour

export const attacks: ReadonlyArray<Day> = [
  {
    name: "rented ranges, fast",
    visits: (r) => attack({ from: begin, to: begin + 3 * hour, perMinute: 300, number: rented(of("UZ"), 20, r) }, r)
  },
  {
    name: "rented ranges at home",
    visits: (r) => attack({ from: begin, to: begin + 6 * hour, perMinute: 120, number: rented(of("IN"), 60, r) }, r)
  },
  {
    name: "rented ranges in Britain",
    visits: (r) => attack({ from: begin, to: begin + 6 * hour, perMinute: 60, number: rented(of("GB"), 40, r) }, r)
  },
  {
    name: "a slow drip into 300 blocks",
    visits: (r) => attack({ from: begin, to: begin + 18 * hour, perMinute: 6, number: rented(of("AZ"), 300, r) }, r)
  },
  {
    name: "a slow drip at home",
    visits: (r) => attack({ from: begin, to: begin + 18 * hour, perMinute: 6, number: rented(of("GB"), 60, r) }, r)
  },
  {
    name: "toll fraud in eight countries",
    visits: (r) =>
      attack(
        {
          from: begin,
          to: begin + 4 * hour,
          perMinute: 200,
          number: (n, random) => {
            const country = of(["KZ", "UZ", "TJ", "AZ", "LK", "NG", "ID", "PH"][n % 8]!)
            return { country, number: numberIn(country, random) }
          }
        },
        r
      )
  },
  {
    name: "one address, random numbers at home",
    visits: (r) => {
      const own = addressOf(r)
      return attack(
        {
          from: begin,
          to: begin + 2 * hour,
          perMinute: 100,
          number: (_, random) => ({ country: of("GB"), number: numberIn(of("GB"), random) }),
          address: () => own
        },
        r
      )
    }
  },
  {
    name: "adjacent numbers",
    visits: (r) => {
      const prefix = numberIn(of("ID"), r).slice(0, -4)
      return attack(
        {
          from: begin,
          to: begin + hour / 6,
          perMinute: 1_000,
          number: (n) => ({ country: of("ID"), number: `${prefix}${String(n % 10_000).padStart(4, "0")}` })
        },
        r
      )
    }
  },
  {
    name: "rented ranges, one code in ten typed",
    visits: (r) =>
      attack({ from: begin, to: begin + 6 * hour, perMinute: 100, typed: 0.1, number: rented(of("TJ"), 30, r) }, r)
  }
]

export const ordinary: ReadonlyArray<Day> = [
  { name: "nothing special", visits: () => [] },
  {
    name: "a festival: eight times as many for three hours",
    visits: (r) =>
      crowd({ country: of("IN"), perMinute: () => 300, from: begin, to: begin + 3 * hour, people: 100_000 }, r)
  },
  {
    name: "a flash sale: 1,200 a minute for ten minutes",
    visits: (r) =>
      crowd({ country: of("IN"), perMinute: () => 1_200, from: begin, to: begin + hour / 6, people: 50_000 }, r)
  },
  {
    name: "an airport's WiFi behind one address",
    visits: (r) => {
      const own = addressOf(r)
      return ["IN", "AE", "SG", "US", "GB"].flatMap((name) =>
        crowd({ country: of(name), perMinute: () => 2, from: 0, to: 48 * hour, people: 10_000, address: () => own }, r)
      )
    }
  },
  {
    name: "a carrier's outage: nothing arrives for two hours",
    visits: (r) =>
      crowd(
        {
          country: of("IN"),
          perMinute: () => 30,
          from: 0,
          to: 48 * hour,
          people: 30_000,
          delivered: (at, number) => (at > begin && at < begin + 2 * hour && Number(number[4]) % 3 === 0 ? 0.05 : 0.98)
        },
        r
      )
  },
  {
    name: "a carrier that reports delivery and delivers nothing",
    visits: (r) =>
      crowd(
        {
          country: of("AE"),
          perMinute: () => 10,
          from: 0,
          to: 48 * hour,
          people: 30_000,
          typed: (at, number) => (at > begin && at < begin + hour && Number(number[4]) % 2 === 0 ? 0.05 : 0.8)
        },
        r
      )
  },
  {
    name: "a new country's launch",
    visits: (r) =>
      crowd({ country: of("BR"), perMinute: () => 150, from: begin, to: begin + 6 * hour, people: 200_000 }, r)
  },
  {
    name: "a new country's launch with a poor template",
    visits: (r) =>
      crowd(
        { country: of("NG"), perMinute: () => 40, from: begin, to: begin + 6 * hour, people: 200_000, typed: 0.45 },
        r
      )
  }
]

export const dayWith = (day: Day, seed: number, perMinute = 60): ReadonlyArray<Visit> => {
  const r = random(seed)
  return byTime([...usual(r, perMinute), ...day.visits(r)])
}
